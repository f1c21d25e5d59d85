/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Makes the profile of one file: cells and arcs of all threads, added up and
 * solved. */
#ifndef ARCLINE_RT_PROFILE_H
#define ARCLINE_RT_PROFILE_H

#include "objects/objects.h"
#include "solve/solve.h"
#include "timers/trigger.h"
#include "write/sink.h"

struct rt_counters;

/** The contents of one file. */
struct rt_profile {
  const uint8_t *build_id;
  const struct rt_text *texts;
  size_t n_texts;
  unsigned bin_bytes;
  struct rt_clock clock;
  struct solve_arc *arcs; /* merged; before they are solved, with those from
                             sites */
  size_t n_arcs, n_arcs_room;
  struct solve_image image; /* input of the solver */
  struct solver *solver;    /* with blocks, to be read once; or NULL */
  uint64_t *cells; /* in memory, or the object's own; only read by others */
  uint64_t *memory;
  size_t memory_bytes;
  uint64_t *touched; /* as solve_input.touched; in memory, too */
  size_t n_cells;
  uint64_t cells_vaddr;
  uint64_t sum; /* of all cells, arcs and samples */
};

/** Add up the counts of all threads in an object. Returns 0 or -ENOMEM. Call
 * rt_profile_release() afterwards, in any case. */
int rt_profile_collect(const struct rt_object *object, struct rt_profile *out);
/** Like rt_profile_collect(), at the end of the process, by its last dump of
 * the object: the cells may be the object's own, which are no copy. */
int rt_profile_collect_last(const struct rt_object *object,
                            struct rt_profile *out);
/** Are these all counts of the object but samples, where no other thread
 * counts? Runs: exit. */
bool rt_profile_is_original(const struct rt_object *object,
                            const struct rt_profile *profile);
/** Zero the counts of such a profile. */
void rt_profile_zero(const struct rt_object *object,
                     struct rt_profile *profile);
/** Like rt_profile_collect(), but only of these counters, and of the object's
 * own memory only the histograms and the baseline. */
int rt_profile_collect_left(const struct rt_object *object,
                            const struct rt_counters *left,
                            struct rt_profile *out);
/** The `sum` of a profile, without allocating memory. */
uint64_t rt_profile_sum(const struct rt_object *object);
/** Is the `sum` 0? Costs less. */
bool rt_profile_is_zero(const struct rt_object *object);
void rt_profile_release(struct rt_profile *profile);

/* profile_solve.c */

/** The records of an object, as input for the solver. */
void rt_image_for_solver(const struct rt_object *object,
                         struct solve_image *out);
/** Solve the flow equations: cells -> blocks, arcs. Returns 0 or -ENOMEM. */
int rt_profile_solve(const struct rt_object *object, struct rt_profile *out);
/** Add arcs from sites to their callees; solve_sites() explains why. Returns 0
 * or -ENOMEM. */
int rt_profile_fix_sites(const struct rt_object *object,
                         struct rt_profile *out);
/** The arcs of the sites in some bodies, to all of their callees, as
 * rt_profile_fix_sites() adds them, and all others of the profile. Returns 0 or
 * -ENOMEM; the caller frees out->arcs.
 *
 * profile->image  of the object, by rt_image_for_solver().
 * bodies          a bit for each body. */
int rt_profile_site_arcs(const struct rt_object *object,
                         struct rt_profile *profile, const uint64_t *bodies,
                         struct solve_arcs *out);
/** Has a site called this callee yet? Then *end is the callee, as an end of an
 * arc; 0: in no instrumented object. */
bool rt_profile_callee(const struct rt_object *object, size_t i_site,
                       bool is_second, uint64_t *end);
/** Write a whole gmon.out file. profile: a const struct rt_profile, solved.
 * Returns sink->error. Runs: handler-safe. */
int rt_profile_write(const void *profile, struct write_sink *sink);

#endif
