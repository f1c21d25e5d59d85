/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints an archive for `arcline dump`: operands, options and files. */
#ifndef ARCLINE_DUMP_ARCHIVE_H
#define ARCLINE_DUMP_ARCHIVE_H

#include <stdio.h>

struct err;

/** Returns 0; or -1 with *err set: the archive is damaged, or no memory. */
int dump_archive(const char *path, FILE *stream, struct err *err);

#endif
