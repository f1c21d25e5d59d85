/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/line_profile.h"

#include "base/array.h"
#include "base/err.h"
#include "base/in_file.h"
#include "base/merge_sort.h"
#include "counts/call_site_addresses.h"
#include "counts/calls_left.h"
#include "counts/indirect_callees.h"
#include "debug/lines.h"
#include "debug/source.h"
#include "gmon/side_read.h"

#include <stdlib.h>
#include <string.h>

// --- Reading ---

/** Open the line tables of all objects. */
static int open_lines(struct line_profile *profile, struct err *err) {
  struct model *const model = profile->model;

  for (size_t i = 0; i < model->n_objects; i++) {
    if (model_open_lines(model, &model->objects[i], err) != 0)
      return -1;
    profile->codes[i] = (struct code_lines){.lines = model->objects[i].lines,
                                            .files = &profile->flow->files};
  }
  profile->has_times = model->unit.is_known;
  if (strcmp(model->unit.dimension, "seconds") == 0)
    profile->rate_hz = model->unit.rate_hz;
  return 0;
}

// --- Counting ---

/** Add the lines of an object without graphs, or without their counters. */
static int add_inexact(struct line_profile *profile, size_t i_object,
                       struct err *err) {
  struct model_object *object = &profile->model->objects[i_object];
  struct line_counts counts;

  if (model_load_own_symbols(object, err) != 0 ||
      code_lines_counts(&profile->codes[i_object], &object->measure,
                        &object->own, &counts, err) != 0)
    return -1;
  const int rc = line_counts_add(&profile->counts, &counts, err);
  line_counts_release(&counts);
  return rc;
}

/** Compute line counts in the best way there is. */
static int count_lines(struct line_profile *profile,
                       struct line_instances *instances, struct err *err) {
  const struct flow_data *const flow = profile->flow;
  size_t n_counted = 0, n_exact = 0;

  for (size_t i = 0; i < flow->n_images; i++) {
    n_counted += flow->images[i].has_blocks;
    n_exact += flow->images[i].is_exact;
  }
  profile->has_counts = n_counted > 0;
  profile->is_exact = n_exact > 0 && n_exact == n_counted;
  if (n_exact > 0 &&
      line_counts_build(flow, &profile->counts,
                        profile->is_exact ? instances : NULL, err) != 0)
    return -1;
  for (size_t i = 0; i < flow->n_images; i++)
    if (!flow->images[i].is_exact && add_inexact(profile, i, err) != 0)
      return -1;
  return source_funcs_build(&profile->counts, &profile->funcs, err);
}

// --- Callees of indirect calls ---

/** Arcs from one object. */
struct arc_list {
  struct callee_arc *arcs;
  size_t n, max;
};

static int add_arc(struct arc_list *list, uint64_t from_vaddr,
                   const struct model_object *callee, uint64_t self_vaddr,
                   bool is_inside, uint64_t count, struct err *err) {
  const size_t i_symbol = symtab_find(&callee->own, self_vaddr);

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
                          .name = callee->own.symbols[i_symbol].name,
                          .count = count};
  return 0;
}

/** Add the arcs that lead out of an object. */
static int add_side_arcs(const struct model *model,
                         const struct side_file *side, size_t i_caller,
                         struct calls_left *left, struct arc_list *list,
                         struct err *err) {
  struct side_reader reader;
  struct side_record record;
  int rc = 0;

  side_reader_begin(&reader, &side->bytes, err);
  while (rc == 0 && side_reader_next(&reader, &record)) {
    if (record.form->kind != SIDE_ARC ||
        model_find_object(model, side, &side->entries[record.arc.i_caller]) !=
            i_caller)
      continue;
    const size_t i_callee =
        model_find_object(model, side, &side->entries[record.arc.i_callee]);
    const uint64_t n =
        i_callee < model->n_objects
            ? calls_left_take(left, i_callee, record.arc.self_vaddr,
                              record.arc.count)
            : 0;
    if (n > 0)
      rc = add_arc(list, record.arc.from_vaddr, &model->objects[i_callee],
                   record.arc.self_vaddr, false, n, err);
  }
  return side_reader_end(&reader) ? -1 : rc;
}

static int compare_arcs(const void *left, const void *right,
                        const void *context) {
  const struct callee_arc *a = left, *b = right;

  (void)context;
  return (a->from_vaddr > b->from_vaddr) - (a->from_vaddr < b->from_vaddr);
}

