/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/line_profile.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "counts/call_places.h"
#include "counts/callees.h"
#include "debug/lines.h"
#include "gmon/side_read.h"
#include "measure/gmon_open.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- Reading ---

static int read_profile(struct line_object *object, const char *path,
                        bool is_forced, struct err *err) {
  struct gmon_file file;
  struct gmon_reader reader;

  if (gmon_open(&object->image, path, GMON_FORMAT_AUTO, is_forced, &file,
                &reader, err) != 0)
    return -1;
  const int rc = measure_add(&object->measure, &reader, err);
  gmon_file_release(&file);
  return rc;
}

/** Read an object's image, graphs and profiles. */
static int read_object(struct line_profile *profile, size_t i_object,
                       struct err *err) {
  const struct input_object *input = &profile->inputs.objects[i_object];
  struct line_object *object = &profile->objects[i_object];

  if (image_open(input->image_path, &object->image, err) != 0 ||
      flow_data_add(&profile->flow, &object->image, err) != 0)
    return -1;
  for (size_t i = 0; i < input->n_profile_paths; i++)
    if (read_profile(object, input->profile_paths[i], profile->is_forced,
                     err) != 0)
      return -1;
  if (measure_finish(&object->measure, err) != 0 ||
      lines_open(input->image_path, 0, &object->lines, err) != 0)
    return -1;
  object->code = (struct code_lines){.lines = object->lines,
                                     .files = &profile->flow.files};
  return 0;
}

/** Samples of objects add up only if they mean the same. */
static int check_units(struct line_profile *profile, struct err *err) {
  const struct measure *first = NULL;

  for (size_t i = 0; i < profile->n_objects; i++) {
    const struct measure *measure = &profile->objects[i].measure;
    if (!measure->has_histogram)
      continue;
    if (first && (measure->rate_hz != first->rate_hz ||
                  strcmp(measure->dimension, first->dimension) != 0))
      return err_set(err, ERR_INPUT,
                     "%s: its samples are %" PRIu32 " %.15s, and those of an "
                     "earlier image %" PRIu32 " %.15s; report them separately",
                     profile->objects[i].image.path, measure->rate_hz,
                     measure->dimension, first->rate_hz, first->dimension);
    if (first)
      continue;
    first = measure;
    profile->has_times = true;
    if (strcmp(measure->dimension, "seconds") == 0)
      profile->rate_hz = measure->rate_hz;
  }
  return 0;
}

// --- Counting ---

/** Hand what was counted to the graphs. */
static void take_cells(struct line_profile *profile, size_t i_object) {
  struct line_object *object = &profile->objects[i_object];
  const struct measure *measure = &object->measure;
  const struct flow_image *image = &profile->flow.images[i_object];
  bool has_block = false;

  for (size_t i = 0; i < measure->n_blocks; i++)
    if (!flow_data_count(&profile->flow, i_object, measure->blocks[i].vaddr,
                         measure->blocks[i].count))
      has_block |= measure->blocks[i].count > 0;
  object->has_counts = measure->n_blocks > 0;
  // Counters are written unless they are 0. So if there are none, either
  // nothing was run, or the profile went through a tool that dropped them.
  object->is_exact = image->n_funcs > 0 && measure->n_blocks > 0 &&
                     (image->has_counts || !has_block);
}

static int load_symbols(struct line_object *object, struct err *err) {
  return object->symtab.n_symbols > 0
             ? 0
             : image_load_symbols(&object->image, 0, NULL, &object->symtab,
                                  err);
}

/** Add the lines of an object without graphs, or without their counters. */
static int add_inexact(struct line_profile *profile, struct line_object *object,
                       struct err *err) {
  struct line_counts counts;

  if (load_symbols(object, err) != 0 ||
      code_lines_counts(&object->code, &object->measure, &object->symtab,
                        &counts, err) != 0)
    return -1;
  const int rc = line_counts_add(&profile->counts, &counts, err);
  line_counts_release(&counts);
  return rc;
}

/** Compute line counts in the best way there is. */
static int count_lines(struct line_profile *profile, struct err *err) {
  size_t n_counted = 0, n_exact = 0;

  for (size_t i = 0; i < profile->n_objects; i++) {
    take_cells(profile, i);
    n_counted += profile->objects[i].has_counts;
    n_exact += profile->objects[i].is_exact;
  }
  profile->has_counts = n_counted > 0;
  profile->is_exact = n_exact > 0 && n_exact == n_counted;
  if (n_exact > 0) {
    if (flow_data_solve(&profile->flow, err) != 0 ||
        line_counts_build(&profile->flow, &profile->counts, err) != 0)
      return -1;
  }
  for (size_t i = 0; i < profile->n_objects; i++)
    if (!profile->objects[i].is_exact &&
        add_inexact(profile, &profile->objects[i], err) != 0)
      return -1;
  return 0;
}

// --- Callees of indirect calls ---

/** Arcs from one object. */
struct arc_list {
  struct callee_arc *arcs;
  size_t n, max;
};

static int add_arc(struct arc_list *list, uint64_t from_vaddr,
                   const struct line_object *callee, uint64_t self_vaddr,
                   bool is_inside, uint64_t count, struct err *err) {
  const size_t i_symbol = symtab_find(&callee->symtab, self_vaddr);

  if (i_symbol == SYMTAB_NONE)
    return 0;
  struct callee_arc *arcs =
      array_grow(list->arcs, list->n, &list->max, sizeof(*arcs));
  if (!arcs)
    return err_no_memory(err);
  list->arcs = arcs;
  arcs[list->n++] =
      (struct callee_arc){.from_vaddr = from_vaddr,
                          .self_vaddr = is_inside ? self_vaddr : 0,
                          .name = callee->symtab.symbols[i_symbol].name,
                          .count = count};
  return 0;
}

