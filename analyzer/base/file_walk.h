/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Walks all files in a folder and its subfolders, in order of names. Names that
 * begin with a dot are skipped, as is everything but regular files. Links to
 * files are followed. Links to folders are not, since they could form a loop. A
 * file with several names is found once. Folders in one named arcline.contexts,
 * which have counts of one context each, are skipped.
 */
#ifndef ARCLINE_FILE_WALK_H
#define ARCLINE_FILE_WALK_H

#include <stddef.h>

struct err;

/** Private; all zero is empty. */
struct file_walk {
  char **paths; /* still to be visited: a stack, however deep folders are */
  size_t n_paths, max_paths;
  char *current;
  void *seen; /* of files: tsearch() */
  int error;  /* of the first folder */
};

/** A file, or a folder that cannot be read. */
struct file_walk_found {
  const char *path; /* until the next one */
  int error;        /* errno of opening the folder; 0: a file */
};

/**
 * Begin with a folder.
 *
 * path  copied.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller calls file_walk_end(out).
 */
int file_walk_begin(const char *path, struct file_walk *out, struct err *err);

/** Find the next one. Returns 1; 0 when there is none; or -1 with *err set (no
 * memory). */
int file_walk_next(struct file_walk *walk, struct file_walk_found *out,
                   struct err *err);

/** Free; an empty one may be ended too. */
void file_walk_end(struct file_walk *walk);

/** Called with a file. Returns 0, or -1 with *err set. */
typedef int file_walk_visit(void *context, const char *path, struct err *err);

/**
 * Visit all files. Folders that cannot be read are skipped, with a warning.
 *
 * n_skipped  their number is added, that of the first folder too. NULL: not
 *            counted, and it is an error if the first one cannot be read.
 *
 * Returns 0; or -1 with *err set (that of the visit; the first folder cannot be
 * read; no memory).
 */
int file_walk_each(const char *folder, file_walk_visit *visit, void *context,
                   size_t *n_skipped, struct err *err);

#endif
