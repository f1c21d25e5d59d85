/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/library_times.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "counts/line_counts.h"
#include "model/model.h"
#include "profile/measured.h"
#include "profile/profile.h"
#include "profile/profile_join.h"
#include "profile/side_join.h"
#include "profile/symspec.h"

#include <stdlib.h>
#include <string.h>

/** The program by functions, for as long as times are computed. */
struct work {
  struct side_join sides;
  struct symspec_tables filters;
  struct profile profile;
  struct measured measured;
  double *times; // by symbol: what calls from the program took outside of it
};

static int add_profile(struct model *model, struct work *work,
                       struct err *err) {
  const struct model_symbols wanted = {0};
  if (model_load_symbols(model, &wanted, err) ||
      side_join_init(&work->sides, model, err) ||
      symspec_resolve(&model->symtab, NULL, 0, &work->filters, err) ||
      profile_init(&work->profile, &model->symtab, &work->filters,
                   PROFILE_JOINED, err))
    return -1;
  for (size_t i = 0; i < model->n_objects; i++)
    if (profile_add(&work->profile, &model->objects[i].measure,
                    &model->objects[i].place, err))
      return -1;
  if (side_join_apply(&work->sides, &work->profile, err) ||
      measured_make(&work->sides, &work->profile, &work->measured, err))
    return -1;
  profile_finish(&work->profile);
  return 0;
}

static bool is_outside(const struct symtab *symtab, size_t i_symbol) {
  const struct symtab_object *const object = symtab->symbols[i_symbol].object;
  return !object || object->i_object == MODEL_OUTSIDE;
}

/** What no object of the program has; what their own system calls took, they
 * have. */
static double sum_outside(const struct work *work) {
  const struct profile *const profile = &work->profile;
  const struct symtab *const symtab = profile->symtab;
  const size_t i_kernel = outside_kernel(&work->sides.outside);
  double n_samples = 0;
  for (size_t i = 0; i < symtab->n_symbols; i++)
    if (is_outside(symtab, i))
      n_samples += profile->counts[i].ticks;
  for (size_t i = 0; i < profile->n_arcs; i++) {
    const struct profile_arc *const arc = &profile->arcs[i];
    if (arc->child == i_kernel && !is_outside(symtab, arc->parent))
      n_samples -= arc->weight;
  }
  return n_samples;
}

/** Sum up what functions that are not instrumented took, and what they called
 * of that kind: as call stacks measured it; else it is their own time and that
 * of their system calls. */
static int sum_times(struct work *work, struct err *err) {
  const struct profile *const profile = &work->profile;
  const size_t n_symbols = profile->symtab->n_symbols;
  const size_t i_kernel = outside_kernel(&work->sides.outside);
  const bool has_stacks = work->measured.total_ticks > 0;
  work->times = calloc(n_symbols + 1, sizeof(*work->times));
  if (!work->times)
    return err_no_memory(err);
  for (size_t i = 0; i < n_symbols && !has_stacks; i++)
    work->times[i] = profile->counts[i].ticks;
  for (size_t i = 0; i < profile->n_arcs; i++) {
    const struct profile_arc *const arc = &profile->arcs[i];
    if (has_stacks && profile->counts[arc->parent].is_counted)
      work->times[arc->child] += arc->weight;
    else if (!has_stacks && arc->child == i_kernel)
      work->times[arc->parent] += arc->weight;
  }
  return 0;
}

/** Sort names and drop repeated ones. */
static int sort_names(const char **names, size_t *n, struct err *err) {
  size_t n_kept = 0;
  if (merge_sort(names, *n, sizeof(*names), sorted_compare_names, NULL))
    return err_no_memory(err);
  for (size_t i = 0; i < *n; i++)
    if (n_kept == 0 || strcmp(names[n_kept - 1], names[i]) != 0)
      names[n_kept++] = names[i];
  *n = n_kept;
  return 0;
}

/** Add a callee if it took time. */
static void add_callee(const struct work *work, const char *name,
                       struct library_times *out) {
  const size_t i_symbol = side_join_callee(&work->sides, name);
  if (i_symbol >= work->profile.symtab->n_symbols)
    return;
  const struct symbol_counts *const counts = &work->profile.counts[i_symbol];
  const uint64_t n_calls = counts->calls + counts->self_calls;
  const double ticks = work->times[i_symbol];
  if (ticks > 0 && n_calls > 0)
    out->callees[out->n_callees++] =
        (struct library_time){name, ticks / (double)n_calls};
}

/** Add all callees that are not among the functions with lines. */
static int add_callees(const struct work *work,
                       const struct line_counts *counts,
                       struct library_times *out, struct err *err) {
  const char **const callees = calloc(counts->n_calls + 1, sizeof(*callees));
  const char **const funcs = calloc(counts->n_funcs + 1, sizeof(*funcs));
  size_t n_callees = 0, n_funcs = 0, i_func = 0;
  out->callees = calloc(counts->n_calls + 1, sizeof(*out->callees));
  int rc = callees && funcs && out->callees ? 0 : err_no_memory(err);
  for (size_t i = 0; rc == 0 && i < counts->n_calls; i++)
    if (counts->calls[i].callee[0])
      callees[n_callees++] = counts->calls[i].callee;
  for (size_t i = 0; rc == 0 && i < counts->n_funcs; i++)
    funcs[n_funcs++] = counts->funcs[i].name;
  if (rc == 0)
    rc = sort_names(callees, &n_callees, err);
  if (rc == 0)
    rc = sort_names(funcs, &n_funcs, err);
  for (size_t i = 0; rc == 0 && i < n_callees; i++) {
    while (i_func < n_funcs && strcmp(funcs[i_func], callees[i]) < 0)
      i_func++;
    if (i_func == n_funcs || strcmp(funcs[i_func], callees[i]) != 0)
      add_callee(work, callees[i], out);
  }
  free(callees);
  free(funcs);
  return rc;
}

int library_times_load(struct model *model, const struct line_counts *counts,
                       struct library_times *out, struct err *err) {
  struct work work = {0};
  *out = (struct library_times){0};
  if (model->inputs.n_sides == 0)
    return 0;
  int rc = add_profile(model, &work, err);
  if (rc == 0)
    rc = sum_times(&work, err);
  if (rc == 0)
    rc = add_callees(&work, counts, out, err);
  if (rc == 0)
    out->n_samples_outside = sum_outside(&work);
  free(work.times);
  profile_release(&work.profile);
  symspec_release(&work.filters);
  side_join_release(&work.sides);
  if (rc)
    library_times_release(out);
  return rc;
}

double library_times_of(const struct library_times *times, const char *name,
                        double n_calls) {
  const size_t i =
      sorted_find(times->callees, times->n_callees, sizeof(*times->callees),
                  &name, sorted_compare_names, NULL);
  return i < times->n_callees ? times->callees[i].n_samples_per_call * n_calls
                              : 0;
}

void library_times_release(struct library_times *times) {
  free(times->callees);
  *times = (struct library_times){0};
}
