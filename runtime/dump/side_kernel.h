/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Attributes time in system calls to the code that made them, for the side
 * file. */
#ifndef ARCLINE_RT_SIDE_KERNEL_H
#define ARCLINE_RT_SIDE_KERNEL_H

#include "sample/uninstrumented.h"
#include "write/sink.h"

/** Write how many of the samples of the objects' histograms, and of those
 * outside of them, were taken in system calls.
 *
 * objects  the instrumented ones, as they are numbered in the file; the first
 *          that is not instrumented follows them.
 *
 * Runs: exit, handler-safe. */
void rt_side_put_kernel(struct write_sink *sink,
                        const struct rt_uninstrumented *outside,
                        const struct rt_object *const *objects,
                        size_t n_objects);

#endif
