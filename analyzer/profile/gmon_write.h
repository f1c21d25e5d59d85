/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes a profile as one new-format gmon file. Nothing wraps: what is too
 * large for a field is spread over several records.
 */
#ifndef ARCLINE_GMON_WRITE_H
#define ARCLINE_GMON_WRITE_H

#include "gmon/gmon_read.h"
#include "profile/profile.h"

struct err;

/**
 * Write a profile to a file. It is written under another name in the same
 * folder first, and renamed when it is complete: a file at path is replaced as
 * a whole or not at all.
 *
 * build_id  8 bytes for Arcline's mark in the header; NULL: no mark.
 *
 * Histograms come first, then arcs by caller's address, newest first, then all
 * blocks in one record.
 *
 * Returns 0, or -1 with *err set.
 */
int gmon_write(const char *path, const struct profile *profile,
               struct gmon_layout layout, const uint8_t *build_id,
               struct err *err);

#endif
