/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Collects the files of an archive, and writes it: FORMAT.md, 10.
 */
#ifndef ARCLINE_ARCHIVE_CONTENTS_H
#define ARCLINE_ARCHIVE_CONTENTS_H

#include "base/archive.h"
#include "image/image_parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;
struct project_root;

enum archived_kind {
  ARCHIVED_IMAGE,   /* that has a profile */
  ARCHIVED_OTHER,   /* image, or a file of debug information */
  ARCHIVED_PROFILE, /* or a side file */
  ARCHIVED_SOURCE,
};

/** Private. */
struct archived_file {
  char *name; /* absolute and clean */
  char *real; /* the same without links */
  enum archived_kind kind;
};

/** All zero is empty. */
struct archive_contents {
  bool has_sources; /* all of them; otherwise those with comments that exclude
                       code */
  struct archive_words operands, options;
  const struct project_root *root; /* borrowed */
  struct image_id *profiled;       /* of images that have a profile */
  size_t n_profiled;
  size_t n_files[ARCHIVED_SOURCE + 1]; /* that were written */
  uint64_t n_bytes;                    /* of these */
  struct archived_file *files;         /* private from here */
  size_t max_files, n_added;
};

/** Add a file, under a name by which it can be opened now; one that was added
 * before is added once. Returns 0, or -1 with *err set (no memory; the file is
 * gone). */
int archive_contents_add(struct archive_contents *contents, const char *path,
                         enum archived_kind kind, struct err *err);

/** Write the archive; errors of writing stay with the stream. Returns 0; or -1
 * with *err set: a file cannot be read. */
int archive_contents_write(struct archive_contents *contents, FILE *out,
                           struct err *err);

/** Free; empty ones may be released too. */
void archive_contents_release(struct archive_contents *contents);

#endif
