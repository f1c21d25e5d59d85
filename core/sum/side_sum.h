/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Adds up side files of one program (docs/FORMAT.md, 5.3). As with profiles,
 * the bytes follow from the sum alone. Data of one process alone is left out:
 * ids of processes and threads, load biases, the order of objects but for the
 * first one.
 *
 * Freestanding, and safe in signal handlers. */
#ifndef ARCLINE_SUM_SIDE_SUM_H
#define ARCLINE_SUM_SIDE_SUM_H

#include <stdbool.h>

#include "sum/gmon_sum.h"
#include "write/side_form.h"

/** An object of a side file. */
struct sum_object {
  struct side_word build_id; /* hexadecimal, or "-" */
  struct side_word file;     /* base name of its gmon file; "-": it has none */
  struct side_word path;
};

/** How a sum is made; all zero will do but for memory. */
struct sum_side_options {
  struct sum_memory memory;
  /** Put a blank and the name of an object's gmon file, escaped
   * (write_side_word()), in place of the one it has; or NULL. Not called for
   * objects that have none. */
  void (*put_file)(const void *context, const struct sum_object *object,
                   struct write_sink *sink);
  const void *context;
};

/**
 * Add two side files up; either may be empty. The first object of both is the
 * same: the program, or the object in its place. All others may differ.
 *
 * sink  gets the sum; the end of it stays in the buffer.
 *
 * Returns 0; or -1 with *flaw set, and what the sink got is of no use.
 */
int sum_side(const struct sum_file files[2],
             const struct sum_side_options *options, struct write_sink *sink,
             struct sum_flaw *flaw);

#endif
