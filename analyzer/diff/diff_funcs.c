/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "diff/diff_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Who knows how often a function was called, the best one first. */
enum source {
  FUNCTIONS,  // flow graphs, which know of inlined calls
  SYMBOLS,    // the call graph
  CALL_SITES, // flow graphs, by the name that is called: of libraries'
              // functions
  N_SOURCES
};

/** What one source on one side knows of a function. */
struct known {
  const char *name;
  const char *file; // its last part; "": not known
  const char *path;
  uint32_t line;
  int side;
  enum source source;
  uint64_t calls;
  double self, total; // in ticks
};

struct known_list {
  struct known *items;
  size_t n, max;
};

static const char *last_part(const char *path) {
  const char *const slash = path ? strrchr(path, '/') : NULL;

  return slash ? slash + 1 : path ? path : "";
}

static int add(struct known_list *list, const struct known *item,
               struct err *err) {
  struct known *const items =
      array_grow(list->items, list->n, &list->max, sizeof(*items));

  if (!items)
    return err_no_memory(err);
  list->items = items;
  items[list->n] = *item;
  items[list->n++].file = last_part(item->path);
  return 0;
}

static bool is_outside(const struct symbol *symbol) {
  return symbol->object && symbol->object->i_object == MODEL_OUTSIDE;
}

static int collect(const struct diff_side *side, int i_side, bool is_measured,
                   struct known_list *list, struct err *err) {
  const struct line_counts *const counts = &side->lines.counts;
  const struct callgraph *const graph = &side->program.graph;

  for (size_t i = 0; i < counts->n_funcs; i++) {
    const struct line_func *const func = &counts->funcs[i];
    const struct known item = {
        .name = func->name,
        .path = side->lines.flow.files.names[func->pos.i_file],
        .line = func->pos.line,
        .side = i_side,
        .source = FUNCTIONS,
        .calls = func->n_entries};
    if (add(list, &item, err) != 0)
      return -1;
  }
  for (size_t i = 0; i < counts->n_calls; i++) {
    const struct known item = {.name = counts->calls[i].callee,
                               .side = i_side,
                               .source = CALL_SITES,
                               .calls = counts->calls[i].count};
    if (item.name[0] && add(list, &item, err) != 0)
      return -1;
  }
  for (size_t i = 0; i < graph->n_symbols; i++) {
    const struct symbol *const symbol = &graph->profile->symtab->symbols[i];
    const struct cg_node *const node = &graph->nodes[i];
    const struct known item = {
        .name = symbol->name,
        .path = symbol->file,
        .line = symbol->line,
        .side = i_side,
        .source = SYMBOLS,
        // Which function of a library memcpy() leads to is known only if that
        // library has samples: it is no name to count calls by.
        .calls = counts->n_calls > 0 && is_outside(symbol)
                     ? 0
                     : node->calls + node->self_calls,
        .self = node->ticks,
        .total = is_measured ? graph->profile->counts[i].inclusive
                             : node->ticks + node->child_ticks};
    if (add(list, &item, err) != 0)
      return -1;
  }
  return 0;
}

static int compare(const void *left, const void *right, const void *context) {
  const struct known *a = left, *b = right;
  const int order = strcmp(a->name, b->name);

  (void)context;
  return order ? order : strcmp(a->file, b->file);
}

/** Have functions of one name to be told apart? On no side are two of them in
 * different files. Where a file is not known, none is told apart. */
static bool has_namesakes(const struct known *items, size_t n) {
  for (int side = 0; side < DIFF_SIDES; side++) {
    const char *file = NULL;
    for (size_t i = 0; i < n; i++) {
      if (items[i].side != side || items[i].file[0] == '\0')
        continue;
      if (file && strcmp(file, items[i].file) != 0)
        return true;
      file = items[i].file;
    }
  }
  return false;
}

/** Make a row of what is known of one function. */
static int add_row(const struct known *items, size_t n, struct diff *out,
                   struct err *err) {
  struct diff_func *const funcs =
      array_grow(out->funcs, out->n_funcs, &out->max_funcs, sizeof(*funcs));
  uint64_t told[DIFF_SIDES][N_SOURCES] = {{0}};
  bool has_function[DIFF_SIDES] = {false};

  if (!funcs)
    return err_no_memory(err);
  out->funcs = funcs;
  struct diff_func *const func = &funcs[out->n_funcs++];
  *func = (struct diff_func){.name = items[0].name};
  for (size_t i = 0; i < n; i++) {
    const struct known *const item = &items[i];
    func->is_in[item->side] = true;
    if (item->path &&
        (!func->file || (item->source == FUNCTIONS && item->line > 0))) {
      func->file = item->path;
      func->line = item->line;
      func->i_side = item->side;
    }
    has_function[item->side] |= item->source == FUNCTIONS;
    told[item->side][item->source] += item->calls;
    func->self[item->side].time += item->self;
    func->total[item->side].time += item->total;
  }
  for (int side = 0; side < DIFF_SIDES; side++)
    func->calls[side] = has_function[side]        ? told[side][FUNCTIONS]
                        : told[side][SYMBOLS] > 0 ? told[side][SYMBOLS]
                                                  : told[side][CALL_SITES];
  return 0;
}

static int add_rows(const struct known_list *list, struct diff *out,
                    struct err *err) {
  for (size_t i = 0, n; i < list->n; i += n) {
    const struct known *const items = &list->items[i];
    for (n = 1; i + n < list->n && strcmp(items[n].name, items[0].name) == 0;)
      n++;
    if (has_namesakes(items, n))
      for (n = 1; i + n < list->n && compare(&items[n], &items[0], NULL) == 0;)
        n++;
    if (add_row(items, n, out, err) != 0)
      return -1;
  }
  return 0;
}

// --- Objects ---

