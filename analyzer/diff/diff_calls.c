/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Compares calls, by caller and callee. */
#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "counts/line_callers.h"
#include "diff/diff_parts.h"

#include <stdlib.h>
#include <string.h>

/** Calls on one side. */
static int add(struct diff *out, const struct diff_call *added, size_t i_side,
               uint64_t count, struct err *err) {
  struct diff_call *const calls = array_grow(out->calls, out->n_calls_rows,
                                             &out->max_calls, sizeof(*calls));

  if (!calls)
    return err_no_memory(err);
  out->calls = calls;
  struct diff_call call = *added;
  call.count[i_side] = count;
  calls[out->n_calls_rows++] = call;
  return 0;
}

/** Calls as in the source: by the function around the line, even if it was
 * inlined into others. */
static int collect(const struct line_profile *lines, size_t i_side,
                   struct diff *out, struct err *err) {
  const struct line_counts *const counts = &lines->counts;
  uint32_t *callers;

  if (line_callers_find(counts, &callers, err))
    return -1;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < counts->n_calls; i++) {
    const struct line_func *const func =
        callers[i] == LINE_CALLER_NONE ? NULL : &counts->funcs[callers[i]];
    const char *const path =
        func ? lines->flow->files.names[func->pos.i_file] : NULL;
    const char *const slash = path ? strrchr(path, '/') : NULL;
    const struct diff_call call = {.caller = func ? func->name : "",
                                   .file = slash ? slash + 1 : path,
                                   .callee = counts->calls[i].callee};
    rc = add(out, &call, i_side, counts->calls[i].count, err);
  }
  free(callers);
  return rc;
}

static int compare(const void *left, const void *right, const void *context) {
  const struct diff_call *a = left, *b = right;
  const int order = strcmp(a->caller, b->caller);

  (void)context;
  return order ? order : strcmp(a->callee, b->callee);
}

static int compare_files(const void *left, const void *right,
                         const void *context) {
  const struct diff_call *a = left, *b = right;
  const int order = compare(left, right, context);

  if (order || !a->file || !b->file)
    return order ? order : (a->file != NULL) - (b->file != NULL);
  return strcmp(a->file, b->file);
}

/** Do several callers of one name, in different files of one side, make the n
 * calls? */
static bool has_namesakes(const struct diff_call *calls, size_t n) {
  for (size_t side = 0; side < DIFF_SIDES; side++) {
    const char *file = NULL;
    for (size_t i = 0; i < n; i++) {
      if (calls[i].count[side] == 0 || !calls[i].file)
        continue;
      if (file && strcmp(file, calls[i].file) != 0)
        return true;
      file = calls[i].file;
    }
  }
  return false;
}

/** Add up calls of one name from one caller, which are moved to the array's
 * first n rows. */
static void join(struct diff *out, const struct diff_call *calls, size_t n,
                 size_t *n_rows) {
  const bool has_files = has_namesakes(calls, n);

  for (size_t i = 0; i < n; i++) {
    struct diff_call call = calls[i];
    if (!has_files)
      call.file = NULL;
    if (i == 0 || (has_files &&
                   compare_files(&out->calls[*n_rows - 1], &call, NULL) != 0)) {
      out->calls[(*n_rows)++] = call;
      continue;
    }
    out->calls[*n_rows - 1].count[DIFF_A] += call.count[DIFF_A];
    out->calls[*n_rows - 1].count[DIFF_B] += call.count[DIFF_B];
  }
}

int diff_join_calls(const struct diff_side *sides, struct diff *out,
                    struct err *err) {
  size_t n_rows = 0;

  for (size_t i = 0; i < out->n_sides; i++)
    if (collect(&sides[i].lines, i, out, err) != 0)
      return -1;
  if (merge_sort_runs(out->calls, out->n_calls_rows, sizeof(*out->calls),
                      compare_files, NULL) != 0)
    return err_no_memory(err);
  for (size_t i = 0, n; i < out->n_calls_rows; i += n) {
    const struct diff_call *const calls = &out->calls[i];
    for (n = 1;
         i + n < out->n_calls_rows && compare(&calls[0], &calls[n], NULL) == 0;)
      n++;
    join(out, calls, n, &n_rows);
  }
  out->n_calls_rows = n_rows;
  return 0;
}
