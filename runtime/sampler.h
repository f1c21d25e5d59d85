/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Samples of where threads are, and the histograms that they fill. */
#ifndef ARCLINE_RT_SAMPLER_H
#define ARCLINE_RT_SAMPLER_H

#include "threads.h"

enum { RT_DEFAULT_RATE = 100 };

/** What samples stand for, as in the histograms' headers. */
struct rt_clock {
  const char *dimension;
  char abbreviation;
  bool has_samples;
  unsigned rate; /* samples per unit; not 0, since readers divide by it */
};

/** rate: as in hz=. has_handler: take SIGPROF, for commands too. Runs: startup.
 */
void rt_sampler_init(const struct rt_source *source, unsigned rate,
                     bool has_handler);
/** Whether SIGPROF comes to our handler. Runs: handler-safe. */
bool rt_sampler_has_handler(void);
void rt_sampler_release(void); /* exit */
/** Runs: in fork()'s child. */
void rt_sampler_in_child(bool is_inherited);
void rt_sampler_want(bool is_wanted);          /* handler-safe */
bool rt_sampler_is_running(void);              /* handler-safe */
void rt_sampler_reset(void);                   /* handler-safe */
const struct rt_clock *rt_sampler_clock(void); /* handler-safe */
/** How many samples the process's CPU time is worth, if that is what they stand
 * for, and else 0. Runs: handler-safe. */
uint64_t rt_sampler_n_due(void);
void rt_sampler_report(void); /* what samples are missing, if any; exit */
/** tid: of its thread, which may be gone. Runs: hook. */
void rt_sampler_disarm(struct rt_thread *thread, uint32_t tid);
void rt_sampler_end(struct rt_thread *thread); /* the calling one; hook */
void rt_sampler_arm(struct rt_thread *thread); /* the calling one; hook */

#endif
