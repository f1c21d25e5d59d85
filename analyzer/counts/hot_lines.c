/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/hot_lines.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "counts/code_lines.h"
#include "counts/line_counts.h"

#include <stdlib.h>

static int compare_places(const struct flow_line *a,
                          const struct flow_line *b) {
  return a->i_file != b->i_file ? (a->i_file > b->i_file ? 1 : -1)
                                : (a->line > b->line) - (a->line < b->line);
}

static int compare_heat(const void *left, const void *right,
                        const void *context) {
  const struct hot_line *const a = left, *const b = right;
  (void)context;
  if (a->n_samples != b->n_samples)
    return a->n_samples < b->n_samples ? 1 : -1;
  if (a->count != b->count)
    return a->count < b->count ? 1 : -1;
  return compare_places(&a->pos, &b->pos);
}

/** Bring both lists, which are in order, together. */
static void join(const struct line_counts *counts,
                 const struct line_times *times, struct hot_lines *out) {
  size_t i = 0, k = 0;
  while (i < counts->n_lines || k < times->n_lines) {
    const int order =
        i == counts->n_lines ? 1
        : k == times->n_lines
            ? -1
            : compare_places(&counts->lines[i].pos, &times->lines[k].pos);
    struct hot_line line = {.has_count = order <= 0};
    if (order >= 0) {
      line.pos = times->lines[k].pos;
      line.n_samples = times->lines[k++].n_samples;
    }
    if (order <= 0) {
      line.pos = counts->lines[i].pos;
      line.count = counts->lines[i++].count;
    }
    if (line.n_samples > 0 || line.count > 0)
      out->lines[out->n_lines++] = line;
  }
}

int hot_lines_find(const struct line_counts *counts,
                   const struct line_times *times, size_t top,
                   struct hot_lines *out, struct err *err) {
  *out = (struct hot_lines){
      .lines = reallocarray(NULL, counts->n_lines + times->n_lines + 1,
                            sizeof(*out->lines))};
  if (!out->lines)
    return err_no_memory(err);
  join(counts, times, out);
  if (merge_sort(out->lines, out->n_lines, sizeof(*out->lines), compare_heat,
                 NULL)) {
    hot_lines_release(out);
    return err_no_memory(err);
  }
  out->n_all = out->n_lines;
  if (top && out->n_lines > top)
    out->n_lines = top;
  return 0;
}

void hot_lines_release(struct hot_lines *lines) {
  free(lines->lines);
  *lines = (struct hot_lines){0};
}
