/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts samples by thread and time: those of each thread in each period, and
 * at each call stack. Periods get longer with the run, so that there are at
 * most 512 of one length. */
#ifndef ARCLINE_RT_TIMELINE_H
#define ARCLINE_RT_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "solve/arc.h"

/** How much of rt_map_wiped()'s memory the next one takes, in whole pages. */
size_t rt_timeline_bytes(void);
/** Time begins now. Without a call of it nothing is counted. Runs: startup. */
void rt_timeline_init(void);
void rt_timeline_release(void); /* exit */
/** Time begins again, without counts. Runs: in fork()'s child. */
void rt_timeline_in_child(void);
void rt_timeline_reset(void); /* counts become 0; handler-safe */
/** Count samples that a thread gets now.
 *
 * place  of a stack, below 2^20; 0: of any.
 *
 * Runs: hook. */
void rt_timeline_add(uint32_t tid, uint32_t place, uint64_t n_samples);

enum { RT_MOMENT_ANY_WIDTH = 63 }; /* its only period is any time */

/** The samples of a period. */
struct rt_moments {
  struct solve_arc *all; /* sorted; see RT_MOMENT_ */
  size_t n;
  uint64_t began_ns; /* since 1970; 0: nothing is counted */
  size_t n_bytes;
};

/** frame: 1 + index, or 0; period: counted in units of 2^width ns since the
 * beginning. */
#define RT_MOMENT_FRAME(moment) ((uint32_t)((moment)->from >> 32))
#define RT_MOMENT_TID(moment) ((uint32_t)(moment)->from)
#define RT_MOMENT_WIDTH(moment) ((uint32_t)((moment)->self >> 32))
#define RT_MOMENT_PERIOD(moment) ((uint32_t)(moment)->self)

/** Copy all counts; without memory, none. Those of places that have no number
 * are left out. rt_moments_free() afterwards.
 *
 * frames  by place - 1.
 *
 * Runs: handler-safe. */
void rt_timeline_collect(const uint32_t *frames, struct rt_moments *out);
void rt_moments_free(struct rt_moments *moments);

#endif
