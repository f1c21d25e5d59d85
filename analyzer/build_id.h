/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Does a profile belong to an image? Compares the build-id in Arcline's mark
 * of a gmon file with that of an ELF file.
 *
 * Layer 2, above gmon_read.h and image.h.
 */
#ifndef ARCLINE_BUILD_ID_H
#define ARCLINE_BUILD_ID_H

struct err;
struct gmon_reader;
struct image;

/**
 * Check that a profile was written by an image. A profile without the mark
 * belongs to any.
 *
 * Returns 0, or -1 with *err set: both ids and what to do.
 */
int build_id_check(const struct image *image, const struct gmon_reader *reader,
                   struct err *err);

#endif
