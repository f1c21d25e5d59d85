/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads the measured call stacks of a program, for the formats that consist of
 * them.
 */
#ifndef ARCLINE_EXPORT_STACKS_H
#define ARCLINE_EXPORT_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/names.h"
#include "profile/stack_tree.h"

struct err;
struct graph_profile;

/** All zero is empty. */
struct export_stacks {
  const struct graph_profile *program;
  struct stack_tree tree;
  double unit_per_tick; /* of export_stacks_unit() */
  size_t i_waiting;     /* symbol at which stacks of waits end, if has_waits */
  bool has_waits;
  struct names names;
  uint32_t *path; /* of the last requested stack, outermost first */
  size_t n_path;
};

/**
 * Read the stacks of all side files.
 *
 * program  its call graph is built; borrowed until export_stacks_release().
 * places   for frames within functions; NULL: functions are not divided.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller releases *out.
 * Errors: there are none; no memory.
 */
int export_stacks_init(struct export_stacks *out,
                       const struct graph_profile *program,
                       const struct stack_places *places, struct err *err);

/** Unit of the time of stacks: "microseconds"; or "none", if samples are not of
 * time and each is 1. */
const char *export_stacks_unit(const struct export_stacks *stacks);

/** Time of the stacks that end in a frame, in whole units. */
uint64_t export_stacks_time(const struct export_stacks *stacks, size_t i_frame);

/** Does a frame stand for a wait of the thread? Then stacks end there. */
bool export_stacks_is_wait(const struct export_stacks *stacks, size_t i_frame);

/** Name of a frame's function, valid until the next call. */
const char *export_stacks_name(struct export_stacks *stacks, size_t i_frame);

/** Set path to the frames that lead to a frame, and it. */
void export_stacks_find_path(struct export_stacks *stacks, size_t i_frame);

/** Free; an empty one may be released too. */
void export_stacks_release(struct export_stacks *stacks);

#endif
