/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/line_callers.h"

#include "base/err.h"
#include "counts/line_counts.h"

#include <stdbool.h>
#include <stdlib.h>

/** Functions that begin before the calls that were reached, innermost last. */
struct open_funcs {
  uint32_t *indices;
  size_t n;
};

static bool has_ended(const struct line_func *func,
                      const struct flow_line *pos) {
  return func->pos.i_file != pos->i_file ||
         (func->last_line != 0 && func->last_line < pos->line);
}

static void close_before(struct open_funcs *open,
                         const struct line_counts *counts,
                         const struct flow_line *pos) {
  while (open->n && has_ended(&counts->funcs[open->indices[open->n - 1]], pos))
    open->n--;
}

int line_callers_find(const struct line_counts *counts, uint32_t **out,
                      struct err *err) {
  struct open_funcs open = {NULL, 0};
  size_t i_func = 0;

  *out = NULL;
  if (counts->n_funcs >= LINE_CALLER_NONE)
    return err_no_memory(err);
  open.indices = calloc(counts->n_funcs + 1, sizeof(*open.indices));
  *out = calloc(counts->n_calls + 1, sizeof(**out));
  if (!open.indices || !*out) {
    free(open.indices);
    free(*out);
    *out = NULL;
    return err_no_memory(err);
  }
  // Both are in order of file and line.
  for (size_t i = 0; i < counts->n_calls; i++) {
    const struct flow_line *const pos = &counts->calls[i].pos;
    for (; i_func < counts->n_funcs &&
           flow_line_compare(counts->funcs[i_func].pos, *pos) <= 0;
         i_func++) {
      close_before(&open, counts, &counts->funcs[i_func].pos);
      open.indices[open.n++] = (uint32_t)i_func;
    }
    close_before(&open, counts, pos);
    (*out)[i] = open.n ? open.indices[open.n - 1] : LINE_CALLER_NONE;
  }
  free(open.indices);
  return 0;
}
