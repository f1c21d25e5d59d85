/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/line_counts.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "counts/line_flow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** A line that appears in a node. */
struct mention {
  struct flow_line pos;
  uint32_t chain; /* of the node, see line_flow.h */
  uint32_t place;
  uint32_t node;
  uint32_t n_before; /* lines of the function's own text before it in the
                        node */
  bool is_left;      /* own text follows it there */
};

/** The first line of a function. */
struct begin {
  struct flow_line pos;
  const char *name; /* linkage name */
};

// With fewer lines, room is cheap.
enum { MANY_LINES = 1 << 16 };

/** State of line_counts_build(). */
struct builder {
  const struct flow_data *flow;
  struct line_counts *counts;
  struct line_instances *instances; /* NULL: not wanted. Else they take the
                                       lines, which are sums of them */
  struct line_flow graph;
  struct mention *mentions; /* of the present function */
  uint32_t *members;        /* of the present line */
  bool *left;               /* as line_flow_count() takes them */
  size_t max_mentions;
  size_t max_lines;     /* that counts or instances have room for */
  struct begin *begins; /* of functions of the source, sorted */
  size_t n_begins;
};

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_mentions(const void *left, const void *right,
                            const void *context) {
  const struct mention *a = left, *b = right;
  int order = flow_line_compare(a->pos, b->pos);

  (void)context;
  if (order == 0)
    order = compare_numbers(a->chain, b->chain);
  if (order == 0)
    order = compare_numbers(a->place, b->place);
  return order ? order : compare_numbers(a->n_before, b->n_before);
}

static int compare_instances(const void *left, const void *right,
                             const void *context) {
  const struct line_instance *a = left, *b = right;
  const int order = flow_line_compare(a->pos, b->pos);

  (void)context;
  return order || a->name == b->name ? order : strcmp(a->name, b->name);
}

static int compare_calls(const void *left, const void *right,
                         const void *context) {
  const struct line_call *a = left, *b = right;
  int order = flow_line_compare(a->pos, b->pos);

  (void)context;
  return order ? order : strcmp(a->callee, b->callee);
}

static int compare_funcs(const void *left, const void *right,
                         const void *context) {
  const struct line_func *a = left, *b = right;
  int order = flow_line_compare(a->pos, b->pos);

  (void)context;
  return order ? order : strcmp(a->name, b->name);
}

/** Make room for the mentions of a function. Returns 0 or -1 (no memory). */
static int grow_mentions(struct builder *builder, size_t n) {
  if (n <= builder->max_mentions)
    return 0;
  free(builder->mentions);
  free(builder->members);
  free(builder->left);
  builder->mentions = reallocarray(NULL, n, sizeof(*builder->mentions));
  builder->members = reallocarray(NULL, n, sizeof(*builder->members));
  builder->left = reallocarray(NULL, n, sizeof(*builder->left));
  builder->max_mentions =
      builder->mentions && builder->members && builder->left ? n : 0;
  return builder->max_mentions ? 0 : -1;
}

static void join_lines(struct line_counts *counts, enum line_counts_join how) {
  struct line_count *lines = counts->lines;
  size_t n = 0;

  for (size_t i = 0; i < counts->n_lines; i++) {
    if (n == 0 || flow_line_compare(lines[n - 1].pos, lines[i].pos) != 0)
      lines[n++] = lines[i];
    else if (how == LINE_COUNTS_SUM)
      lines[n - 1].count += lines[i].count;
    else if (lines[i].count > lines[n - 1].count)
      lines[n - 1].count = lines[i].count;
  }
  counts->n_lines = n;
}

/** Sort, and add up equal names. Returns 0 or -1 (no memory). */
static int join_names(struct line_instances *instances) {
  struct line_instance *const lines = instances->lines;
  size_t n = 0;

  if (flow_line_sort(lines, instances->n_lines, sizeof(*lines),
                     compare_instances) != 0)
    return -1;
  for (size_t i = 0; i < instances->n_lines; i++)
    if (n > 0 && compare_instances(&lines[n - 1], &lines[i], NULL) == 0)
      lines[n - 1].count += lines[i].count;
    else
      lines[n++] = lines[i];
  instances->n_lines = n;
  return 0;
}

