/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * How reports write the name of a symbol.
 */
#ifndef ARCLINE_NAMES_H
#define ARCLINE_NAMES_H

#include <stdbool.h>
#include <stdio.h>

struct err;
struct symbol;

/** Languages whose mangled names are understood. */
enum names_demangle {
  NAMES_RAW,
  NAMES_AUTO,
  NAMES_GNU_V3,
  NAMES_JAVA,
  NAMES_GNAT,
  NAMES_DLANG,
  NAMES_RUST,
};

/** What is written. */
struct name_style {
  enum names_demangle demangle;
  bool has_line;     /* append file, line and address */
  bool has_file;     /* append file and line; has_line goes before */
  bool is_full_path; /* of the file; else its last part only */
};

/** Read the name of a demangling style. Returns 0, or -1 with *err set. */
int names_parse_demangle(const char *text, enum names_demangle *out,
                         struct err *err);

/** Write a symbol's name. Returns the number of bytes written. */
int names_print(const struct name_style *style, const struct symbol *symbol,
                FILE *out);

/** A file name as the style wants it: whole, or its last part. */
const char *names_file(const struct name_style *style, const char *file);

#endif
