/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints a pool for `arcline dump`: one line for each count that is not 0, as
 * processes counted it. */
#ifndef ARCLINE_DUMP_POOL_H
#define ARCLINE_DUMP_POOL_H

#include <stdio.h>

struct err;
struct gmon_file;

/** Returns 0; or -1 with *err set: the pool is damaged. */
int dump_pool(const struct gmon_file *file, FILE *stream, struct err *err);

#endif
