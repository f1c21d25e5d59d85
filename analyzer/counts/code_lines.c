/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/code_lines.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "counts/line_counts.h"
#include "debug/file_table.h"
#include "debug/lines.h"
#include "debug/source_names.h"
#include "image/symtab.h"
#include "measure/measure.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int code_lines_find(struct code_lines *code, uint64_t vaddr,
                    struct flow_line *out, const char **func, struct err *err) {
  struct line_pos pos;

  *out = (struct flow_line){0};
  lines_find(code->lines, vaddr, &pos);
  if (func)
    *func = pos.func;
  if (pos.i_file == LINES_NO_FILE || pos.line == 0)
    return 0;
  if (pos.i_file >= code->n_file_map) {
    const size_t n = lines_n_files(code->lines);
    uint32_t *map = reallocarray(code->file_map, n, sizeof(*map));
    if (!map)
      return err_no_memory(err);
    memset(map + code->n_file_map, 0, (n - code->n_file_map) * sizeof(*map));
    code->file_map = map;
    code->n_file_map = n;
  }
  if (code->file_map[pos.i_file] == 0) {
    const char *name = lines_file_name(code->lines, pos.i_file);
    // A name that no file can have is as good as none.
    if (strlen(name) > FILE_TABLE_NAME_BYTES)
      return 0;
    if (file_table_add(code->files, NULL, name, &out->i_file, err) != 0)
      return -1;
    code->file_map[pos.i_file] = out->i_file + 1;
  }
  out->i_file = code->file_map[pos.i_file] - 1;
  out->line = pos.line;
  return 0;
}

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_times(const void *left, const void *right,
                         const void *context) {
  const struct line_time *a = left, *b = right;

  (void)context;
  return a->pos.i_file != b->pos.i_file
             ? compare_numbers(a->pos.i_file, b->pos.i_file)
             : compare_numbers(a->pos.line, b->pos.line);
}

static bool is_same_line(struct flow_line a, struct flow_line b) {
  return a.i_file == b.i_file && a.line == b.line;
}

static int add_time(struct line_times *times, struct flow_line pos,
                    double n_samples, struct err *err) {
  if (pos.line == 0) {
    times->n_samples_lost += n_samples;
    return 0;
  }
  if (times->n_lines > 0 &&
      is_same_line(times->lines[times->n_lines - 1].pos, pos)) {
    times->lines[times->n_lines - 1].n_samples += n_samples;
    return 0;
  }
  struct line_time *lines = array_grow(times->lines, times->n_lines,
                                       &times->max_lines, sizeof(*lines));
  if (!lines)
    return err_no_memory(err);
  times->lines = lines;
  lines[times->n_lines++] = (struct line_time){pos, n_samples};
  return 0;
}

/** Context of spreading bins over lines. */
struct spread {
  struct code_lines *code;
  struct line_times *out;
};

static int spread_samples(void *context, uint64_t vaddr, double n_samples,
                          struct err *err) {
  const struct spread *const spread = context;
  struct flow_line pos;

  return code_lines_find(spread->code, vaddr, &pos, NULL, err) ||
                 add_time(spread->out, pos, n_samples, err)
             ? -1
             : 0;
}

int code_lines_add_times(struct code_lines *code, const struct measure *measure,
                         struct line_times *out, struct err *err) {
  struct spread spread = {code, out};
  size_t n = 0;

  for (size_t i = 0; i < measure->n_histograms; i++) {
    const struct bins *const bins = &measure->histograms[i];
    if (bins_spread(bins, spread_samples, &spread, err))
      return -1;
    for (size_t k = 0; k < bins->n_filled; k++)
      out->n_samples += (double)bins->filled[k].count;
  }
  if (merge_sort(out->lines, out->n_lines, sizeof(*out->lines), compare_times,
                 NULL) != 0)
    return err_no_memory(err);
  for (size_t i = 0; i < out->n_lines; i++)
    if (n > 0 && is_same_line(out->lines[n - 1].pos, out->lines[i].pos))
      out->lines[n - 1].n_samples += out->lines[i].n_samples;
    else
      out->lines[n++] = out->lines[i];
  out->n_lines = n;
  return 0;
}

void line_times_release(struct line_times *times) {
  free(times->lines);
  *times = (struct line_times){0};
}

