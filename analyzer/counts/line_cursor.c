/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/line_cursor.h"

#include "counts/branch_counts.h"
#include "counts/code_lines.h"
#include "counts/line_counts.h"

/** The line of an element, or UINT32_MAX at the end of a stretch. */
#define LINE_OF(array, i, end) ((i) < (end) ? (array)[i].pos.line : UINT32_MAX)

/** Go over the elements up to a line. Returns the index of the next one. */
#define PASS(array, i, end, line)                                              \
  while ((i) < (end) && (array)[i].pos.line <= (line))                         \
  (i)++

/** The next line with any data, or UINT32_MAX. Instances, branches and
 * decisions are at lines with counts. */
static uint32_t next_line_with_data(const struct line_cursor *cursor) {
  const struct line_counts *const counts = cursor->counts;
  const struct line_stretch *const rest = &cursor->rest;
  const uint32_t lines[] = {
      LINE_OF(counts->lines, rest->first_line, rest->end_line),
      LINE_OF(counts->calls, rest->first_call, rest->end_call),
      LINE_OF(counts->funcs, rest->first_func, rest->end_func),
      LINE_OF(cursor->times->lines, rest->first_time, rest->end_time)};
  uint32_t first = UINT32_MAX;

  for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
    if (lines[i] < first)
      first = lines[i];
  return first;
}

bool line_cursor_next(struct line_cursor *cursor, struct line_facts *out) {
  const struct line_counts *const counts = cursor->counts;
  struct line_stretch *const rest = &cursor->rest;
  const uint32_t data_line = next_line_with_data(cursor);
  uint32_t line = data_line;

  if (cursor->line < cursor->n_lines && cursor->line + 1 < data_line)
    line = cursor->line + 1;
  if (line == UINT32_MAX)
    return false;
  cursor->line = line;
  *out = (struct line_facts){.line = line, .at = *rest};
  if (LINE_OF(counts->lines, rest->first_line, rest->end_line) == line) {
    out->has_count = true;
    out->count = counts->lines[rest->first_line++].count;
  }
  if (LINE_OF(cursor->times->lines, rest->first_time, rest->end_time) == line)
    out->n_samples = cursor->times->lines[rest->first_time++].n_samples;
  PASS(counts->calls, rest->first_call, rest->end_call, line);
  PASS(counts->funcs, rest->first_func, rest->end_func, line);
  PASS(cursor->instances->lines, rest->first_instance, rest->end_instance,
       line);
  PASS(cursor->branches->blocks, rest->first_branch, rest->end_branch, line);
  PASS(cursor->branches->decisions.decisions, rest->first_decision,
       rest->end_decision, line);
  out->at.end_line = rest->first_line;
  out->at.end_call = rest->first_call;
  out->at.end_func = rest->first_func;
  out->at.end_time = rest->first_time;
  out->at.end_instance = rest->first_instance;
  out->at.end_branch = rest->first_branch;
  out->at.end_decision = rest->first_decision;
  return true;
}
