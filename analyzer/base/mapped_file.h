/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Large files of which little is read: mapped, not copied.
 *
 * If somebody makes such a file shorter, what is gone cannot be touched any
 * more: the kernel sends SIGBUS, and mapped_file_guard() has it end the process
 * with a message that names the file.
 *
 * What is mapped cannot be written to. Headers that take the place of the
 * file's own, for libraries that want all of a file in one piece, fit before
 * it.
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
  struct err gone;          /* private: what is said of a shorter file */
  struct mapped_file *next; /* private */
};

/** Ends the process, after a sentence, by system calls alone: whatever was
 * interrupted may hold a lock. */
typedef void mapped_file_end(const char *sentence);

/** Handle SIGBUS from now on; that of somebody else ends the process as ever.
 */
void mapped_file_guard(mapped_file_end *end);

/**
 * Open a regular file.
 *
 * n_before  of memory that is zero and can be written to, right before the
 *           file's bytes; an empty file has none.
 *
 * Returns 0; or -1 with *err set and *out closed.
 */
int mapped_file_open(const char *path, size_t n_before, struct mapped_file *out,
                     struct err *err);

/** Close; a closed file may be closed again. */
void mapped_file_close(struct mapped_file *file);

#endif
