/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Maps large files that are read in part only.
 *
 * If such a file is truncated meanwhile, reading the pages that are gone raises
 * SIGBUS; mapped_file_guard() makes that end the process with a message that
 * names the file.
 *
 * The mapping is read-only. There is room before it for headers that replace
 * the file's own, for libraries that need all of a file in one piece.
 */
#ifndef ARCLINE_MAPPED_FILE_H
#define ARCLINE_MAPPED_FILE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/** Stays where it is while it is open. All zero is closed. */
struct mapped_file {
  const uint8_t *bytes; /* NULL: the file is empty */
  size_t n_bytes;
  size_t n_before;          /* private: bytes mapped before these */
  struct err gone;          /* private: message for a truncated file */
  struct mapped_file *next; /* private */
};

/** Prints a sentence and ends the process, by system calls alone: the code that
 * was interrupted may own a lock. */
typedef void mapped_file_end(const char *sentence);

/** Handle SIGBUS from now on; outside of mapped files it still ends the
 * process. */
void mapped_file_guard(mapped_file_end *end);

/**
 * Open a regular file.
 *
 * n_before  zeroed, writable memory right before the file's bytes; an empty
 *           file has none.
 *
 * Returns 0; or -1 with *err set and *out closed.
 */
int mapped_file_open(const char *path, size_t n_before, struct mapped_file *out,
                     struct err *err);

/** Close; a closed file may be closed again. */
void mapped_file_close(struct mapped_file *file);

#endif
