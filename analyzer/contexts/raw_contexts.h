/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Lists the pools of a suite's contexts that are not in its index yet
 * (arcline/context_format.h). */
#ifndef ARCLINE_RAW_CONTEXTS_H
#define ARCLINE_RAW_CONTEXTS_H

#include <stddef.h>

struct err;

/** A file that may be a pool. */
struct raw_context {
  const char *base; /* of the path: the same for each pool of an object */
  char *path;
  char *name; /* of the context; "": of processes without one */
};

/** All zero is empty. */
struct raw_contexts {
  struct raw_context *list; /* those of a base one after the other */
  size_t n, max;
};

/**
 * List the files of all contexts, and those of processes without one, which are
 * in the suite's folder itself. Removes folders of contexts that are empty.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls raw_contexts_release(out).
 * Errors: a folder that cannot be read, no memory.
 */
int raw_contexts_find(const char *folder, struct raw_contexts *out,
                      struct err *err);

/** Remove the folders of a file's context that are empty. */
void raw_contexts_remove_folders(const char *path);

/** Free; an empty one may be released too. */
void raw_contexts_release(struct raw_contexts *contexts);

#endif