/** The object that a side file means by a number, or NULL. */
static const struct line_object *find_object(const struct line_profile *profile,
                                             const struct side_file *side,
                                             size_t i_entry) {
  for (size_t i = 0; i < profile->n_objects; i++)
    if (inputs_is_object(&profile->inputs.objects[i],
                         &profile->objects[i].image, &side->entries[i_entry],
                         profile->is_forced))
      return &profile->objects[i];
  return NULL;
}

/** Add the arcs that lead out of an object. */
static int add_side_arcs(const struct line_profile *profile,
                         const struct side_file *side,
                         const struct line_object *caller,
                         struct arc_list *list, struct err *err) {
  struct side_reader reader;
  struct side_record record;
  int rc = side_reader_init(&reader, &side->bytes, err);

  while (rc == 0) {
    const int more = side_reader_next(&reader, &record, err);
    if (more <= 0) {
      rc = more;
      break;
    }
    if (record.kind != SIDE_ARC ||
        find_object(profile, side, record.arc.i_caller) != caller)
      continue;
    const struct line_object *callee =
        find_object(profile, side, record.arc.i_callee);
    if (callee)
      rc = add_arc(list, record.arc.from_vaddr, callee, record.arc.self_vaddr,
                   false, record.arc.count, err);
  }
  side_reader_release(&reader);
  return rc;
}

static int compare_arcs(const void *left, const void *right,
                        const void *context) {
  const struct callee_arc *a = left, *b = right;

  (void)context;
  return (a->from_vaddr > b->from_vaddr) - (a->from_vaddr < b->from_vaddr);
}

static int collect_arcs(const struct line_profile *profile,
                        const struct line_object *object, struct arc_list *out,
                        struct err *err) {
  const struct measure *measure = &object->measure;
  int rc = 0;

  for (size_t i = 0; rc == 0 && i < measure->n_arcs; i++)
    rc =
        add_arc(out, measure->arcs[i].from_vaddr, object,
                measure->arcs[i].self_vaddr, true, measure->arcs[i].count, err);
  for (size_t i = 0; rc == 0 && i < profile->inputs.n_sides; i++)
    rc = add_side_arcs(profile, &profile->inputs.sides[i], object, out, err);
  if (rc == 0 &&
      merge_sort(out->arcs, out->n, sizeof(*out->arcs), compare_arcs, NULL))
    rc = err_no_memory(err);
  return rc;
}

static int name_callees(struct line_profile *profile, size_t i_object,
                        struct err *err) {
  struct arc_list list = {0};
  struct call_places places = {0};

  int rc = collect_arcs(profile, &profile->objects[i_object], &list, err);
  if (rc == 0)
    rc = call_places_find(&profile->flow, i_object, &places, err);
  if (rc == 0)
    rc = callees_name(&profile->flow, i_object, &places, list.arcs, list.n,
                      &profile->counts, err);
  call_places_release(&places);
  free(list.arcs);
  return rc;
}

int line_profile_name_callees(struct line_profile *profile, struct err *err) {
  for (size_t i = 0; i < profile->n_objects; i++)
    if (load_symbols(&profile->objects[i], err) != 0)
      return -1;
  for (size_t i = 0; i < profile->n_objects; i++)
    if (profile->objects[i].is_exact && name_callees(profile, i, err) != 0)
      return -1;
  return 0;
}

// --- Begin and end ---

int line_profile_open(char **operands, size_t n_operands, bool is_forced,
                      struct line_profile *out, struct err *err) {
  *out = (struct line_profile){.is_forced = is_forced};
  if (inputs_find(operands, n_operands, &out->inputs, err) != 0)
    return -1;
  out->objects = calloc(out->inputs.n_objects, sizeof(*out->objects));
  int rc = out->objects ? 0 : err_no_memory(err);
  for (size_t i = 0; rc == 0 && i < out->inputs.n_objects; i++) {
    out->n_objects++;
    rc = read_object(out, i, err);
  }
  if (rc == 0)
    rc = check_units(out, err);
  if (rc == 0)
    rc = count_lines(out, err);
  if (rc != 0)
    line_profile_close(out);
  return rc;
}

int line_profile_times(struct line_profile *profile, struct line_times *out,
                       struct err *err) {
  *out = (struct line_times){0};
  for (size_t i = 0; i < profile->n_objects; i++)
    if (code_lines_add_times(&profile->objects[i].code,
                             &profile->objects[i].measure, out, err) != 0) {
      line_times_release(out);
      return -1;
    }
  return 0;
}

static void close_object(struct line_object *object) {
  code_lines_release(&object->code);
  symtab_release(&object->symtab);
  lines_close(object->lines);
  measure_release(&object->measure);
  image_close(&object->image);
}

void line_profile_close(struct line_profile *profile) {
  line_counts_release(&profile->counts);
  flow_data_release(&profile->flow);
  for (size_t i = 0; i < profile->n_objects; i++)
    close_object(&profile->objects[i]);
  free(profile->objects);
  inputs_release(&profile->inputs);
  *profile = (struct line_profile){0};
}