/** Make room for an instance, as grow_lines() does for a line. */
static int grow_instances(struct builder *builder) {
  struct line_instances *const instances = builder->instances;

  if (instances->n_lines >= MANY_LINES) {
    if (join_names(instances) != 0)
      return -1;
    if (instances->n_lines <= builder->max_lines / 2)
      return 0;
  }
  struct line_instance *const lines =
      array_enlarge(instances->lines, &builder->max_lines, sizeof(*lines));
  if (!lines)
    return -1;
  instances->lines = lines;
  return 0;
}

/** Make room for a line. Copies and instances of functions have the same lines:
 * these are added up before more memory is allocated. */
static int grow_lines(struct builder *builder) {
  struct line_counts *const counts = builder->counts;

  if (counts->n_lines >= MANY_LINES) {
    if (flow_line_sort(counts->lines, counts->n_lines, sizeof(*counts->lines),
                       NULL) != 0)
      return -1;
    join_lines(counts, LINE_COUNTS_SUM);
    if (counts->n_lines <= builder->max_lines / 2)
      return 0;
  }
  struct line_count *const lines =
      array_enlarge(counts->lines, &builder->max_lines, sizeof(*lines));
  if (!lines)
    return -1;
  counts->lines = lines;
  return 0;
}

static int add_instance(struct builder *builder, struct flow_line pos,
                        const char *name, uint64_t count) {
  struct line_instances *const instances = builder->instances;

  if (instances->n_lines == builder->max_lines && grow_instances(builder) != 0)
    return -1;
  instances->lines[instances->n_lines++] =
      (struct line_instance){pos, name, count};
  return 0;
}

/** Add the count of a line in a function of that name. */
static int add_line(struct builder *builder, struct flow_line pos,
                    const char *name, uint64_t count) {
  struct line_counts *const counts = builder->counts;

  if (builder->instances)
    return add_instance(builder, pos, name, count);
  if (counts->n_lines == builder->max_lines && grow_lines(builder) != 0)
    return -1;
  counts->lines[counts->n_lines++] = (struct line_count){pos, count};
  return 0;
}

/** Is a line in the text of a function? Others are initial values of members,
 * in the class, and text that the function includes. */
static bool is_own_text(const struct flow_func *func, struct flow_line pos) {
  return pos.i_file == func->pos.i_file && pos.line >= func->pos.line;
}

/** List which lines of a function appear in which node. Returns how many. */
static size_t collect_mentions(struct builder *builder,
                               const struct flow_func *func) {
  const struct flow_data *flow = builder->flow;
  size_t n = 0;

  for (uint32_t i = 0; i < func->n_nodes; i++) {
    const struct flow_node *node = &flow->nodes[func->first_node + i];
    const size_t first = n;
    uint32_t n_own = 0;
    for (size_t k = 0; k < node->n_lines; k++) {
      const struct flow_line pos = flow->lines[node->first_line + k];
      if (pos.line == 0)
        continue;
      builder->mentions[n++] =
          (struct mention){.pos = pos,
                           .chain = builder->graph.nodes[i].chain,
                           .place = builder->graph.nodes[i].place,
                           .node = i,
                           .n_before = n_own};
      n_own += is_own_text(func, pos);
    }
    for (size_t m = first; m < n; m++)
      builder->mentions[m].is_left = builder->mentions[m].n_before < n_own;
  }
  return n;
}

/** Does control leave a line outside of the function's text for that text, and
 * then enter the line again, in one row of calls? For example, between the
 * initial values of two objects. */
static bool is_entered_again(const struct mention *first,
                             const struct mention *second) {
  if (first->chain != second->chain)
    return false;
  return first->node == second->node ? first->n_before != second->n_before
                                     : first->is_left || second->n_before > 0;
}

/** List the first lines of functions of the source. Returns 0 or -1 (no
 * memory). */
