/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "diff/diff_parts.h"

#include <string.h>

/** Calls on one side. */
static int add(struct diff *out, const char *caller, const char *callee,
               size_t i_side, uint64_t count, struct err *err) {
  struct diff_call *const calls = array_grow(out->calls, out->n_calls_rows,
                                             &out->max_calls, sizeof(*calls));

  if (!calls)
    return err_no_memory(err);
  out->calls = calls;
  struct diff_call call = {.caller = caller, .callee = callee};
  call.count[i_side] = count;
  calls[out->n_calls_rows++] = call;
  return 0;
}

/** Calls as the source has them: of the function around the line, also where it
 * was inlined into others. */
static int collect(const struct line_counts *counts, size_t i_side,
                   struct diff *out, struct err *err) {
  const struct line_func *func = NULL;
  size_t i_func = 0;

  for (size_t i = 0; i < counts->n_calls; i++) {
    const struct flow_line *const pos = &counts->calls[i].pos;
    // Both are in order of file and line.
    for (; i_func < counts->n_funcs &&
           (counts->funcs[i_func].pos.i_file < pos->i_file ||
            (counts->funcs[i_func].pos.i_file == pos->i_file &&
             counts->funcs[i_func].pos.line <= pos->line));
         i_func++)
      func = &counts->funcs[i_func];
    const bool is_within =
        func && func->pos.i_file == pos->i_file &&
        (func->last_line == 0 || func->last_line >= pos->line);
    if (add(out, is_within ? func->name : "", counts->calls[i].callee, i_side,
            counts->calls[i].count, err) != 0)
      return -1;
  }
  return 0;
}

static int compare(const void *left, const void *right, const void *context) {
  const struct diff_call *a = left, *b = right;
  const int order = strcmp(a->caller, b->caller);

  (void)context;
  return order ? order : strcmp(a->callee, b->callee);
}

int diff_join_calls(const struct diff_side *sides, struct diff *out,
                    struct err *err) {
  size_t n = 0;

  for (size_t i = 0; i < out->n_sides; i++)
    if (collect(&sides[i].lines.counts, i, out, err) != 0)
      return -1;
  if (merge_sort(out->calls, out->n_calls_rows, sizeof(*out->calls), compare,
                 NULL) != 0)
    return err_no_memory(err);
  for (size_t i = 0; i < out->n_calls_rows; i++) {
    const struct diff_call *const call = &out->calls[i];
    if (n == 0 || compare(&out->calls[n - 1], call, NULL) != 0) {
      out->calls[n++] = *call;
      continue;
    }
    out->calls[n - 1].count[DIFF_A] += call->count[DIFF_A];
    out->calls[n - 1].count[DIFF_B] += call->count[DIFF_B];
  }
  out->n_calls_rows = n;
  return 0;
}
