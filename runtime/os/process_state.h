/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Determines whether another process has ended, without consuming the status
 * that wait() would return to the program; and the start time of this process
 * and its limits. Everything is handler-safe. */
#ifndef ARCLINE_RT_PROCESS_STATE_H
#define ARCLINE_RT_PROCESS_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum rt_process_state {
  RT_PROCESS_RUNS,
  RT_PROCESS_WAS_KILLED, /* by a signal */
  RT_PROCESS_HAS_ENDED,  /* by that or in another way */
};

/** The state of the process that had the number pid. One that no process can
 * have takes no system call: it has ended.
 *
 * is_child  it was one of this process.
 * ticks     rt_ticks() at a time when it ran, after which another process may
 *           have got the number, or 0 if unknown. */
enum rt_process_state rt_process_state(uint32_t pid, bool is_child,
                                       uint64_t ticks);
/** The current time, in the unit of rt_own_start_ticks(). */
uint64_t rt_ticks(void);
/** The start time of this process, or 0 if unknown. */
uint64_t rt_own_start_ticks(void);
/** Is the time of a file, since 1970, after the start of this process? An error
 * of two ticks is in favour of it. */
bool rt_is_since_start(const struct timespec *time);
/** Is it before the start of another process? If that is unknown, as of one
 * that has ended: no. The error is in favour of no, too. */
bool rt_is_before_start_of(uint32_t pid, const struct timespec *time);

/** Bytes of address space that this process may use, UINT64_MAX if any. If that
 * cannot be found out, 0. Handler-safe. */
uint64_t rt_address_space(void);
/** Is it, or that for private data, so little that large tables are a harm?
 * Found out once. Runs: startup. */
bool rt_is_address_space_small(void);

#endif
