/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the folder of the project that a command runs in: coverage is of the
 * source files below it.
 */
#ifndef ARCLINE_PROJECT_ROOT_H
#define ARCLINE_PROJECT_ROOT_H

#include <stdbool.h>

struct err;

/** All zero: there is none. */
struct project_root {
  char *folder;  /* absolute; "" is the root of the file system */
  char *alias;   /* its other name, with or without symbolic links; or NULL */
  bool is_found; /* rather than named */
};

/**
 * Find the folder.
 *
 * named  by the user, perhaps not there; NULL: the nearest folder from the
 *        working directory upwards that has an arcline.ini, or else a .git.
 *        With ARCLINE_CONFIG, arcline.ini does not matter.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller calls project_root_release(out).
 */
int project_root_find(const char *named, struct project_root *out,
                      struct err *err);

/** Free; an empty one may be released too. */
void project_root_release(struct project_root *root);

#endif
