/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the call stacks of the side file; docs/FORMAT.md, "Call stacks". */
#ifndef ARCLINE_RT_SIDE_STACKS_H
#define ARCLINE_RT_SIDE_STACKS_H

#include "sample/uninstrumented.h"
#include "write/sink.h"

/** Write the records of call stacks, after those of objects.
 *
 * first     index of the first object that is not instrumented.
 * index_of  index of each instrumented object, by its number; n_numbers of
 *           them.
 *
 * Runs: exit, handler-safe. */
void rt_side_put_stacks(struct write_sink *sink,
                        const struct rt_uninstrumented *outside, size_t first,
                        const size_t *index_of, size_t n_numbers);

#endif