static int compare_objects(const void *left, const void *right,
                           const void *context) {
  const struct diff_object *a = left, *b = right;

  (void)context;
  return strcmp(a->name, b->name);
}

static int add_object(struct diff *out, const char *name, int i_side,
                      double ticks, struct err *err) {
  struct diff_object *const objects = array_grow(
      out->objects, out->n_objects, &out->max_objects, sizeof(*objects));

  if (!objects)
    return err_no_memory(err);
  out->objects = objects;
  objects[out->n_objects] = (struct diff_object){.name = name};
  objects[out->n_objects++].self[i_side].time = ticks;
  return 0;
}

/** Add the objects of a side: also those that took no time, of which a limit
 * holds. */
static int add_objects(const struct diff_side *side, int i_side,
                       struct diff *out, struct err *err) {
  static const char kernel[] = "<kernel>", kernel_path[] = "[kernel]";
  const struct callgraph *const graph = &side->program.graph;
  const struct inputs *const inputs = &side->program.model.inputs;
  int rc = add_object(out, kernel, i_side, 0, err);

  for (size_t i = 0; rc == 0 && i < inputs->n_sides; i++)
    for (size_t k = 0; rc == 0 && k < inputs->sides[i].n_entries; k++) {
      const struct side_entry *const entry = &inputs->sides[i].entries[k];
      if (!entry->file && strcmp(entry->path, kernel_path) != 0)
        rc = add_object(out, last_part(entry->path), i_side, 0, err);
    }
  for (size_t i = 0; rc == 0 && i < graph->n_symbols; i++) {
    const struct symbol *const symbol = &graph->profile->symtab->symbols[i];
    if (is_outside(symbol) && graph->nodes[i].ticks > 0)
      rc = add_object(out,
                      strcmp(symbol->name, kernel) == 0 ? kernel
                                                        : symbol->object->name,
                      i_side, graph->nodes[i].ticks, err);
  }
  return rc;
}

/** Make one of objects of one name. */
static int join_objects(struct diff *out, struct err *err) {
  struct diff_object *const objects = out->objects;
  size_t n = 0;

  if (merge_sort(objects, out->n_objects, sizeof(*objects), compare_objects,
                 NULL) != 0)
    return err_no_memory(err);
  for (size_t i = 0; i < out->n_objects; i++)
    if (n > 0 && compare_objects(&objects[n - 1], &objects[i], NULL) == 0)
      for (size_t k = 0; k < DIFF_SIDES; k++)
        objects[n - 1].self[k].time += objects[i].self[k].time;
    else
      objects[n++] = objects[i];
  out->n_objects = n;
  return 0;
}

// --- Times ---

/** The number of standard deviations that a normal deviate is beyond with a
 * probability, on either side. */
static double deviations(double probability) {
  double low = 0, high = 40;

  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    if (erfc(middle / sqrt(2)) > probability)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/** Turn samples into units of time, with what they may be off by. The more
 * functions there are, the more of them are off by chance: all together are to
 * be within their bounds 19 times of 20. */
static void set_times(const struct diff_side *side, int i_side,
                      struct diff *out) {
  const struct profile *const profile = &side->program.profile;
  const uint32_t rate_hz = profile->unit.rate_hz;
  const double rate = rate_hz ? rate_hz : 1;
  struct measured looks = side->program.measured;
  size_t n_timed = 0;

  for (size_t i = 0; i < out->n_funcs; i++)
    n_timed += out->funcs[i].self[DIFF_A].time > 0 ||
               out->funcs[i].self[DIFF_B].time > 0;
  // Without stacks nobody tells how many samples came at once: each counts.
  if (looks.total_ticks <= 0)
    looks = (struct measured){.total_ticks = profile->total_ticks,
                              .n_looks = profile->total_ticks};
  const double z = deviations(0.05 / (n_timed ? (double)n_timed : 1));
  for (size_t i = 0; i < out->n_funcs; i++) {
    struct diff_time *const times[] = {&out->funcs[i].self[i_side],
                                       &out->funcs[i].total[i_side]};
    for (size_t k = 0; k < 2; k++) {
      times[k]->error = measured_error_at(&looks, times[k]->time, z) / rate;
      times[k]->time /= rate;
    }
  }
  for (size_t i = 0; i < out->n_objects; i++) {
    struct diff_time *const time = &out->objects[i].self[i_side];
    time->error = measured_error_at(&looks, time->time, z) / rate;
    time->time /= rate;
  }
  out->time[i_side] = profile->total_ticks / rate;
}

int diff_join_funcs(const struct diff_side *sides, struct diff *out,
                    struct err *err) {
  struct known_list list = {0};
  int rc = 0;

  out->is_measured = true;
  for (size_t i = 0; i < out->n_sides; i++)
    out->is_measured =
        out->is_measured && sides[i].program.measured.total_ticks > 0;
  for (size_t i = 0; rc == 0 && i < out->n_sides; i++)
    rc = collect(&sides[i], (int)i, out->is_measured, &list, err);
  if (rc == 0 &&
      merge_sort(list.items, list.n, sizeof(*list.items), compare, NULL) != 0)
    rc = err_no_memory(err);
  if (rc == 0)
    rc = add_rows(&list, out, err);
  for (size_t i = 0; rc == 0 && i < out->n_sides; i++)
    if (sides[i].program.profile.unit.is_known)
      rc = add_objects(&sides[i], (int)i, out, err);
  if (rc == 0)
    rc = join_objects(out, err);
  for (size_t i = 0; rc == 0 && i < out->n_sides; i++) {
    set_times(&sides[i], (int)i, out);
    for (size_t k = 0; k < out->n_funcs; k++)
      out->n_calls[i] += out->funcs[k].calls[i];
  }
  free(list.items);
  return rc;
}
