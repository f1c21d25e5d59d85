/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads archives of `arcline archive`: a profile with all files that reports
 * of it read, in a tar file that gzip compressed. FORMAT.md, 10.
 *
 * Nothing is unpacked to the file system. in_file_use(&archive->files) makes
 * readers find the files under the names that they had.
 */
#ifndef ARCLINE_ARCHIVE_H
#define ARCLINE_ARCHIVE_H

#include "base/file_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/** The first member, which describes the archive, and the folder of the
 * others. */
#define ARCHIVE_INDEX "arcline-archive"
#define ARCHIVE_FOLDER "files"
enum { ARCHIVE_VERSION = 1 };

/** A list of words. All zero is empty. */
struct archive_words {
  char **list;
  size_t n, max;
};

/** Append a copy of a word. Returns 0, or -1 with *err set (no memory). */
int archive_words_add(struct archive_words *words, const char *word,
                      struct err *err);

/** Free; an empty list may be released too. */
void archive_words_release(struct archive_words *words);

/** All zero is closed. */
struct archive {
  struct file_set files;
  char *root;         /* folder of the project; "": all; NULL: none */
  char *root_alias;   /* its other name; or NULL */
  bool is_root_named; /* by an option */
  struct archive_words operands; /* of a command; at least one */
  struct archive_words options;  /* of it: "NAME" or "NAME=VALUE" */
};

/** Does a file begin as archives do? Other files of gzip do, too. */
bool archive_begins(const uint8_t *bytes, size_t n_bytes);

/**
 * Read an archive, compressed or not.
 *
 * Returns 0; or -1 with *err set and *out closed.
 * Owns:   caller calls archive_close(out).
 * Errors: unreadable; damaged, with the offset in the tar file; another kind of
 *         archive; a name that leads elsewhere; more memory than plausible.
 */
int archive_open(const char *path, struct archive *out, struct err *err);

/** Close; a closed one may be closed too. Its files are not used any more. */
void archive_close(struct archive *archive);

#endif
