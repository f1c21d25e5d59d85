/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Chooses and sorts the functions that a report shows. Part of report.h.
 */
#ifndef ARCLINE_REPORT_ROWS_H
#define ARCLINE_REPORT_ROWS_H

#include "report/report.h"

struct measure_unit;
struct symbol;
struct symbol_counts;

/** Numbers of a function. */
struct report_row {
  uint32_t i_symbol; /* of the graph */
  double self_ticks, total_ticks;
  bool is_estimate; /* total_ticks */
  double propagated_ticks;
  double measured_ticks; /* 0: not measured */
  bool is_off;           /* these two differ by more than chance */
  double wait_ticks;     /* of these: the thread waited */
  uint64_t n_calls;      /* with recursive ones */
};

/** All zero is empty. */
struct report_rows {
  struct report_row *rows;
  size_t n_rows;
  size_t n_hidden; /* left out: too little time, or over the limit of rows */
  double hidden_ticks;
};

/** Total that percentages are of; 0: there are no samples. */
double report_whole(const struct report *report);

/**
 * Choose and sort.
 *
 * top  rows at most; 0: all.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller calls report_rows_release(out).
 */
int report_rows_choose(const struct report *report, size_t top,
                       struct report_rows *out, struct err *err);

/** Free; empty ones may be released too. */
void report_rows_release(struct report_rows *rows);

/** Units of time are shown in this many ticks; its sign, with a blank before
 * it, is appended to titles: " s"; empty for samples. */
double report_unit(const struct measure_unit *unit, char *sign, size_t n_sign);

/** How hot a share of all time is. */
enum screen_style report_highlight(double share);

/** Append a function's name and marks (inlined, cycle) in max_columns; 0: in
 * full. */
void report_add_name(const struct report *report, struct row *row,
                     size_t i_symbol, size_t max_columns);

/** Find file and line of a function, if it has debug information. Returns 0, or
 * -1 with *err set. */
int report_locate(const struct report *report, size_t i_symbol,
                  struct err *err);

#endif
