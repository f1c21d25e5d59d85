/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Brings what side files say into the profile of a program: arcs that cross
 * objects, and time outside of instrumented code (FORMAT.md, part 5).
 */
#ifndef ARCLINE_SIDE_JOIN_H
#define ARCLINE_SIDE_JOIN_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct inputs;
struct model;
struct profile;
struct side_map;

/** All zero is empty. */
struct side_join {
  const struct inputs *inputs;
  struct model *program;
  struct side_map *maps; /* private; one per side file */
};

/**
 * Find out which objects of the side files are which of the program's, and add
 * symbols for the others that took time.
 *
 * program  borrowed until side_join_release(); its symbols are loaded. If it is
 *          forced, an object may have another build-id than its image.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Errors: an image is not the one that was run; no memory.
 */
int side_join_init(struct side_join *out, struct model *program,
                   struct err *err);

/**
 * Add arcs and time.
 *
 * profile  of the program; what was measured in its objects was added.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int side_join_apply(const struct side_join *join, struct profile *profile,
                    struct err *err);

/** Free; an empty one may be released too. */
void side_join_release(struct side_join *join);

#endif
