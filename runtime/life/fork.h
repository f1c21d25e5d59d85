/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Children of fork() and of system calls like it. */
#ifndef ARCLINE_RT_FORK_H
#define ARCLINE_RT_FORK_H

#include <stdbool.h>
#include <stdint.h>

#include "objects/objects.h"

/** Have libc call us in fork(). Runs: startup.
 *
 * in_child  called in a child, with whether it is not to be profiled.
 * dso       the object that these functions lie in, as libc knows it. */
void rt_fork_init(void (*in_child)(bool is_off), void *dso);
/** The process that made this one by fork(), or 0. Runs: handler-safe. */
uint32_t rt_fork_parent(void);
/** The calling thread is about to make a process by a call that runs no
 * handlers of fork(), of that number if it is not -1; unless that number is
 * another call's. Runs: handler-safe. */
void rt_fork_expect(long number);
/** Has it? Then do in the child what the handlers would have done; its counts
 * since are kept. Runs: handler-safe. */
void rt_fork_look(void);
/** Zero what an object counts by itself, without a thread's memory. */
void rt_fork_zero(const struct rt_image *image);

#endif
