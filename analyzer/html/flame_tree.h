/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Builds the frames of a flame graph: functions below their callers, with the
 * time of each. From measured call stacks; otherwise from the call graph, with
 * the assumption that all calls of a function take equally long.
 */
#ifndef ARCLINE_FLAME_TREE_H
#define ARCLINE_FLAME_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct graph_profile;
struct stack_moment;

struct flame_frame {
  uint32_t caller;   /* less than the frame's own index; frame 0: the root */
  uint32_t i_symbol; /* of the profile; or PROFILE_NONE */
  uint32_t cycle;    /* the frame is this cycle of the call graph; 0: none */
  bool is_cut;       /* replaces outer frames that are missing */
  double self;       /* in samples */
  double total;      /* with all below */
};

/** Callers before their callees. All zero is empty. */
struct flame_tree {
  struct flame_frame *frames;
  size_t n_frames, max_frames;
  bool is_measured;             /* by call stacks */
  struct stack_moment *moments; /* stack_tree.h; none of pools and sums */
  size_t n_moments;
};

/**
 * Make it.
 *
 * program  its call graph is built.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty. Without samples
 * there is the root alone.
 * Owns:   caller releases *out.
 */
int flame_tree_build(const struct graph_profile *program,
                     struct flame_tree *out, struct err *err);

/** Free; an empty one may be released too. */
void flame_tree_release(struct flame_tree *tree);

#endif
