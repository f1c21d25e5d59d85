/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Detects and prepares children of fork() and of similar system calls. */
#ifndef ARCLINE_RT_FORK_H
#define ARCLINE_RT_FORK_H

#include <stdbool.h>
#include <stdint.h>

#include "objects/objects.h"

/** Register our handlers of fork() in libc. Runs: startup.
 *
 * in_child  called in a child, with whether it is not to be profiled.
 * dso       the handle by which libc identifies the object of these functions.
 */
void rt_fork_init(void (*in_child)(bool is_off), void *dso);
/** The parent of this process, if it used fork(), or 0. Runs: handler-safe. */
uint32_t rt_fork_parent(void);
/** The calling thread is about to make a process by a call that runs no
 * handlers of fork(): by the system call of that number, if it is not -1. Other
 * numbers are ignored. Runs: handler-safe. */
void rt_fork_expect(long number);
/** If this is such a child, do the work of the handlers; counts since then are
 * kept. Runs: handler-safe. */
void rt_fork_check(void);
/** Zero the counts of an object's own memory, as opposed to that of threads. */
void rt_fork_zero(const struct rt_image *image);

#endif
