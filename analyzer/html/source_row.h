/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The lines of a source file with all that is known of them, one after the
 * other, as rows of a table.
 */
#ifndef ARCLINE_SOURCE_ROW_H
#define ARCLINE_SOURCE_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct annotate_file;
struct html_report;
struct page;
struct source_text;

/** A place in a file. */
struct source_cursor {
  const struct html_report *report;
  const struct annotate_file *file;
  const struct source_text *text; /* NULL: not found */
  uint32_t line;                  /* the present one */
  bool is_in_comment;             /* the text before it leaves one open */
  size_t i_line, i_call, i_func, i_time, i_instance, i_branch; /* next ones */
};

/** What is known of the present line: stretches of arrays. */
struct source_facts {
  bool has_count;
  uint64_t count;
  double n_samples;
  size_t first_call, first_func, first_instance, first_branch;
};

/** Begin before the first line. */
void source_cursor_begin(struct source_cursor *out,
                         const struct html_report *report,
                         const struct annotate_file *file,
                         const struct source_text *text);

/** Go to the next line: of the text, or else the next one that something is
 * known of. Returns false at the end. */
bool source_cursor_next(struct source_cursor *cursor, struct source_facts *out);

/** Append the rows of the present line: functions that begin there, and it. */
void source_row_add(struct source_cursor *cursor,
                    const struct source_facts *facts, struct page *page);

/** Append the row of headings. */
void source_row_add_head(const struct html_report *report, struct page *page);

/** How many columns a row has. */
unsigned source_row_columns(const struct html_report *report);

#endif
