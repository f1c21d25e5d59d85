/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/library_times.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "counts/line_counts.h"
#include "model/model.h"
#include "profile/graph_profile.h"

#include <stdlib.h>
#include <string.h>

/** State of the computation. */
struct work {
  struct graph_profile program; // all but profile and measured is borrowed
  double *times; // by symbol: time outside of the program by calls from it
};

/** Make a profile in which inlined functions are part of those around them. */
static int add_profile(const struct graph_profile *program, struct work *work,
                       struct err *err) {
  work->program = (struct graph_profile){.model = program->model,
                                         .sides = program->sides,
                                         .filters = program->filters};
  work->program.sides.find_inlined = NULL;
  if (graph_profile_add(&work->program, PROFILE_OUTSIDE, err) ||
      graph_profile_measure(&work->program, err))
    return -1;
  profile_finish(&work->program.profile);
  return 0;
}

static bool is_outside(const struct symtab *symtab, size_t i_symbol) {
  const struct symtab_object *const object = symtab->symbols[i_symbol].object;
  return !object || object->i_object == MODEL_OUTSIDE;
}

/** Time outside of the program's objects. Time of system calls belongs to the
 * object that made them. */
static double sum_outside(const struct work *work) {
  const struct profile *const profile = &work->program.profile;
  const struct symtab *const symtab = profile->symtab;
  const size_t i_kernel = outside_kernel(&work->program.sides.outside);
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

/** Sum the time of functions that are not instrumented, with their callees of
 * that kind: as call stacks measured it; without stacks, self time and that of
 * system calls. */
static int sum_times(struct work *work, struct err *err) {
  const struct profile *const profile = &work->program.profile;
  const size_t n_symbols = profile->symtab->n_symbols;
  const size_t i_kernel = outside_kernel(&work->program.sides.outside);
  const bool has_stacks = work->program.measured.total_ticks > 0;
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
  const size_t i_symbol = side_join_callee(&work->program.sides, name);
  if (i_symbol >= work->program.profile.symtab->n_symbols)
    return;
  const struct symbol_counts *const counts =
      &work->program.profile.counts[i_symbol];
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

int library_times_load(const struct graph_profile *program,
                       const struct line_counts *counts,
                       struct library_times *out, struct err *err) {
  struct work work = {0};
  *out = (struct library_times){0};
  if (program->model->inputs.n_sides == 0)
    return 0;
  int rc = add_profile(program, &work, err);
  if (rc == 0)
    rc = sum_times(&work, err);
  if (rc == 0)
    rc = add_callees(&work, counts, out, err);
  if (rc == 0)
    out->n_samples_outside = sum_outside(&work);
  free(work.times);
  profile_release(&work.program.profile);
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