static int count_blocks(struct code_lines *code, const struct measure *measure,
                        struct line_counts *out, struct err *err) {
  for (size_t i = 0; i < measure->n_blocks; i++) {
    struct line_count *line = &out->lines[out->n_lines];
    if (code_lines_find(code, measure->blocks[i].vaddr, &line->pos, NULL,
                        err) != 0)
      return -1;
    line->count = measure->blocks[i].count;
    out->n_lines += line->pos.line != 0;
  }
  return 0;
}

/** List the calls, and in calls_of how often each symbol was called. */
static int count_calls(struct code_lines *code,
                       const struct measure_call *calls, size_t n_calls,
                       const struct symtab *symtab, uint64_t *calls_of,
                       struct line_counts *out, struct err *err) {
  out->calls = reallocarray(NULL, n_calls + 1, sizeof(*out->calls));
  if (!out->calls)
    return err_no_memory(err);
  for (size_t i = 0; i < n_calls; i++) {
    const size_t i_symbol = symtab_find(symtab, calls[i].self_vaddr);
    struct line_call *call = &out->calls[out->n_calls];
    if (i_symbol == SYMTAB_NONE)
      continue;
    calls_of[i_symbol] += calls[i].count;
    if (code_lines_find(code, calls[i].vaddr, &call->pos, NULL, err) != 0)
      return -1;
    call->callee = symtab->symbols[i_symbol].name;
    call->count = calls[i].count;
    out->n_calls += call->pos.line != 0;
  }
  return 0;
}

/** Functions that have blocks count as well: they were not called. */
static void mark_blocks(const struct measure *measure,
                        const struct symtab *symtab, bool *is_known) {
  for (size_t i = 0; i < measure->n_blocks; i++) {
    const size_t i_symbol = symtab_find(symtab, measure->blocks[i].vaddr);
    if (i_symbol != SYMTAB_NONE)
      is_known[i_symbol] = true;
  }
}

static int list_funcs(struct code_lines *code, const struct symtab *symtab,
                      const uint64_t *calls_of, const bool *is_known,
                      struct line_counts *out, struct err *err) {
  for (size_t i = 0; i < symtab->n_symbols; i++) {
    struct line_func *func = &out->funcs[out->n_funcs];
    if (!is_known[i] && calls_of[i] == 0)
      continue;
    *func = (struct line_func){
        .name = symtab->symbols[i].name,
        .n_entries = calls_of[i],
        .is_made = source_name_is_made(symtab->symbols[i].name)};
    if (code_lines_find(code, symtab->symbols[i].vaddr, &func->pos, NULL,
                        err) != 0)
      return -1;
    out->n_funcs += func->pos.line != 0;
  }
  return 0;
}

int code_lines_counts(struct code_lines *code, const struct measure *measure,
                      const struct symtab *symtab, struct line_counts *out,
                      struct err *err) {
  uint64_t *calls_of = calloc(symtab->n_symbols + 1, sizeof(*calls_of));
  bool *is_known = calloc(symtab->n_symbols + 1, sizeof(*is_known));
  struct measure_call *calls = NULL;
  size_t n_calls;
  int rc = -1;

  *out = (struct line_counts){0};
  out->lines = reallocarray(NULL, measure->n_blocks + 1, sizeof(*out->lines));
  out->funcs = reallocarray(NULL, symtab->n_symbols + 1, sizeof(*out->funcs));
  if (!calls_of || !is_known || !out->lines || !out->funcs) {
    err_no_memory(err);
    goto out;
  }
  mark_blocks(measure, symtab, is_known);
  if (count_blocks(code, measure, out, err) != 0 ||
      measure_calls(measure, &calls, &n_calls, err) != 0 ||
      count_calls(code, calls, n_calls, symtab, calls_of, out, err) != 0 ||
      list_funcs(code, symtab, calls_of, is_known, out, err) != 0)
    goto out;
  rc = line_counts_join(out, LINE_COUNTS_MAX, err);
out:
  free(calls);
  free(calls_of);
  free(is_known);
  if (rc != 0)
    line_counts_release(out);
  return rc;
}

void code_lines_release(struct code_lines *code) {
  free(code->file_map);
  *code = (struct code_lines){0};
}
