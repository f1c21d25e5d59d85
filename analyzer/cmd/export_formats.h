/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines the table of formats of `arcline export`: the writer of each, and the
 * data that it needs.
 */
#ifndef ARCLINE_EXPORT_FORMATS_H
#define ARCLINE_EXPORT_FORMATS_H

#include "export/export.h"
#include "export/export_program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct err;

/** Of lines or of functions: one of the two writers. */
struct export_format {
  const char *name;
  export_writer *write;
  export_program_writer *write_functions;
  bool has_callees;      /* of indirect calls, in write */
  bool has_files;        /* of functions, in write_functions */
  bool is_gzipped;       /* always; others if their file has this name */
  const char *file_name; /* in a folder */
  const char *help;
};

/** The default format. */
extern const struct export_format *const export_format_default;

/** The format of a name; NULL with *err set, which names all that there are. */
const struct export_format *export_formats_find(const char *name,
                                                struct err *err);

/** The name of format i, then "list"; NULL: no more. For completion. */
const char *export_formats_name_at(size_t i);

/** Print a table of them. */
void export_formats_print(FILE *out);

#endif
