/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints a side file for `arcline dump`: each record as a line of words, in
 * file order (FORMAT.md, part 3). Strings are escaped as in the file.
 */
#ifndef ARCLINE_DUMP_SIDE_H
#define ARCLINE_DUMP_SIDE_H

#include <stdio.h>

struct err;
struct gmon_file;

/** Print all records. Returns 0; or -1 with *err set, as side_reader_next()
 * does, with everything before the error printed. */
int dump_side(const struct gmon_file *file, FILE *out, struct err *err);

#endif
