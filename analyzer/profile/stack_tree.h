/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads the call stacks of side files (FORMAT.md, 5.2) as trees of functions:
 * those of one file, or of all files as one tree.
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
  uint32_t i_symbol; /* of the profile; PROFILE_NONE: unknown */
  uint32_t i_place;  /* by stack_places; without these, and if the place in the
                        function is unknown: i_symbol */
  bool is_cut;       /* replaces outer frames that are missing */
  double ticks;      /* of the profile: of stacks that end here */
};

/** Samples of a thread in a period of the run. */
struct stack_moment {
  uint32_t i_frame; /* that their stacks end in; 0: all samples */
  size_t i_side;
  uint64_t tid;
  double begin, end; /* of the period: seconds since the file's beginning;
                        end: INFINITY, it is unknown */
  double ticks;      /* of the profile */
};

/** All zero is empty. */
struct stack_tree {
  struct stack_frame *frames; /* callers come before their callees */
  size_t n_frames, max_frames;
  double n_stack_signals; /* stack traces that were taken; 0: not recorded */
  double squares; /* of the ticks that each stands for; 0: not recorded */
  struct stack_moment *moments; /* if they were asked for */
  size_t n_moments, max_moments;
};

/** Numbers places within functions, for reports that separate these. find()
 * gets a function and a vaddr in it, of an object of the program; it sets the
 * number of its place, less than PROFILE_NONE - 1 and unique among all
 * functions, and returns 0, or -1 with *err set. */
struct stack_places {
  int (*find)(void *context, uint32_t i_symbol, size_t i_object, uint64_t vaddr,
              uint32_t *i_place, struct err *err);
  void *context;
};

/**
 * Read the stacks of one side file. Its frames are places in code: a function
 * may be in several that have the same caller.
 *
 * profile  of the program, after side_join_apply().
 * places   NULL: functions are not divided.
 * has_moments  read moments, too.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty. A file whose
 * samples are not to be added has no frame but the root.
 * Owns:   caller releases *out.
 */
int stack_tree_load(const struct side_join *join, const struct profile *profile,
                    const struct stack_places *places, bool has_moments,
                    size_t i_side, struct stack_tree *out, struct err *err);

/**
 * Read the stacks of all side files, and join frames of the same function, or
 * the same place in it, that have the same caller.
 *
 * has_moments  read moments, too.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int stack_tree_load_all(const struct side_join *join,
                        const struct profile *profile,
                        const struct stack_places *places, bool has_moments,
                        struct stack_tree *out, struct err *err);

/** Free; an empty one may be released too. */
void stack_tree_release(struct stack_tree *tree);

#endif
