/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the lines of a source file with their counts, times and calls, as rows
 * of a table.
 */
#ifndef ARCLINE_SOURCE_ROW_H
#define ARCLINE_SOURCE_ROW_H

#include <stdbool.h>

struct html_report;
struct line_facts;
struct page;
struct source_text;

/** The rows of a file. */
struct source_rows {
  const struct html_report *report;
  const struct source_text *text; /* NULL: not found */
  bool is_in_comment;             /* the text before leaves one open */
};

/** Append the rows of the next line: functions that begin there, and it. */
void source_row_add(struct source_rows *rows, const struct line_facts *facts,
                    struct page *page);

/** Append the row of headings. */
void source_row_add_head(const struct html_report *report, struct page *page);

#endif
