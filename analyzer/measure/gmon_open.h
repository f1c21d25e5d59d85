/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Opens profiles on behalf of an image: in its byte order and pointer width,
 * and only if they are its own, by the build-id in Arcline's mark.
 */
#ifndef ARCLINE_GMON_OPEN_H
#define ARCLINE_GMON_OPEN_H

#include "gmon/gmon_read.h"

#include <stdbool.h>

struct err;
struct image;

/** How numbers are laid out in the image's profiles. */
struct gmon_layout gmon_layout_of(const struct image *image);

/**
 * Read a profile into memory and prepare to read its records.
 *
 * path       "-" for standard input.
 * is_forced  accept a marked profile that another image wrote. One without the
 *            mark is always accepted, with a warning if it does not fit the
 *            image's code.
 *
 * Returns 0; or -1 with *err set and nothing to release.
 * Owns:   caller calls gmon_file_release(file) when done with *reader.
 */
int gmon_open(const struct image *image, const char *path,
              enum gmon_format format, bool is_forced, struct gmon_file *file,
              struct gmon_reader *reader, struct err *err);

#endif