static int list_begins(struct builder *builder) {
  const struct flow_data *const flow = builder->flow;

  builder->begins =
      reallocarray(NULL, flow->n_funcs + 1, sizeof(*builder->begins));
  if (!builder->begins)
    return -1;
  for (size_t i = 0; i < flow->n_funcs; i++)
    if (!flow->funcs[i].is_made)
      builder->begins[builder->n_begins++] =
          (struct begin){flow->funcs[i].pos, flow->funcs[i].name};
  return flow_line_sort(builder->begins, builder->n_begins,
                        sizeof(*builder->begins), NULL);
}

/** Is it a name of a function that begins at the line of a begin? */
static bool begins_at(const struct builder *builder, size_t i_begin,
                      const char *name) {
  const struct begin *const first = &builder->begins[i_begin];

  for (size_t i = i_begin;
       i < builder->n_begins &&
       flow_line_compare(builder->begins[i].pos, first->pos) == 0;
       i++)
    if (strcmp(builder->begins[i].name, name) == 0)
      return true;
  return false;
}

/** Does a function call or decide something on the line where others begin,
 * apart from calling them? */
static bool has_own_code(const struct builder *builder,
                         const struct flow_func *func, size_t i_begin) {
  const struct flow_data *const flow = builder->flow;
  const struct flow_line pos = builder->begins[i_begin].pos;

  for (size_t i = 0; i < func->n_calls; i++) {
    const struct flow_call *const call = &flow->calls[func->first_call + i];
    if (flow_line_compare(call->pos, pos) == 0 &&
        !begins_at(builder, i_begin, call->callee))
      return true;
  }
  for (size_t i = 0; i < func->n_choices; i++)
    if (flow_line_compare(flow->choices[func->first_choice + i].pos, pos) == 0)
      return true;
  return false;
}

/**
 * Does a line of a function count as the first line of another one alone? As in
 * gcov and llvm-cov, it does
 *
 * - if the compiler made the function, as for a macro that defines a function
 *   and registers it by a global: the line would have a count although the
 *   function did not run, or one too many;
 * - if the function makes a closure there, perhaps calls it, and does nothing
 *   else: the count is that of the lambda.
 */
static bool is_line_of_other(const struct builder *builder,
                             const struct flow_func *func,
                             struct flow_line pos) {
  if (!func->is_made && flow_line_compare(pos, func->pos) == 0)
    return false;
  const size_t i_begin =
      sorted_find(builder->begins, builder->n_begins, sizeof(*builder->begins),
                  &pos, flow_line_compare_first, NULL);
  return i_begin < builder->n_begins &&
         (func->is_made || !has_own_code(builder, func, i_begin));
}

/** Count the lines of one function. Returns 0 or -1 (no memory). */
static int count_func(struct builder *builder, const struct flow_func *func) {
  const struct flow_data *flow = builder->flow;
  size_t n = 0;

  for (uint32_t i = 0; i < func->n_nodes; i++)
    n += flow->nodes[func->first_node + i].n_lines;
  // The variant that has the lines counts them.
  if (n == 0 || func->is_delegate)
    return 0;
  if (grow_mentions(builder, n) != 0 ||
      line_flow_begin(&builder->graph, flow, func) != 0)
    return -1;
  n = collect_mentions(builder, func);
  const struct mention *mentions = builder->mentions;
  if (merge_sort_runs(builder->mentions, n, sizeof(*mentions), compare_mentions,
                      NULL) != 0)
    return -1;
  for (size_t i = 0; i < n;) {
    const struct flow_line pos = mentions[i].pos;
    const bool is_own = is_own_text(func, pos);
    const size_t first = i;
    uint64_t count = 0;
    size_t n_members = 0;
    for (; i < n && flow_line_compare(mentions[i].pos, pos) == 0; i++) {
      if (n_members == 0 || builder->members[n_members - 1] != mentions[i].node)
        builder->members[n_members++] = mentions[i].node;
      builder->left[n_members - 1] = !is_own && mentions[i].is_left;
      if (!is_own && i > first &&
          is_entered_again(&mentions[i - 1], &mentions[i]))
        count += flow->nodes[func->first_node + mentions[i].node].count;
    }
    if (is_line_of_other(builder, func, pos))
      continue;
    count += line_flow_count(&builder->graph, builder->members, builder->left,
                             n_members);
    if (add_line(builder, pos, func->name, count) != 0)
      return -1;
  }
  return 0;
}

