/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the parts of an ELF file that no report reads: data of the program, and
 * debug information of variables, macros and frames; of libraries that have no
 * profile all but the names of functions. Copies without these parts have the
 * size, the headers and the build-id of the file.
 */
#ifndef ARCLINE_IMAGE_PARTS_H
#define ARCLINE_IMAGE_PARTS_H

#include "image/image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct image_id {
  uint8_t bytes[IMAGE_BUILD_ID_BYTES];
  size_t n_bytes;
};

struct image_part {
  uint64_t begin, end; /* offsets in the file */
};

/** All zero is empty. */
struct image_parts {
  struct image_part *unread; /* private, as the rest */
  struct image_part *read;   /* may overlap with these */
  size_t n_unread, n_read;
};

/**
 * Find the parts.
 *
 * profiled    build-ids of images that have a profile. Of others, and of their
 *             debug files, names of functions are read alone.
 * n_profiled  0: the file has a profile, whatever its id.
 *
 * All of a file is read that is no ELF file, or is damaged; that is not linked;
 * and of debug information that belongs to its program by a checksum.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller calls image_parts_release(out).
 */
int image_parts_find(const uint8_t *bytes, size_t n_bytes,
                     const struct image_id *profiled, size_t n_profiled,
                     struct image_parts *out, struct err *err);

/** Copy a piece of the file, with zeros for the parts that are not read. */
void image_parts_copy(const struct image_parts *parts, const uint8_t *bytes,
                      uint64_t at, size_t n, uint8_t *out);

/** Free; empty ones may be released too. */
void image_parts_release(struct image_parts *parts);

#endif
