/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts children of fork() that leave no profile, by reason: each has an
 * entry in memory that it shares with its relatives until it has written. A
 * relative reports the children that are gone and left their entry. */
#ifndef ARCLINE_RT_CHILDREN_H
#define ARCLINE_RT_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>

/** Numbers of processes. */
struct rt_missing {
  uint64_t killed;  /* by a signal */
  uint64_t gone;    /* by that, or in a way that the runtime does not see */
  uint64_t denied;  /* no permission to write their files */
  uint64_t failed;  /* to write, for another reason */
  uint64_t shared;  /* have no file of their own: another replaces it */
  uint64_t running; /* when a relative that waits for none of them ended */
  uint64_t arrived; /* of these, later */
};

/** Before fork(): provide such memory. Runs: handler-safe. */
void rt_children_prepare(void);
/** In a child: take an entry, unless it is not to be profiled. */
void rt_children_begin(bool is_off);
/** This child's counts will be written, whatever ends it. */
void rt_children_save(void);
/** This process has written, or cannot because of error, a negative errno.
 * Runs: handler-safe. */
void rt_children_written(int error);
/** A relative that is gone has left its counts, and this process cannot write
 * them because of error, a negative errno. Runs: handler-safe. */
void rt_children_lose(int error);
/** This process is about to become another program. Runs: handler-safe. */
void rt_children_execute(void);
/** This process ends without writing. is_lost: it has counts, which are lost.
 * Runs: handler-safe. */
void rt_children_end(bool is_lost);
/** Will a relative detect that this process left no profile? Runs:
 * handler-safe. */
bool rt_children_is_detectable(void);
/** Find processes that left no profile; if this one has made none, only its own
 * reports. One thread at a time. Runs: handler-safe.
 *
 * is_last  the process is about to end. */
void rt_children_check(bool is_last);
/** The numbers that were found: of all processes, if they share one file, else
 * by this process. Runs: handler-safe. */
struct rt_missing rt_children_missing(void);

#endif
