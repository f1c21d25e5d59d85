/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints names, places and lines of source text for the parts of
 * diff_report.h. */
#ifndef ARCLINE_DIFF_REPORT_PARTS_H
#define ARCLINE_DIFF_REPORT_PARTS_H

#include "debug/source.h"
#include "report/diff_report.h"

#include <stdint.h>
#include <stdio.h>

/** The source file that was shown last. */
struct diff_kept_text {
  const char *file;
  struct source_text text;
};

/** State of printing. */
struct diff_page {
  const struct diff *diff;
  const struct diff_report_options *options;
  FILE *out;
  struct diff_kept_text *kept;
};

enum { CELL_BYTES = 48, MAX_TEXT = 60 };

/** Print an arbitrary name: on one line, and in Markdown as code. */
void diff_put_name(const struct diff_page *page, const char *name);

/** Print a function's name as the source has it. */
void diff_put_func(const struct diff_page *page, const char *linkage_name);

void diff_put_place(const struct diff_page *page, const char *file,
                    uint32_t line);

/** A file's name from the root, or else from the user's folder. */
const char *diff_short_name(const struct diff_report_options *options,
                            const char *name);

/** The text of a line, cut to MAX_TEXT bytes; to free(). NULL: it cannot be
 * read, or is empty. */
char *diff_line_text(const struct diff_page *page, const char *file,
                     uint32_t line);

/** Print it after two blanks, if there is any. */
void diff_put_text(const struct diff_page *page, const char *file,
                   uint32_t line);

#endif
