/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Adds the counts of a process to a file that many processes share (%m in
 * out=). */
#ifndef ARCLINE_RT_POOL_H
#define ARCLINE_RT_POOL_H

#include <stdbool.h>

#include "write/sink.h"

/** A profile or a side file to add; write() writes all of its bytes to a sink
 * and returns the sink's error. */
struct rt_pool_part {
  int (*write)(const void *what, struct write_sink *sink);
  const void *what;
  bool is_side;
};

/**
 * Add to the file at path, or create it. Other processes that do so at the same
 * time wait. A process that is killed leaves the file as it was, or with all of
 * the part in it.
 *
 * Returns 0 or a negative errno with the file intact: -RT_EINCOMPATIBLE if the
 * file is damaged or cannot be added to, -ETIMEDOUT if other processes keep it
 * locked, the file system's error if it has no locks. Runs: handler-safe; all
 * signals are blocked.
 */
int rt_pool_add(const char *path, const struct rt_pool_part *part);

#endif
