/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Moves the counts of a suite's contexts into its index: solves each pool of a
 * context, records what ran, and removes the pool. Processes may add to pools
 * meanwhile. A pool that was recorded but not removed, since the process was
 * killed, is recorded again, which changes nothing.
 */
#ifndef ARCLINE_CONTEXT_COLLECT_H
#define ARCLINE_CONTEXT_COLLECT_H

#include <stdbool.h>
#include <stddef.h>

struct err;

struct context_collecting {
  const char *folder; /* of the suite */
  const char *images; /* folder to search for images, too; or NULL */
  bool has_lines;     /* of objects that are new in the index */
};

/** All zero is empty. */
struct context_collected {
  size_t n_pools; /* recorded */
  char **left;    /* contexts with a pool that cannot be solved, since its image
                     is gone or was built again; "": processes without one */
  size_t n_left, max_left;
};

/**
 * Returns 0; or -1 with *err set and *out empty. A folder without contexts is
 * no error. The first pool of each image that cannot be solved is warned of.
 * Owns:   caller calls context_collected_release(out).
 * Errors: a folder or index that cannot be read or written, a damaged pool or
 *         index, no memory.
 */
int context_collect(const struct context_collecting *options,
                    struct context_collected *out, struct err *err);

/** Has a suite contexts? */
bool context_folder_is_suite(const char *folder);

/** Make the name of the index of a suite; to free(). NULL: no memory. */
char *context_index_path(const char *folder);

/** Find the index of the suite that a profile is of: in a folder beside it, or,
 * if it is a pool of all contexts, in its own. Returns 0 with *out to free(),
 * NULL if there is none; or -1 with *err set (no memory). */
int context_index_find_beside(const char *profile, char **out, struct err *err);

/** Free; an empty one may be released too. */
void context_collected_release(struct context_collected *collected);

#endif
