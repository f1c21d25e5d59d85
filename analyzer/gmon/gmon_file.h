/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads a profile or side file into memory as a whole. */
#ifndef ARCLINE_GMON_FILE_H
#define ARCLINE_GMON_FILE_H

#include <stddef.h>
#include <stdint.h>

struct err;

/** A whole file in memory. */
struct gmon_file {
  const char *path; /* for messages; "-" is standard input */
  uint8_t *bytes;
  size_t n_bytes;
};

/**
 * Read a whole file into memory.
 *
 * path  kept by pointer; "-" reads standard input. A pipe may be read, too, if
 *       it has a writer already; pipes and devices may yield up to 1 GiB.
 *
 * Returns 0; or -1 with *err set and *out empty.
 */
int gmon_file_load(const char *path, struct gmon_file *out, struct err *err);

/** Free; a released file is empty. */
void gmon_file_release(struct gmon_file *file);

#endif