static int collect_arcs(const struct model *model, size_t i_object,
                        struct calls_left *left, struct arc_list *out,
                        struct err *err) {
  const struct model_object *object = &model->objects[i_object];
  struct measure_call *calls;
  size_t n_calls;
  int rc = measure_calls(&object->measure, &calls, &n_calls, err);

  if (rc != 0)
    return -1;
  for (size_t i = 0; rc == 0 && i < n_calls; i++)
    rc = add_arc(out, calls[i].vaddr, object, calls[i].self_vaddr, true,
                 calls[i].count, err);
  free(calls);
  for (size_t i = 0; rc == 0 && i < model->inputs.n_sides; i++)
    rc =
        add_side_arcs(model, &model->inputs.sides[i], i_object, left, out, err);
  if (rc == 0 &&
      merge_sort(out->arcs, out->n, sizeof(*out->arcs), compare_arcs, NULL))
    rc = err_no_memory(err);
  return rc;
}

static int name_callees(const struct line_profile *profile, size_t i_object,
                        struct calls_left *left, struct line_counts *counts,
                        struct err *err) {
  struct arc_list list = {0};
  struct call_site_addresses places = {0};

  int rc = collect_arcs(profile->model, i_object, left, &list, err);
  if (rc == 0)
    rc = call_site_addresses_find(profile->flow, i_object, &places, err);
  if (rc == 0)
    rc = indirect_callees_name(profile->flow, i_object, &places, list.arcs,
                               list.n, counts, err);
  call_site_addresses_release(&places);
  free(list.arcs);
  return rc;
}

/** Name the callees of indirect calls in some counts of the program. */
static int name_all_callees(struct line_profile *profile,
                            struct line_counts *counts, struct err *err) {
  for (size_t i = 0; i < profile->model->n_objects; i++)
    if (model_load_own_symbols(&profile->model->objects[i], err) != 0)
      return -1;
  struct calls_left left;
  int rc = calls_left_collect(profile->model, &left, err);
  for (size_t i = 0; rc == 0 && i < profile->model->n_objects; i++)
    if (profile->flow->images[i].is_exact)
      rc = name_callees(profile, i, &left, counts, err);
  calls_left_release(&left);
  return rc;
}

int line_profile_name_callees(struct line_profile *profile, struct err *err) {
  return name_all_callees(profile, &profile->counts, err);
}

int line_profile_indirect_calls(struct line_profile *profile,
                                struct line_counts *out, struct err *err) {
  const struct flow_data *const flow = profile->flow;

  *out = (struct line_counts){
      .calls = calloc(flow->n_calls + 1, sizeof(*out->calls))};
  if (!out->calls)
    return err_no_memory(err);
  for (size_t i = 0; i < flow->n_calls; i++)
    if (!flow->calls[i].callee[0])
      out->calls[out->n_calls++] = (struct line_call){
          flow->calls[i].pos, flow->calls[i].callee, flow->calls[i].count};
  if (line_counts_join(out, LINE_COUNTS_SUM, err) == 0 &&
      name_all_callees(profile, out, err) == 0)
    return 0;
  line_counts_release(out);
  return -1;
}

// --- Files of the project ---

/** Does the root have a function, or is there none at all? */
static bool has_func_below(const struct line_profile *profile) {
  const struct source_funcs *const funcs = &profile->funcs;
  for (size_t i = 0; i < funcs->n_funcs; i++)
    if (source_root_has(&profile->filter.root,
                        profile->flow->files.names[funcs->funcs[i].pos.i_file]))
      return true;
  return funcs->n_funcs == 0;
}

/** The folders of images, for files that a build makes outside of the root. */
static int list_folders(struct line_profile *profile, struct err *err) {
  struct source_root *const root = &profile->filter.root;
  const struct model *const model = profile->model;
  profile->folders = calloc(model->n_objects + 1, sizeof(*profile->folders));
  if (!profile->folders)
    return err_no_memory(err);
  root->others = (const char *const *)profile->folders;
  for (size_t i = 0; i < model->n_objects; i++) {
    char *const path = in_file_real(model->objects[i].image.path);
    char *const slash = path ? strrchr(path, '/') : NULL;
    const struct source_root folder = {.folder = path};
    if (slash)
      *slash = '\0';
    // Not one that has the root, and so all that is beside the project.
    if (slash && slash != path && !source_root_has(&folder, root->folder))
      profile->folders[root->n_others++] = path;
    else
      free(path);
  }
  return 0;
}

static void count_outside(struct line_profile *profile) {
  const struct line_counts *const counts = &profile->counts;
  for (size_t i = 0; i < counts->n_lines; i++) {
    const uint32_t i_file = counts->lines[i].pos.i_file;
    if (i > 0 && i_file == counts->lines[i - 1].pos.i_file)
      continue;
    const char *const name = profile->flow->files.names[i_file];
    profile->n_outside +=
        name[0] && source_filter_kind(&profile->filter, name) == SOURCE_OUTSIDE;
  }
}