static void join_calls(struct line_counts *counts) {
  struct line_call *calls = counts->calls;
  size_t n = 0;

  for (size_t i = 0; i < counts->n_calls; i++)
    if (n > 0 && compare_calls(&calls[n - 1], &calls[i], NULL) == 0)
      calls[n - 1].count += calls[i].count;
    else
      calls[n++] = calls[i];
  counts->n_calls = n;
}

static void join_func(struct line_func *into, const struct line_func *func) {
  into->n_entries += func->n_entries;
  if (func->last_line > into->last_line)
    into->last_line = func->last_line;
  // Of several instances: the counts of the best one.
  if (func->n_blocks > into->n_blocks)
    into->n_blocks = func->n_blocks;
  if (func->n_run_blocks > into->n_run_blocks)
    into->n_run_blocks = func->n_run_blocks;
}

static void join_funcs(struct line_counts *counts) {
  struct line_func *funcs = counts->funcs;
  size_t n = 0;

  for (size_t i = 0; i < counts->n_funcs; i++)
    if (n > 0 && compare_funcs(&funcs[n - 1], &funcs[i], NULL) == 0)
      join_func(&funcs[n - 1], &funcs[i]);
    else
      funcs[n++] = funcs[i];
  counts->n_funcs = n;
}

int line_counts_join(struct line_counts *counts, enum line_counts_join how,
                     struct err *err) {
  if (flow_line_sort(counts->lines, counts->n_lines, sizeof(*counts->lines),
                     NULL) != 0 ||
      flow_line_sort(counts->calls, counts->n_calls, sizeof(*counts->calls),
                     compare_calls) != 0 ||
      flow_line_sort(counts->funcs, counts->n_funcs, sizeof(*counts->funcs),
                     compare_funcs) != 0)
    return err_no_memory(err);
  join_lines(counts, how);
  join_calls(counts);
  join_funcs(counts);
  counts->lines =
      array_trim(counts->lines, counts->n_lines, sizeof(*counts->lines));
  counts->calls =
      array_trim(counts->calls, counts->n_calls, sizeof(*counts->calls));
  counts->funcs =
      array_trim(counts->funcs, counts->n_funcs, sizeof(*counts->funcs));
  return 0;
}

/** Last line of a function's code in the file of its definition. */
static uint32_t find_last_line(const struct flow_data *flow, size_t i_func) {
  const struct flow_func *func = &flow->funcs[i_func];
  uint32_t last = func->pos.line;

  for (uint32_t i = 0; i < func->n_nodes; i++) {
    const struct flow_node *node = &flow->nodes[func->first_node + i];
    for (size_t k = 0; k < node->n_lines; k++) {
      const struct flow_line pos = flow->lines[node->first_line + k];
      if (pos.i_file == func->pos.i_file && pos.line > last)
        last = pos.line;
    }
  }
  return last;
}

static uint32_t count_run_blocks(const struct flow_data *flow,
                                 const struct flow_func *func) {
  uint32_t n = 0;

  for (uint32_t i = 0; i < func->n_nodes; i++)
    n += flow->nodes[func->first_node + i].count > 0;
  return n;
}

/** List call sites and functions, not yet sorted. Returns 0 or -1 (no
 * memory). */
static int list_calls_and_funcs(const struct flow_data *flow,
                                struct line_counts *out) {
  out->calls = reallocarray(NULL, flow->n_calls + 1, sizeof(*out->calls));
  out->funcs = reallocarray(NULL, flow->n_funcs + 1, sizeof(*out->funcs));
  if (!out->calls || !out->funcs)
    return -1;
  for (size_t i = 0; i < flow->n_calls; i++)
    out->calls[out->n_calls++] = (struct line_call){
        flow->calls[i].pos, flow->calls[i].callee, flow->calls[i].count};
  for (size_t i = 0; i < flow->n_funcs; i++)
    out->funcs[out->n_funcs++] = (struct line_func){
        .pos = flow->funcs[i].pos,
        .last_line = find_last_line(flow, i),
        .name = flow->funcs[i].name,
        .n_entries = flow->funcs[i].n_entries,
        .n_blocks = flow->funcs[i].n_nodes,
        .n_run_blocks = count_run_blocks(flow, &flow->funcs[i]),
        .is_made = flow->funcs[i].is_made,
        .is_delegate = flow->funcs[i].is_delegate};
  return 0;
}

