/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Files that are read. Names come from the user and from input that may be
 * hostile, so what is no file is not touched: a device may act when it is
 * opened, or never end; a pipe may wait for its writer for ever.
 */
#ifndef ARCLINE_IN_FILE_H
#define ARCLINE_IN_FILE_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/** What a name may stand for. */
enum in_file_kind {
  IN_FILE_REGULAR, /* a regular file */
  IN_FILE_PIPE,    /* that or a pipe, of which the writer is not waited for */
};

/**
 * Open a file for reading, and nothing else.
 *
 * status  of what was opened.
 *
 * Returns a descriptor, whose reads wait as usual; or -1 with errno set:
 * EISDIR for a folder, EINVAL for all else that is of the wrong kind.
 */
int in_file_open(const char *path, enum in_file_kind kind, struct stat *status);

/**
 * Read until n_bytes are read or the file ends.
 *
 * Returns how many were; or -1 with errno set.
 */
ssize_t in_file_read(int fd, void *bytes, size_t n_bytes);

/** What was wrong, for a message: strerror() but for EINVAL. */
const char *in_file_reason(int error);

#endif
