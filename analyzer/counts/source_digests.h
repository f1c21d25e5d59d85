/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Compares source files with the texts that were compiled, by the digests that
 * the pass leaves in images. Counts belong to lines of those texts: beside
 * another text they are at wrong lines, and so are comments that exclude code
 * and lines that changed since a revision.
 */
#ifndef ARCLINE_SOURCE_DIGESTS_H
#define ARCLINE_SOURCE_DIGESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct file_table;
struct line_data;
struct source_paths;
struct source_text;

/** Digests of files, by their numbers. All zero is empty. */
struct source_digests {
  struct source_digest *files; /* private */
  uint32_t n_files;
};

/**
 * Add the digests of an image.
 *
 * lines  of the image.
 * files  of its functions. Other files are left out.
 * paths  whose maps name files; or NULL.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int source_digests_add(struct source_digests *digests,
                       const struct line_data *lines,
                       const struct file_table *files,
                       const struct source_paths *paths, struct err *err);

/** Is the text another one than that of which all code of a file was compiled?
 * False if that is not known. */
bool source_digests_differ(const struct source_digests *digests,
                           uint32_t i_file, const struct source_text *text);

/** Is the digest of a file known? */
bool source_digests_have(const struct source_digests *digests, uint32_t i_file);

/** Free; empty ones may be released too. */
void source_digests_release(struct source_digests *digests);

#endif
