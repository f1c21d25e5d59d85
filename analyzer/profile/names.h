/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes names of symbols for reports.
 */
#ifndef ARCLINE_NAMES_H
#define ARCLINE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct symtab;

/** Languages whose names are demangled. Those that GNU gprof has options for
 * come first. */
enum names_demangle {
  NAMES_RAW,
  NAMES_AUTO,
  NAMES_GNU_V3,
  NAMES_JAVA,
  NAMES_GNAT,
  NAMES_DLANG,
  NAMES_RUST,
  NAMES_ANY, /* as debug/func_names.h has it */
};

/** Parts of the name to write. */
struct name_style {
  enum names_demangle demangle;
  bool has_line;     /* append file, line and address */
  bool has_file;     /* append file and line; has_line goes before */
  bool is_full_path; /* of the file; otherwise its last part only */
};

/** Read the name of a demangling style. Returns 0, or -1 with *err set. */
int names_parse_demangle(const char *text, enum names_demangle *out,
                         struct err *err);

/**
 * The names of a table's symbols as reports write them. A report writes a name
 * many times over; it is put together once, as far as memory is well spent.
 * All zero is released.
 */
struct names {
  struct name_style style;
  const struct symtab *symtab;
  struct name_text *texts; /* per symbol; private from here */
  size_t kept_bytes;       /* memory of texts that are kept */
  char *loose;             /* the last text that is not */
};

/** Begin. The table is borrowed, and must have its files if the style needs
 * them. Returns 0, or -1 with *err set (no memory). */
int names_init(struct names *names, const struct name_style *style,
               const struct symtab *symtab, struct err *err);

/** A symbol's name, valid until the next call. Without memory, and if it is
 * none of a language, as in the symbol table. */
const char *names_text(struct names *names, size_t i_symbol, size_t *length);

/** Free. */
void names_release(struct names *names);

/** A file name in the form of the style: whole, or its last part. */
const char *names_file(const struct name_style *style, const char *file);

#endif
