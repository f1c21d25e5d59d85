/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** All that goes into one file: cells and arcs of all threads, added up and
 * solved. */
#ifndef ARCLINE_RT_TOTALS_H
#define ARCLINE_RT_TOTALS_H

#include "objects/objects.h"
#include "solve/solve.h"
#include "timers/trigger.h"
#include "write/sink.h"

struct rt_counters;

/** All that goes into one file. */
struct rt_profile {
  const uint8_t *build_id;
  const struct rt_text *texts;
  size_t n_texts;
  unsigned bin_bytes;
  struct rt_clock clock;
  struct solve_arc *arcs; /* merged; until they are solved: those from sites
                             among them */
  size_t n_arcs, n_arcs_room;
  struct solve_image image; /* what was solved, */
  struct solver *solver;    /* and with it blocks, to be taken once; or NULL */
  uint64_t *cells;
  size_t n_cells;
  uint64_t cells_vaddr;
  uint64_t sum; /* of all cells, arcs and samples */
};

/** Add up what all threads have counted in an object.
 * Returns 0 or -ENOMEM. rt_profile_release() afterwards, in any case. */
int rt_profile_collect(const struct rt_object *object, struct rt_profile *out);
/** The same of what these counters have alone; of the object's own memory, only
 * the histograms and the baseline. */
int rt_profile_collect_left(const struct rt_object *object,
                            const struct rt_counters *left,
                            struct rt_profile *out);
/** What sum would be, for less: it takes no memory. */
uint64_t rt_profile_sum(const struct rt_object *object);
void rt_profile_release(struct rt_profile *profile);

/* solved.c */

/** What the solver sees of an object. */
void rt_image_for_solver(const struct rt_object *object,
                         struct solve_image *out);
/** Solve the flow equations: cells -> blocks, arcs. Returns 0 or -ENOMEM. */
int rt_profile_solve(const struct rt_object *object, struct rt_profile *out);
/** Add arcs from sites to their callees; solve_sites() says why. Returns 0 or
 * -ENOMEM. */
int rt_profile_fix_sites(const struct rt_object *object,
                         struct rt_profile *out);
/** Write a whole gmon.out file. profile: a const struct rt_profile, solved.
 * Returns sink->error. Runs: handler-safe. */
int rt_profile_write(const void *profile, struct write_sink *sink);

#endif
