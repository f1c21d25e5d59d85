/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the notes of lines besides their counts: callees, branches,
 * conditions, instances, tests. Each kind is a row of one table here,
 * and has a member of the same name in `kinds` of lines.js, which shows it.
 */
#ifndef ARCLINE_SOURCE_NOTES_H
#define ARCLINE_SOURCE_NOTES_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct html_report;
struct line_facts;
struct packed;
struct source_refs;
struct source_text;

/** The lines of a page. All is borrowed. */
struct source_notes {
  const struct html_report *report;
  uint32_t i_file;
  const struct line_facts *facts; /* by row */
  size_t n_facts;
  struct packed *packed;          /* to write to */
  struct source_refs *refs;       /* functions that notes name */
  const struct source_text *text; /* of the file, or NULL */
};

/** Write the object "notes": for each kind an array of [row, ...], of the lines
 * that have one. Returns 0, or -1 with *err set (no memory). */
int source_notes_put(const struct source_notes *notes, struct err *err);

#endif
