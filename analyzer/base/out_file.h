/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes files as a whole or not at all: under a temporary name in the same
 * folder first, renamed when complete.
 */
#ifndef ARCLINE_OUT_FILE_H
#define ARCLINE_OUT_FILE_H

#include <stdio.h>

struct err;

/** A file that is being written. All zero: no file. */
struct out_file {
  FILE *stream; /* keeps the first error until out_file_commit() */
  char *path;
  char *temporary; /* private: NULL if written in place */
};

/**
 * Begin a file.
 *
 * path  NULL or "-": standard output, which main() flushes and checks at the
 *       end. Links are followed. A device or a pipe is written in place.
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
 * Flush a stream, and check all writes to it so far.
 *
 * Returns 0; or the errno of the failure, also of an earlier write. One byte
 *         more may have been written then.
 */
int out_file_flush(FILE *stream);

#endif
