/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Files that are written as a whole or not at all: under a temporary name in
 * the same folder first, renamed when complete.
 */
#ifndef ARCLINE_OUT_FILE_H
#define ARCLINE_OUT_FILE_H

#include <stdio.h>

struct err;

/** A file that is being written. All zero is none. */
struct out_file {
  FILE *stream; /* keeps the first error until out_file_commit() */
  char *path;
  char *temporary; /* private: NULL if written in place */
};

/**
 * Begin a file.
 *
 * path  NULL or "-": standard output, of which main() checks the end. Links are
 *       followed. A device or a pipe is written in place.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller releases *out.
 */
int out_file_open(const char *path, struct out_file *out, struct err *err);

/**
 * End a file: it is complete and takes the place of an older one.
 *
 * Returns 0; or -1 with *err set: nothing was changed.
 */
int out_file_commit(struct out_file *out, struct err *err);

/** Free, and drop the file if it was not committed; *out is empty then. */
void out_file_release(struct out_file *out);

/**
 * Write what a stream still holds, and tell whether all went out that was ever
 * put into it.
 *
 * Returns 0; or the errno of why not, also if it was an earlier write that
 *         failed. A byte more may have been written then.
 */
int out_file_flush(FILE *stream);

#endif