static void release_builder(struct builder *builder) {
  line_flow_release(&builder->graph);
  free(builder->mentions);
  free(builder->members);
  free(builder->left);
  free(builder->begins);
}

/** Number of instances from the first one on that have its line. */
static size_t count_same_line(const struct line_instance *first,
                              const struct line_instance *end) {
  const struct line_instance *it = first + 1;

  while (it < end && flow_line_compare(it->pos, first->pos) == 0)
    it++;
  return (size_t)(it - first);
}

/** Compute the counts of lines from those of their instances, and keep
 * instances only for lines that have several. Returns 0 or -1 (no memory). */
static int sum_instances(struct line_instances *instances,
                         struct line_counts *out) {
  struct line_instance *const lines = instances->lines;
  size_t n = 0;

  if (join_names(instances) != 0)
    return -1;
  out->lines = reallocarray(NULL, instances->n_lines + 1, sizeof(*out->lines));
  if (!out->lines)
    return -1;
  for (size_t i = 0, end; i < instances->n_lines; i = end) {
    struct line_count sum = {.pos = lines[i].pos};
    end = i + count_same_line(&lines[i], lines + instances->n_lines);
    const bool is_single = end == i + 1;
    for (; i < end; i++) {
      sum.count += lines[i].count;
      if (!is_single)
        lines[n++] = lines[i];
    }
    out->lines[out->n_lines++] = sum;
  }
  instances->n_lines = n;
  instances->lines = array_trim(lines, n, sizeof(*lines));
  return 0;
}

int line_counts_build(const struct flow_data *flow, struct line_counts *out,
                      struct line_instances *instances, struct err *err) {
  struct builder builder = {
      .flow = flow, .counts = out, .instances = instances};
  int rc = -1;

  *out = (struct line_counts){0};
  if (instances)
    *instances = (struct line_instances){0};
  if (list_begins(&builder) != 0)
    goto out;
  for (size_t i = 0; i < flow->n_funcs; i++)
    if (count_func(&builder, &flow->funcs[i]) != 0)
      goto out;
  if (!instances || sum_instances(instances, out) == 0)
    rc = list_calls_and_funcs(flow, out);
out:
  release_builder(&builder);
  if (rc != 0)
    err_no_memory(err);
  else
    rc = line_counts_join(out, LINE_COUNTS_SUM, err);
  if (rc != 0) {
    line_counts_release(out);
    if (instances)
      line_instances_release(instances);
  }
  return rc;
}

/** Append n elements to an array of *n_array. Returns 0 or -1 (no memory). */
static int append(void *array, size_t *n_array, const void *more, size_t n,
                  size_t size) {
  void *old;

  if (n == 0)
    return 0;
  memcpy(&old, array, sizeof(old));
  void *new = reallocarray(old, *n_array + n, size);
  if (!new)
    return -1;
  memcpy((char *)new + *n_array *size, more, n * size);
  memcpy(array, &new, sizeof(new));
  *n_array += n;
  return 0;
}

int line_counts_add(struct line_counts *counts, const struct line_counts *more,
                    struct err *err) {
  if (append(&counts->lines, &counts->n_lines, more->lines, more->n_lines,
             sizeof(*more->lines)) != 0 ||
      append(&counts->calls, &counts->n_calls, more->calls, more->n_calls,
             sizeof(*more->calls)) != 0 ||
      append(&counts->funcs, &counts->n_funcs, more->funcs, more->n_funcs,
             sizeof(*more->funcs)) != 0)
    return err_no_memory(err);
  return line_counts_join(counts, LINE_COUNTS_SUM, err);
}

void line_counts_release(struct line_counts *counts) {
  free(counts->lines);
  free(counts->calls);
  free(counts->funcs);
  *counts = (struct line_counts){0};
}

void line_instances_release(struct line_instances *instances) {
  free(instances->lines);
  *instances = (struct line_instances){0};
}
