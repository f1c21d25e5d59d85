/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** CPU-time timers and the histograms that they fill. */
#ifndef ARCLINE_RT_SAMPLER_H
#define ARCLINE_RT_SAMPLER_H

#include "threads.h"

void rt_sampler_init(unsigned rate_hz);           /* startup */
void rt_sampler_release(void);                    /* exit */
void rt_sampler_in_child(void);                   /* in fork()'s child */
void rt_sampler_want(bool is_wanted);             /* handler-safe */
bool rt_sampler_has_timers(void);                 /* handler-safe */
bool rt_sampler_is_displaced(void);               /* handler-safe */
void rt_sampler_arm(struct rt_thread *thread);    /* the calling one; hook */
void rt_sampler_disarm(struct rt_thread *thread); /* any; hook */

#endif
