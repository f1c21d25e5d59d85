/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Compares functions, by name. */
#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "diff/diff_parts.h"
#include "diff/program_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Sources of the number of calls of a function, the best one first. */
enum source {
  FUNCTIONS,  // flow graphs, which have inlined calls
  SYMBOLS,    // the call graph
  CALL_SITES, // flow graphs, by name of the callee: for functions of libraries
  N_SOURCES
};

/** Data of a function from one source on one side. */
struct func_data {
  const char *name;
  const char *file; // its last part; "": unknown
  const char *path;
  const char *program; // NULL: it is a library's, or there is one program
  uint32_t line;
  int side;
  enum source source;
  uint64_t calls;
  double self, total; // in ticks
  bool is_estimate;   // total
};

struct func_data_list {
  struct func_data *items;
  size_t n, max;
};

static const char *last_part(const char *path) {
  const char *const slash = path ? strrchr(path, '/') : NULL;

  return slash ? slash + 1 : path ? path : "";
}

static int add(struct func_data_list *list, const struct func_data *item,
               struct err *err) {
  struct func_data *const items =
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

/** The side that data is collected from. */
struct collecting {
  const struct diff_side *side;
  int i_side;
  const struct program_names *programs; // none: there is one program
  struct func_data_list *list;
};

static const char *program_of(const struct collecting *from, size_t i_object) {
  return from->programs->names ? from->programs->names[i_object] : NULL;
}

/** Functions of flow graphs, as each program has them. */
static int add_function(const struct collecting *from, const char *name,
                        struct flow_line pos, const char *program,
                        uint64_t calls, struct err *err) {
  const struct func_data item = {.name = name,
                                 .path =
                                     from->side->flow.files.names[pos.i_file],
                                 .program = program,
                                 .line = pos.line,
                                 .side = from->i_side,
                                 .source = FUNCTIONS,
                                 .calls = calls};

  return add(from->list, &item, err);
}

static int collect_graphs(const struct collecting *from, struct err *err) {
  const struct flow_data *const flow = &from->side->flow;

  for (size_t i = 0; i < flow->n_images; i++)
    for (size_t k = 0; k < flow->images[i].n_funcs; k++) {
      const struct flow_func *const func =
          &flow->funcs[flow->images[i].first_func + k];
      if (add_function(from, func->name, func->pos, program_of(from, i),
                       func->n_entries, err) != 0)
        return -1;
    }
  return 0;
}

/** Functions of the source, those of one name and line as one. */
static int collect_functions(const struct collecting *from, struct err *err) {
  const struct line_profile *const lines = &from->side->lines;

  if (lines->is_exact)
    return collect_graphs(from, err);
  for (size_t i = 0; i < lines->counts.n_funcs; i++) {
    const struct line_func *const func = &lines->counts.funcs[i];
    if (add_function(from, func->name, func->pos, NULL, func->n_entries, err) !=
        0)
      return -1;
  }
  return 0;
}

static int collect_call_sites(const struct collecting *from, struct err *err) {
  const struct line_counts *const counts = &from->side->lines.counts;

  for (size_t i = 0; i < counts->n_calls; i++) {
    const struct func_data item = {.name = counts->calls[i].callee,
                                   .side = from->i_side,
                                   .source = CALL_SITES,
                                   .calls = counts->calls[i].count};
    if (item.name[0] && add(from->list, &item, err) != 0)
      return -1;
  }
  return 0;
}

static int collect_symbols(const struct collecting *from, bool is_measured,
                           struct err *err) {
  const struct callgraph *const graph = &from->side->program.graph;
  const bool has_call_sites = from->side->lines.counts.n_calls > 0;

  for (size_t i = 0; i < graph->n_symbols; i++) {
    const struct symbol *const symbol = &graph->profile->symtab->symbols[i];
    const struct cg_node *const node = &graph->nodes[i];
    const struct total_time total =
        measured_total(&from->side->program.measured, graph, i);
    const struct func_data item = {
        .name = symbol->name,
        .path = symbol->file,
        .program = symbol->object && !is_outside(symbol)
                       ? program_of(from, symbol->object->i_object)
                       : NULL,
        .line = symbol->line,
        .side = from->i_side,
        .source = SYMBOLS,
        // The function of a library that memcpy() resolves to is recorded only
        // if that library has samples: its name is of no use to count calls.
        .calls = has_call_sites && is_outside(symbol)
                     ? 0
                     : node->calls + node->self_calls,
        .self = node->ticks,
        .total = is_measured ? total.ticks : node->ticks + node->child_ticks,
        .is_estimate = is_measured && total.is_estimate};
    if (add(from->list, &item, err) != 0)
      return -1;
  }
  return 0;
}

static int collect(const struct collecting *from, bool is_measured,
                   struct err *err) {
  return collect_functions(from, err) != 0 ||
                 collect_call_sites(from, err) != 0 ||
                 collect_symbols(from, is_measured, err) != 0
             ? -1
             : 0;
}

static int compare_texts(const char *a, const char *b) {
  return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare(const void *left, const void *right, const void *context) {
  const struct func_data *a = left, *b = right;
  const int order = strcmp(a->name, b->name);

  (void)context;
  return order ? order : strcmp(a->file, b->file);
}

static int compare_programs(const void *left, const void *right,
                            const void *context) {
  const struct func_data *a = left, *b = right;

  (void)context;
  return compare_texts(a->program, b->program);
}

static const char *file_of(const struct func_data *item) {
  return item->file[0] ? item->file : NULL;
}

static const char *program_of_item(const struct func_data *item) {
  return item->program;
}

/** Are functions of one name kept separate? Only if a side has two of them that
 * are known to be in different files or programs. */
static bool
has_namesakes(const struct func_data *items, size_t n,
              const char *(*part_of)(const struct func_data *item)) {
  for (int side = 0; side < DIFF_SIDES; side++) {
    const char *first = NULL;
    for (size_t i = 0; i < n; i++) {
      const char *const part =
          items[i].side == side ? part_of(&items[i]) : NULL;
      if (part && first && strcmp(first, part) != 0)
        return true;
      first = part ? part : first;
    }
  }
  return false;
}

/** Make a row of all data of one function. */
static int add_row(const struct func_data *items, size_t n, struct diff *out,
                   struct err *err) {
  struct diff_func *const funcs =
      array_grow(out->funcs, out->n_funcs, &out->max_funcs, sizeof(*funcs));
  uint64_t by_source[DIFF_SIDES][N_SOURCES] = {{0}};
  bool has_function[DIFF_SIDES] = {false};

  if (!funcs)
    return err_no_memory(err);
  out->funcs = funcs;
  struct diff_func *const func = &funcs[out->n_funcs++];
  *func = (struct diff_func){.name = items[0].name};
  for (size_t i = 0; i < n; i++) {
    const struct func_data *const item = &items[i];
    if (item->path &&
        (!func->file || (item->source == FUNCTIONS && item->line > 0))) {
      func->file = item->path;
      func->line = item->line;
      func->i_side = item->side;
    }
    has_function[item->side] |= item->source == FUNCTIONS;
    by_source[item->side][item->source] += item->calls;
    func->self[item->side].time += item->self;
    func->total[item->side].time += item->total;
    func->is_estimate[item->side] |= item->is_estimate;
  }
  for (int side = 0; side < DIFF_SIDES; side++)
    func->calls[side] = has_function[side] ? by_source[side][FUNCTIONS]
                        : by_source[side][SYMBOLS] > 0
                            ? by_source[side][SYMBOLS]
                            : by_source[side][CALL_SITES];
  return 0;
}

/** How many items from the first one on are equal to it. */
static size_t count_equal(const struct func_data *items, size_t n,
                          merge_sort_compare *compare_items) {
  size_t n_equal = 1;

  while (n_equal < n && compare_items(&items[n_equal], &items[0], NULL) == 0)
    n_equal++;
  return n_equal;
}

/** Drop counts of call sites for names that have functions: which of these was
 * called is unknown. Returns how many are left. */
static size_t drop_call_sites(struct func_data *items, size_t n) {
  bool is_known[DIFF_SIDES] = {false};
  size_t n_kept = 0;

  for (size_t i = 0; i < n; i++)
    is_known[items[i].side] |= items[i].source == FUNCTIONS ||
                               (items[i].source == SYMBOLS && items[i].calls);
  for (size_t i = 0; i < n; i++)
    if (items[i].source != CALL_SITES || !is_known[items[i].side])
      items[n_kept++] = items[i];
  return n_kept;
}

/** Make rows of functions of one name that are in one file, or joined. */
static int add_programs(struct func_data *items, size_t n, struct diff *out,
                        struct err *err) {
  if (!has_namesakes(items, n, program_of_item))
    return add_row(items, n, out, err);
  n = drop_call_sites(items, n);
  if (merge_sort_runs(items, n, sizeof(*items), compare_programs, NULL) != 0)
    return err_no_memory(err);
  for (size_t i = 0, n_equal; i < n; i += n_equal) {
    n_equal = count_equal(&items[i], n - i, compare_programs);
    if (add_row(&items[i], n_equal, out, err) != 0)
      return -1;
    out->funcs[out->n_funcs - 1].program = items[i].program;
  }
  return 0;
}

static int compare_names(const void *left, const void *right,
                         const void *context) {
  (void)context;
  return strcmp(((const struct func_data *)left)->name,
                ((const struct func_data *)right)->name);
}

static int add_rows(const struct func_data_list *list, struct diff *out,
                    struct err *err) {
  for (size_t i = 0, n; i < list->n; i += n) {
    struct func_data *const items = &list->items[i];
    n = count_equal(items, list->n - i, compare_names);
    const bool has_files = has_namesakes(items, n, file_of);
    const size_t n_kept = has_files ? drop_call_sites(items, n) : n;
    for (size_t k = 0, n_equal; k < n_kept; k += n_equal) {
      n_equal =
          has_files ? count_equal(&items[k], n_kept - k, compare) : n_kept;
      if (add_programs(&items[k], n_equal, out, err) != 0)
        return -1;
    }
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

/** Is a library one of instrumented code? Its file may have a longer name. */
static bool is_instrumented(const struct diff_side *side, const char *name) {
  const struct model *const model = &side->model;
  const size_t n = strlen(name);

  for (size_t i = 0; i < model->n_objects; i++)
    if (strncmp(last_part(model->objects[i].image.path), name, n) == 0)
      return true;
  for (size_t i = 0; i < model->inputs.n_sides; i++)
    for (size_t k = 0; k < model->inputs.sides[i].n_entries; k++) {
      const struct side_entry *const entry = &model->inputs.sides[i].entries[k];
      if (entry->file && strncmp(last_part(entry->path), name, n) == 0)
        return true;
    }
  return false;
}

/** The side that libraries are added to. */
struct needing {
  const struct diff_side *side;
  struct diff *out;
  int i_side;
  struct err *err;
};

static int add_needed(void *context, const char *name) {
  const struct needing *const needing = context;

  name = last_part(name);
  return is_instrumented(needing->side, name)
             ? 0
             : add_object(needing->out, name, needing->i_side, 0, needing->err);
}

/** Add the objects of a side, also those without time: gates may have limits
 * for them. Side files list libraries that were instrumented or took samples.
 */
static int add_objects(const struct diff_side *side, int i_side,
                       struct diff *out, struct err *err) {
  static const char kernel[] = "<kernel>", kernel_path[] = "[kernel]";
  const struct callgraph *const graph = &side->program.graph;
  const struct inputs *const inputs = &side->model.inputs;
  struct needing needing = {side, out, i_side, err};
  int rc = inputs->n_sides ? add_object(out, kernel, i_side, 0, err) : 0;

  for (size_t i = 0; rc == 0 && i < inputs->n_sides; i++)
    for (size_t k = 0; rc == 0 && k < inputs->sides[i].n_entries; k++) {
      const struct side_entry *const entry = &inputs->sides[i].entries[k];
      if (strcmp(entry->path, kernel_path) != 0)
        rc = add_object(out, last_part(entry->path), i_side, 0, err);
    }
  for (size_t i = 0; rc == 0 && inputs->n_sides && i < side->model.n_objects;
       i++)
    rc =
        image_visit_needed(&side->model.objects[i].image, add_needed, &needing);
  for (size_t i = 0; rc == 0 && i < graph->n_symbols; i++) {
    const struct symbol *const symbol = &graph->profile->symtab->symbols[i];
    if (symbol->object && graph->nodes[i].ticks > 0)
      rc = add_object(out,
                      strcmp(symbol->name, kernel) == 0
                          ? kernel
                          : last_part(symbol->object->name),
                      i_side, graph->nodes[i].ticks, err);
  }
  return rc;
}

/** Make one of objects of one name. */
static int join_objects(struct diff *out, struct err *err) {
  struct diff_object *const objects = out->objects;
  size_t n = 0;

  if (merge_sort_runs(objects, out->n_objects, sizeof(*objects),
                      compare_objects, NULL) != 0)
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

/** Convert samples to units of time, with their error. The more functions there
 * are, the more of them differ by chance: all together are within their bounds
 * with a probability of 95 %. */
static void set_times(const struct diff_side *side, int i_side,
                      struct diff *out) {
  const struct profile *const profile = &side->program.profile;
  const uint32_t rate_hz = profile->unit.rate_hz;
  const double rate = rate_hz ? rate_hz : 1;
  const struct measured *const measured = &side->program.measured;
  const struct measured of_self =
      measured_sample(measured, profile->total_ticks, true);
  const struct measured of_total =
      measured_sample(measured, profile->total_ticks, false);
  size_t n_timed = 0;

  for (size_t i = 0; i < out->n_funcs; i++)
    n_timed += out->funcs[i].self[DIFF_A].time > 0 ||
               out->funcs[i].self[DIFF_B].time > 0;
  const double z = deviations(0.05 / (n_timed ? (double)n_timed : 1));
  for (size_t i = 0; i < out->n_funcs; i++) {
    struct diff_time *const times[] = {&out->funcs[i].self[i_side],
                                       &out->funcs[i].total[i_side]};
    for (size_t k = 0; k < 2; k++) {
      times[k]->error =
          measured_error_at(k ? &of_total : &of_self, times[k]->time, z) / rate;
      times[k]->time /= rate;
    }
  }
  for (size_t i = 0; i < out->n_objects; i++) {
    struct diff_time *const time = &out->objects[i].self[i_side];
    time->error = measured_error_at(&of_self, time->time, z) / rate;
    time->time /= rate;
  }
  out->time[i_side] = profile->total_ticks / rate;
}

/** Collect the data of both sides, and sort it. */
static int collect_all(const struct diff_side *sides, struct diff *out,
                       struct func_data_list *list, struct err *err) {
  struct program_names programs[DIFF_SIDES] = {{0}};
  bool has_several = false;
  int rc = 0;

  for (size_t i = 0; rc == 0 && i < out->n_sides; i++) {
    rc = program_names_find(&sides[i].model, &programs[i], err);
    has_several = has_several || programs[i].n_programs > 1;
  }
  for (size_t i = 0; rc == 0 && i < out->n_sides; i++) {
    static const struct program_names none;
    const struct collecting from = {&sides[i], (int)i,
                                    has_several ? &programs[i] : &none, list};
    rc = collect(&from, out->is_measured, err);
  }
  for (size_t i = 0; i < DIFF_SIDES; i++)
    program_names_release(&programs[i]);
  if (rc == 0 && merge_sort_runs(list->items, list->n, sizeof(*list->items),
                                 compare, NULL))
    rc = err_no_memory(err);
  return rc;
}

int diff_join_funcs(const struct diff_side *sides, struct diff *out,
                    struct err *err) {
  struct func_data_list list = {0};
  int rc = 0;

  out->is_measured = true;
  for (size_t i = 0; i < out->n_sides; i++)
    out->is_measured =
        out->is_measured && sides[i].program.measured.total_ticks > 0;
  rc = collect_all(sides, out, &list, err);
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
