/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The call stacks of side files (FORMAT.md, 5.2) as trees of functions: as each
 * file has them, and those of all files as one.
 */
#ifndef ARCLINE_STACK_TREE_H
#define ARCLINE_STACK_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct profile;
struct side_join;

/** A frame. Frame 0 is the root of all and no function. */
struct stack_frame {
  uint32_t caller;   /* less than the frame's own index */
  uint32_t i_symbol; /* of the profile; PROFILE_NONE: not known */
  bool is_cut;       /* stands for outer frames that are missing */
  double ticks;      /* of the profile: of stacks that end here */
};

/** All zero is empty. */
struct stack_tree {
  struct stack_frame *frames; /* callers come before what they called */
  size_t n_frames, max_frames;
  double n_looks; /* at the program, that brought the stacks; 0: not told */
};

/**
 * Read the stacks of one side file. Its frames are places in code: a function
 * may be in several that have the same caller.
 *
 * profile  of the program, after side_join_apply().
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty. A file whose
 * samples are not to be added has no frame but the root.
 * Owns:   caller releases *out.
 */
int stack_tree_load(const struct side_join *join, const struct profile *profile,
                    size_t i_side, struct stack_tree *out, struct err *err);

/**
 * Read the stacks of all side files, and join what is the same function called
 * from the same frame.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int stack_tree_load_all(const struct side_join *join,
                        const struct profile *profile, struct stack_tree *out,
                        struct err *err);

/** Free; an empty one may be released too. */
void stack_tree_release(struct stack_tree *tree);

#endif
