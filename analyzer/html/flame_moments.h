/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Puts the samples of a flame graph by thread and time into its data: the
 * timeline.
 */
#ifndef ARCLINE_FLAME_MOMENTS_H
#define ARCLINE_FLAME_MOMENTS_H

struct err;
struct flame_tree;
struct graph_profile;
struct json;

/**
 * Put members of an object:
 *
 *   threads  name (null: unknown) and id of each, those with most time first
 *   length   of the timeline, in microseconds
 *   moments  arrays of equal length. thread: its index; from, to: the period;
 *            frame: that the stacks end in, or 0: all samples of the thread in
 *            the period, with and without stack; ticks: thousandths of samples
 *
 * Nothing if the tree has no moments with a time. Returns 0, or -1 with *err
 * set: no memory.
 */
int flame_moments_put(const struct graph_profile *program,
                      const struct flame_tree *tree, struct json *json,
                      struct err *err);

#endif
