/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes a measure as one gmon file. Nothing wraps: a number too large for its
 * field is spread over several records.
 */
#ifndef ARCLINE_GMON_WRITE_H
#define ARCLINE_GMON_WRITE_H

#include "gmon/gmon_read.h"

struct err;
struct measure;

/** How a file is to be written. */
struct gmon_write_options {
  struct gmon_layout layout;
  enum gmon_format format;
  const uint8_t *build_id; /* for Arcline's mark; NULL: no mark */
  bool is_gnu; /* as GNU gprof: counts wrap, and data that an old format has no
                  room for are lost */
};

/**
 * Write a measure to a file. It is written under another name in the same
 * folder first, and renamed when it is complete: a file at path is replaced as
 * a whole or not at all.
 *
 * Histograms come first, then calls, then all blocks in one record, each in
 * their order in the measure.
 *
 * Returns 0, or -1 with *err set.
 * Errors: an old format that cannot store the measure; disk full; no memory.
 */
int gmon_write(const char *path, const struct measure *measure,
               const struct gmon_write_options *options, struct err *err);

#endif
