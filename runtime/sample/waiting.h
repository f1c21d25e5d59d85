/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Samples threads that wait, from a thread of the runtime, so that no system
 * call of theirs is interrupted. */
#ifndef ARCLINE_RT_WAITING_H
#define ARCLINE_RT_WAITING_H

#include "threads/threads.h"

/** count: counts samples at a place of the code. Runs: hook. */
void rt_waiting_start(void (*count)(uint64_t pc, uint64_t n));
/** The calling thread ends: samples that are due count at the place of its last
 * wait, or else at pc with the handle of a stack. Runs: hook. */
void rt_waiting_end(struct rt_thread *thread, uint64_t pc, uint32_t stack);
/** While a profile is written no wait is added up, so that all its parts have
 * the same ones; what is missed is added up afterwards. Returns when the last
 * wait is in all parts; after some tenths of a second in any case. */
void rt_waiting_pause(bool wanted);
void rt_waiting_release(void);  /* exit */
void rt_waiting_in_child(void); /* in fork()'s child */

#endif
