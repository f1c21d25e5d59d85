/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/source_funcs.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "debug/source_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** An instance of a function that begins on the present line. */
struct instance {
  const struct line_func *func;
  struct source_name name;
  uint32_t number; /* of functions that differ in parameters alone */
};

/** The functions that begin on one line. */
struct group {
  struct instance *instances;
  size_t n, max;
};

static const char *text_of(const struct instance *instance) {
  return instance->name.text ? instance->name.text : instance->func->name;
}

static const char *arguments_of(const struct instance *instance) {
  return instance->name.arguments ? instance->name.arguments : "";
}

/** By name in the source, then by arguments. */
static int compare_names(const void *left, const void *right,
                         const void *context) {
  const struct instance *a = left, *b = right;
  const int order = strcmp(text_of(a), text_of(b));

  (void)context;
  return order ? order : strcmp(arguments_of(a), arguments_of(b));
}

/** The same, by number in place of arguments. */
static int compare_funcs(const void *left, const void *right,
                         const void *context) {
  const struct instance *a = left, *b = right;
  const int order = strcmp(text_of(a), text_of(b));

  (void)context;
  return order ? order : (a->number > b->number) - (a->number < b->number);
}

static void empty_group(struct group *group) {
  for (size_t i = 0; i < group->n; i++)
    source_name_release(&group->instances[i].name);
  group->n = 0;
}

/** Fill the group with those of n functions that are in the source. Returns 0
 * or -1. */
static int fill_group(struct group *group, const struct line_func *funcs,
                      size_t n) {
  if (n > group->max) {
    struct instance *const instances =
        reallocarray(group->instances, n, sizeof(*instances));
    if (!instances)
      return -1;
    group->instances = instances;
    group->max = n;
  }
  for (size_t i = 0; i < n; i++) {
    if (funcs[i].is_made)
      continue;
    struct instance *const instance = &group->instances[group->n++];
    *instance = (struct instance){.func = &funcs[i]};
    // A line of its own needs no name to be recognised by.
    if (n > 1 && source_name_parse(funcs[i].name, &instance->name) != 0)
      return -1;
  }
  return 0;
}

/** Instances of one function differ in their arguments. Those that do not, and
 * are no variants, are overloads or lambdas on the line: they get numbers. */
static void number_overloads(struct group *group) {
  for (size_t i = 1; i < group->n; i++) {
    struct instance *const at = &group->instances[i];
    const struct instance *like = at;
    if (!at->name.arguments || compare_names(at - 1, at, NULL) != 0)
      continue;
    at->number = at[-1].number + 1;
    while (like > group->instances && compare_names(like - 1, at, NULL) == 0)
      if (source_name_are_variants((--like)->func->name, at->func->name))
        at->number = like->number;
  }
}

static void join(struct source_func *into, const struct line_func *func) {
  if (func->last_line > into->last_line)
    into->last_line = func->last_line;
  if (func->n_blocks > into->n_blocks)
    into->n_blocks = func->n_blocks;
  if (func->n_run_blocks > into->n_run_blocks)
    into->n_run_blocks = func->n_run_blocks;
}

/** Make one function of n instances. */
static struct source_func join_instances(const struct instance *instances,
                                         size_t n) {
  struct source_func out = {.pos = instances->func->pos,
                            .name = instances->func->name};
  uint64_t n_by_variants = 0;
  bool has_code = false;

  for (size_t i = 0; i < n; i++) {
    const struct line_func *const func = instances[i].func;
    join(&out, func);
    // Names in order of text: the same whichever instances there are first.
    if (strcmp(func->name, out.name) < 0)
      out.name = func->name;
    if (func->is_delegate) {
      n_by_variants += func->n_entries;
    } else {
      out.n_entries += func->n_entries;
      has_code = true;
    }
  }
  if (!has_code)
    out.n_entries = n_by_variants;
  return out;
}

/**
 * Move a function's first line to one that has a count.
 *
 * i_line  in: a line of the counts not after it; out: the next one that is not
 *         before it.
 *
 * Returns false if it has none: then there is nothing to be covered.
 */
static bool find_line(const struct line_counts *counts, size_t *i_line,
                      struct source_func *func) {
  const struct line_count *const lines = counts->lines;

  while (*i_line < counts->n_lines &&
         flow_line_compare(lines[*i_line].pos, func->pos) < 0)
    ++*i_line;
  if (*i_line == counts->n_lines)
    return false;
  const struct flow_line pos = lines[*i_line].pos;
  if (flow_line_compare(pos, func->pos) != 0 &&
      (pos.i_file != func->pos.i_file || pos.line > func->last_line))
    return false;
  func->pos = pos;
  return true;
}

static int compare_places(const void *left, const void *right,
                          const void *context) {
  const struct source_func *a = left, *b = right;
  const int order = flow_line_compare(a->pos, b->pos);

  (void)context;
  return order ? order : strcmp(a->name, b->name);
}

/** Append the functions of a group. Returns 0 or -1 (no memory). */
static int add_group(const struct line_counts *counts, struct group *group,
                     size_t *i_line, struct source_funcs *out) {
  if (merge_sort_runs(group->instances, group->n, sizeof(*group->instances),
                      compare_names, NULL) != 0)
    return -1;
  number_overloads(group);
  if (merge_sort_runs(group->instances, group->n, sizeof(*group->instances),
                      compare_funcs, NULL) != 0)
    return -1;
  for (size_t i = 0, end; i < group->n; i = end) {
    for (end = i + 1; end < group->n; end++)
      if (compare_funcs(&group->instances[i], &group->instances[end], NULL))
        break;
    struct source_func func = join_instances(&group->instances[i], end - i);
    // Without a flow graph, only lines that ran are sure to be there.
    if (find_line(counts, i_line, &func) || func.n_blocks == 0)
      out->funcs[out->n_funcs++] = func;
  }
  return 0;
}

int source_funcs_build(const struct line_counts *counts,
                       struct source_funcs *out, struct err *err) {
  const struct line_func *const funcs = counts->funcs;
  struct group group = {0};
  size_t i_line = 0;
  int rc = 0;

  *out = (struct source_funcs){
      .funcs = calloc(counts->n_funcs + 1, sizeof(*out->funcs))};
  if (!out->funcs)
    rc = -1;
  for (size_t i = 0, end; rc == 0 && i < counts->n_funcs; i = end) {
    for (end = i + 1; end < counts->n_funcs; end++)
      if (flow_line_compare(funcs[i].pos, funcs[end].pos) != 0)
        break;
    if (funcs[i].pos.line == 0)
      continue;
    rc = fill_group(&group, &funcs[i], end - i);
    if (rc == 0)
      rc = add_group(counts, &group, &i_line, out);
    empty_group(&group);
  }
  free(group.instances);
  if (rc == 0)
    rc = merge_sort_runs(out->funcs, out->n_funcs, sizeof(*out->funcs),
                         compare_places, NULL);
  if (rc == 0)
    return 0;
  source_funcs_release(out);
  return err_no_memory(err);
}

void source_funcs_release(struct source_funcs *funcs) {
  free(funcs->funcs);
  *funcs = (struct source_funcs){0};
}
