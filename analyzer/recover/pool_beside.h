/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads the pools beside a side file, and adds the figures that the pool of its
 * first object has in place of lines of the side file.
 */
#ifndef ARCLINE_POOL_BESIDE_H
#define ARCLINE_POOL_BESIDE_H

#include "gmon/side_file.h"

struct err;

/**
 * Read the gmon file of an object, if it is a pool.
 *
 * *path  the caller frees it after the file; NULL: there is no pool.
 *
 * Returns 0; or -1 with *err set. gmon_file_release(out) in any case.
 */
int pool_beside_load(const struct side_file *side,
                     const struct side_entry *entry, struct gmon_file *out,
                     char **path, struct err *err);

/**
 * Add the figures to the bytes of a side file, and read these again.
 *
 * Returns 0; or -1 with *err set: no memory. A pool that cannot be read is left
 * out; its readers report that.
 */
int pool_beside_add_figures(struct side_file *side, struct err *err);

#endif