static int choose_root(struct line_profile *profile, struct err *err) {
  struct source_root *const root = &profile->filter.root;
  profile->filter = *profile->model->inputs.filter;
  if (!root->folder)
    return 0;
  if (!has_func_below(profile)) {
    if (profile->filter.has_all || profile->filter.includes.n_texts > 0)
      return 0;
    if (!root->is_found)
      return err_set(err, ERR_INPUT,
                     "--root=%s: no function of %s is in a file below it; use "
                     "--path-map if it was compiled elsewhere",
                     root->folder, profile->model->objects[0].image.path);
    *root = (struct source_root){0};
    return 0;
  }
  if (root->is_found && list_folders(profile, err) != 0)
    return -1;
  count_outside(profile);
  return 0;
}

// --- Begin and end ---

int line_profile_open(struct model *model, struct flow_data *flow,
                      struct line_profile *out,
                      struct line_instances *instances, struct err *err) {
  if (instances)
    *instances = (struct line_instances){0};
  *out = (struct line_profile){
      .model = model,
      .flow = flow,
      .codes = calloc(model->n_objects, sizeof(*out->codes))};
  int rc = out->codes ? 0 : err_no_memory(err);
  if (rc == 0)
    rc = open_lines(out, err);
  if (rc == 0)
    rc = count_lines(out, instances, err);
  if (rc == 0)
    rc = choose_root(out, err);
  if (rc != 0) {
    line_profile_close(out);
    if (instances)
      line_instances_release(instances);
  }
  return rc;
}

int line_profile_times(struct line_profile *profile, struct line_times *out,
                       struct err *err) {
  *out = (struct line_times){0};
  for (size_t i = 0; i < profile->model->n_objects; i++)
    if (code_lines_add_times(&profile->codes[i],
                             &profile->model->objects[i].measure, out,
                             err) != 0) {
      line_times_release(out);
      return -1;
    }
  return 0;
}

int line_profile_exclude(struct line_profile *profile,
                         struct branch_counts *branches, struct err *err) {
  return excluded_lines_remove(
      &profile->filter, profile->model->inputs.sources, &profile->flow->files,
      &profile->counts, &profile->funcs, branches, &profile->excluded, err);
}

/** Has a file another text than the one that was compiled? A file that cannot
 * be read has not. Returns -1 with *err set (no memory). */
static int has_changed(const struct line_profile *profile, uint32_t i_file,
                       struct err *err) {
  const struct flow_data *const flow = profile->flow;
  const char *const name = flow->files.names[i_file];
  struct source_text text;
  struct err why = {0};
  int reason;
  if (!source_digests_have(&flow->digests, i_file) ||
      !source_filter_has(&profile->filter, name))
    return 0;
  if (source_load(profile->model->inputs.sources, name, &text, &reason, &why)) {
    if (reason != 0)
      return 0;
    *err = why;
    return -1;
  }
  const bool differs = source_digests_differ(&flow->digests, i_file, &text);
  source_release(&text);
  return differs;
}

int line_profile_check_sources(const struct line_profile *profile,
                               struct err *err) {
  const struct line_counts *const counts = &profile->counts;
  const char *first = NULL;
  size_t n_changed = 0;
  for (size_t i = 0; i < counts->n_lines; i++) {
    const uint32_t i_file = counts->lines[i].pos.i_file;
    if (i > 0 && i_file == counts->lines[i - 1].pos.i_file)
      continue;
    const int changed = has_changed(profile, i_file, err);
    if (changed < 0)
      return -1;
    if (changed && n_changed++ == 0)
      first = profile->flow->files.names[i_file];
  }
  if (n_changed == 1)
    warn("%s: source has changed since it was compiled, so counts may be at "
         "wrong lines; build and run the program again, or use the sources "
         "that were compiled",
         first);
  else if (n_changed > 1)
    warn("%s: source has changed since it was compiled, one of %zu such files, "
         "so counts may be at wrong lines; build and run the program again, or "
         "use the sources that were compiled",
         first, n_changed);
  return 0;
}

void line_profile_close(struct line_profile *profile) {
  source_funcs_release(&profile->funcs);
  line_counts_release(&profile->counts);
  for (size_t i = 0; profile->codes && i < profile->model->n_objects; i++)
    code_lines_release(&profile->codes[i]);
  free(profile->codes);
  for (size_t i = 0; profile->folders && i < profile->filter.root.n_others; i++)
    free(profile->folders[i]);
  free(profile->folders);
  *profile = (struct line_profile){0};
}
