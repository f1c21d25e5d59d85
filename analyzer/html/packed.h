/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes data for the scripts of pages: JSON, compressed as gzip does, as text
 * in base64, which is valid in HTML and in a string of a script. The bytes
 * depend on the data alone.
 */
#ifndef ARCLINE_PACKED_H
#define ARCLINE_PACKED_H

#include "base/json.h"
#include "base/out_file.h"

#include <stdint.h>
#include <stdio.h>

struct err;
struct site;

/** Data that is being written. */
struct packed {
  struct json json; /* to write it to */
  FILE *base64;     /* private, as is the next */
  FILE *gzip;
};

/**
 * Begin.
 *
 * under  keeps errors of writing.
 *
 * Returns 0; or -1 with *err set (no memory), and nothing to end.
 */
int packed_begin(struct packed *out, FILE *under, struct err *err);

/** End. */
void packed_end(struct packed *packed);

/** Write a number of any size: as text if a script's numbers are not exact. */
void packed_count(struct packed *packed, const char *key, uint64_t number);

/** Data that is a file, data/NAME.js: `arcline.data.NAME = "..."`. */
struct packed_file {
  struct packed packed;
  struct out_file file;
};

/** Begin such a file. Returns 0; or -1 with *err set, and nothing to end. */
int packed_file_begin(const struct site *site, const char *name,
                      struct packed_file *out, struct err *err);

/** End it; the file is kept if rc, the result of writing its data, is 0.
 * Returns 0, or -1 with *err set. */
int packed_file_end(struct packed_file *file, int rc, struct err *err);

#endif
