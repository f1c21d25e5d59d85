/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Adds the side file of a process to that of all processes, beside pools. */
#ifndef ARCLINE_RT_POOL_SIDE_H
#define ARCLINE_RT_POOL_SIDE_H

#include "write/sink.h"

/**
 * Add to the side file at path, or create it. Other processes that do so at the
 * same time wait. A process that is killed leaves the file as it was, or with
 * all of its own in it.
 *
 * write  puts the bytes of the process's own side file into a sink, and returns
 *        the sink's error.
 *
 * Returns 0 or a negative errno as rt_pool_add(), with the file intact. Runs:
 * handler-safe; all signals are blocked.
 */
int rt_pool_side_add(const char *path,
                     int (*write)(const void *what, struct write_sink *sink),
                     const void *what);

#endif
