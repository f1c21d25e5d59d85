/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts events per thread by the kernel's perf_event_open(), which sends a
 * signal after each period. */
#ifndef ARCLINE_RT_EVENT_H
#define ARCLINE_RT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/** Count on the calling thread, not running yet. *mark: something that no other
 * event has. Returns a descriptor, with a number that the program hardly uses,
 * or a negative errno. Runs: hook. */
int rt_event_open(uint32_t type, uint64_t config, uint64_t period,
                  uint64_t *mark);
/** These do nothing if the program has closed the descriptor. */
void rt_event_close(int fd, uint64_t mark);                /* hook */
void rt_event_run(int fd, uint64_t mark, bool is_running); /* handler-safe */
/** Their number, or -1. Runs: hook. */
int64_t rt_event_count(int fd, uint64_t mark);

#endif
