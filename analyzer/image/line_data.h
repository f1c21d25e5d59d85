/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads the part of the constant data that is not loaded with the program:
 * lines of functions, by their ids, and their names (arcline/abi.h,
 * ARCLINE_SECTION_LINES).
 */
#ifndef ARCLINE_LINE_DATA_H
#define ARCLINE_LINE_DATA_H

#include "base/map64.h"
#include "solve/numbers.h"

#include <stdbool.h>

struct err;
struct file_table;
struct image;

/** Entries of a section. All zero: there are none. */
struct line_data {
  const char *path;
  const uint8_t *bytes;
  size_t n_bytes;
  size_t n_lines_bytes; /* in entries of functions */
  struct map64 entries; /* id -> offset of its entry */
};

/** The lines and files of a function. */
struct line_entry {
  struct arcline_cursor lines;
  const char *files; /* files_bytes of them, ending in a NUL */
  uint32_t files_bytes;
};

/**
 * Find the entries of an image that has functions: in it, or in its debug file
 * if they were stripped off.
 *
 * Returns 0, or -1 with *err set.
 * Owns:   caller releases *out, after an error, too; the image stays open.
 * Errors: none are there, they are damaged, no memory.
 */
int line_data_open(const struct image *image, struct line_data *out,
                   struct err *err);

/**
 * List the names of files that functions of an image have, of all its units.
 *
 * out  they are added; none if the image has no such section, or those before
 *      damage.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int line_data_list_files(const struct image *image, struct file_table *out,
                         struct err *err);

/** A list of files, and the MD5 digests of their texts as they were compiled.
 */
struct line_digests {
  const char *names; /* n_names_bytes of them, each with a NUL; the first one is
                        empty and has no digest */
  uint32_t n_names_bytes;
  const uint8_t *digests; /* ARCLINE_DIGEST_BYTES each; all 0: unknown */
  size_t n_digests;       /* of the first files */
};

/** Find the next list that has digests, from the offset *at on, which is set to
 * that after it. Each list is found once. Returns false if there is none. */
bool line_data_next_digests(const struct line_data *data, size_t *at,
                            struct line_digests *out);

/** Find the entry of a function. Returns 0, or -1 with *err set: it is missing
 * or its files are. */
int line_data_find(const struct line_data *data, uint64_t id,
                   struct line_entry *out, struct err *err);

/** Find the decisions of a function; empty if it has none, or was not built for
 * MC/DC. */
void line_data_find_decisions(const struct line_data *data, uint64_t id,
                              struct arcline_cursor *out);

/** The name of a string of the constant data: the string itself, unless it was
 * shortened; in the image's memory. NULL with *err set: it is missing. */
const char *line_data_name(const struct line_data *data, const char *string,
                           struct err *err);

void line_data_release(struct line_data *data);

#endif
