/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/diff_rank.h"

#include "base/err.h"
#include "diff/diff.h"

#include <math.h>
#include <stdlib.h>

/** A row that is to be sorted. */
struct ranked {
  size_t i;
  double size;
};

static double size_of_counts(const uint64_t *counts) {
  return counts[DIFF_A] == counts[DIFF_B]
             ? 0
             : fabs((double)counts[DIFF_B] - (double)counts[DIFF_A]);
}

static double size_of_times(const struct diff_time *times) {
  return diff_is_change(times) ? fabs(times[DIFF_B].time - times[DIFF_A].time)
                               : 0;
}

static double size_of_line(const struct diff_line *line) {
  return line->line[DIFF_A] && line->line[DIFF_B] ? size_of_counts(line->count)
                                                  : 0;
}

double diff_change_size(const struct diff *diff, enum diff_table table,
                        size_t i_row) {
  switch (table) {
  case DIFF_FUNC_CALLS:
    return size_of_counts(diff->funcs[i_row].calls);
  case DIFF_FUNC_SELF:
    return size_of_times(diff->funcs[i_row].self);
  case DIFF_FUNC_TOTAL:
    return size_of_times(diff->funcs[i_row].total);
  case DIFF_CALLS:
    return size_of_counts(diff->calls[i_row].count);
  default:
    return size_of_line(&diff->lines[i_row]);
  }
}

static int compare(const void *left, const void *right) {
  const struct ranked *const a = left, *const b = right;

  if (a->size != b->size)
    return a->size < b->size ? 1 : -1;
  return (a->i > b->i) - (a->i < b->i);
}

int diff_rank(const struct diff *diff, enum diff_table table,
              struct diff_rank *out, struct err *err) {
  const size_t n = table == DIFF_CALLS   ? diff->n_calls_rows
                   : table == DIFF_LINES ? diff->n_lines
                                         : diff->n_funcs;
  struct ranked *const rows = calloc(n + 1, sizeof(*rows));

  *out = (struct diff_rank){.rows = calloc(n + 1, sizeof(*out->rows))};
  if (!rows || !out->rows) {
    free(rows);
    free(out->rows);
    *out = (struct diff_rank){0};
    return err_no_memory(err);
  }
  for (size_t i = 0; i < n; i++) {
    const double size = diff_change_size(diff, table, i);
    if (size > 0)
      rows[out->n++] = (struct ranked){i, size};
  }
  qsort(rows, out->n, sizeof(*rows), compare);
  for (size_t i = 0; i < out->n; i++)
    out->rows[i] = rows[i].i;
  free(rows);
  return 0;
}
