/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts the coverage of a side: of all lines and of changed ones, by file, by
 * folder and by function. */
#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "diff/changed_lines.h"
#include "diff/diff_parts.h"

#include <stdlib.h>
#include <string.h>

/** State of counting. */
struct count {
  const struct diff_side *side;
  const struct diff_options *options;
  struct diff *diff;
  struct diff_covered *files; // by number of the file
  bool is_last;               // of the sides
  // The file of the last line:
  uint32_t i_file;
  bool has_file, is_wanted;
  long i_path; // of options->changed
};

/** The file of a place; NULL: it is not wanted. */
static struct diff_covered *file_of(struct count *count,
                                    const struct flow_line *pos) {
  const struct diff_options *const options = count->options;
  const char *const name = count->side->flow.files.names[pos->i_file];

  if (!count->has_file || count->i_file != pos->i_file) {
    const size_t i_side = count->is_last ? count->diff->n_sides - 1 : DIFF_A;
    count->has_file = true;
    count->i_file = pos->i_file;
    count->is_wanted = diff_wants_file(options, i_side, name);
    count->i_path = count->is_wanted && options->changed
                        ? changed_lines_path(options->changed, name)
                        : CHANGED_NO_PATH;
    count->files[pos->i_file].name = name;
  }
  return count->is_wanted && pos->line > 0 ? &count->files[pos->i_file] : NULL;
}

static bool is_changed(const struct count *count, uint32_t line) {
  return count->i_path != CHANGED_NO_PATH &&
         changed_lines_have(count->options->changed, count->i_path, line);
}

static void cover(struct diff_coverage *covered, bool has_run) {
  covered->n++;
  covered->n_run += has_run;
}

static int add_uncovered(struct diff *out, const char *file, uint32_t line,
                         struct err *err) {
  struct diff_uncovered *const lines = array_grow(
      out->uncovered, out->n_uncovered, &out->max_uncovered, sizeof(*lines));

  if (!lines)
    return err_no_memory(err);
  out->uncovered = lines;
  lines[out->n_uncovered++] = (struct diff_uncovered){file, line};
  return 0;
}

// --- Files ---

static int count_lines(struct count *count, struct err *err) {
  const struct line_counts *const counts = &count->side->lines.counts;

  for (size_t i = 0; i < counts->n_lines; i++) {
    const struct line_count *const line = &counts->lines[i];
    struct diff_covered *const file = file_of(count, &line->pos);
    if (!file)
      continue;
    cover(&file->all[COVERED_LINES], line->count > 0);
    if (!is_changed(count, line->pos.line))
      continue;
    cover(&file->changed[COVERED_LINES], line->count > 0);
    if (count->is_last && line->count == 0 &&
        add_uncovered(count->diff, file->name, line->pos.line, err) != 0)
      return -1;
  }
  return 0;
}

static void count_others(struct count *count) {
  const struct source_funcs *const funcs = &count->side->lines.funcs;
  const struct branch_counts *const branches = &count->side->branches;

  for (size_t i = 0; i < funcs->n_funcs; i++) {
    const struct source_func *const func = &funcs->funcs[i];
    struct diff_covered *const file = file_of(count, &func->pos);
    if (!file)
      continue;
    cover(&file->all[COVERED_FUNCTIONS], func->n_entries > 0);
    if (is_changed(count, func->pos.line))
      cover(&file->changed[COVERED_FUNCTIONS], func->n_entries > 0);
  }
  for (size_t i = 0; i < branches->n_blocks; i++) {
    const struct branch_block *const block = &branches->blocks[i];
    struct diff_covered *const file = file_of(count, &block->pos);
    for (uint32_t k = 0; file && k < block->n_ways; k++) {
      const bool has_run = branches->ways[block->first_way + k] > 0;
      cover(&file->all[COVERED_BRANCHES], has_run);
      if (is_changed(count, block->pos.line))
        cover(&file->changed[COVERED_BRANCHES], has_run);
    }
  }
}

/** Add the conditions of a decision. */
static void cover_decision(const struct decision_counts *counts,
                           const struct decision_count *decision,
                           struct diff_coverage *covered) {
  struct decision_totals totals = {0};

  decision_totals_add(counts, decision, &totals);
  covered[COVERED_CONDITIONS].n += totals.n_outcomes;
  covered[COVERED_CONDITIONS].n_run += totals.n_outcomes_covered;
  covered[COVERED_MCDC].n += totals.n_conditions;
  covered[COVERED_MCDC].n_run += totals.n_covered;
}

static void count_decisions(struct count *count) {
  const struct decision_counts *const counts = &count->side->branches.decisions;

  for (size_t i = 0; i < counts->n_decisions; i++) {
    const struct decision_count *const decision = &counts->decisions[i];
    struct diff_covered *const file = file_of(count, &decision->pos);
    if (!file)
      continue;
    cover_decision(counts, decision, file->all);
    if (is_changed(count, decision->pos.line))
      cover_decision(counts, decision, file->changed);
  }
}

static void add(struct diff_coverage *sum, const struct diff_coverage *part) {
  for (size_t i = 0; i < N_COVERED; i++) {
    sum[i].n += part[i].n;
    sum[i].n_run += part[i].n_run;
  }
}

static int compare_names(const void *left, const void *right,
                         const void *context) {
  const struct diff_covered *a = left, *b = right;

  (void)context;
  return strcmp(a->name, b->name);
}

/** Keep the files that have anything to cover, in order of name. */
static int keep_files(struct count *count, struct err *err) {
  struct diff_covered_list *const list = &count->diff->covered_files;
  const uint32_t n_files = count->side->flow.files.n_names;

  list->rows = count->files;
  for (uint32_t i = 0; i < n_files; i++) {
    const struct diff_covered file = count->files[i];
    size_t n = 0;
    for (size_t k = 0; k < N_COVERED; k++)
      n += file.all[k].n;
    if (n > 0)
      list->rows[list->n_rows++] = file;
  }
  return merge_sort(list->rows, list->n_rows, sizeof(*list->rows),
                    compare_names, NULL)
             ? err_no_memory(err)
             : 0;
}

// --- Folders ---

/** The folder of a file; to free(), NULL (no memory). */
static char *folder_of(const char *name) {
  const char *const slash = strrchr(name, '/');

  if (!slash)
    return strdup(".");
  return strndup(name, slash > name ? (size_t)(slash - name) : 1);
}

/** Add up files by folder. Those of one may be apart: a.c, a/b.c, c.c. */
static int add_folders(struct diff *diff, struct err *err) {
  const struct diff_covered_list *const files = &diff->covered_files;
  struct diff_covered_list *const folders = &diff->covered_folders;

  folders->rows = calloc(files->n_rows + 1, sizeof(*folders->rows));
  if (!folders->rows)
    return err_no_memory(err);
  for (size_t i = 0; i < files->n_rows; i++) {
    struct diff_covered *const folder = &folders->rows[folders->n_rows];
    *folder = files->rows[i];
    folder->name = folder->owned = folder_of(files->rows[i].name);
    if (!folder->owned)
      return err_no_memory(err);
    folders->n_rows++;
  }
  if (merge_sort(folders->rows, folders->n_rows, sizeof(*folders->rows),
                 compare_names, NULL))
    return err_no_memory(err);
  size_t n_kept = 0;
  for (size_t i = 0; i < folders->n_rows; i++) {
    struct diff_covered *const last =
        n_kept ? &folders->rows[n_kept - 1] : NULL;
    if (last && strcmp(last->name, folders->rows[i].name) == 0) {
      add(last->all, folders->rows[i].all);
      add(last->changed, folders->rows[i].changed);
      free(folders->rows[i].owned);
    } else {
      folders->rows[n_kept++] = folders->rows[i];
    }
  }
  folders->n_rows = n_kept;
  return 0;
}

// --- Functions ---

/** Count the lines and branches from a function's first line to its last. */
static void count_func(const struct diff_side *side,
                       const struct source_func *func,
                       struct diff_covered *out) {
  const struct line_counts *const counts = &side->lines.counts;
  const struct branch_counts *const branches = &side->branches;
  const struct flow_line end = {
      func->pos.i_file,
      (func->last_line > func->pos.line ? func->last_line : func->pos.line) +
          1};

  for (size_t i = flow_line_count_before(counts->lines, counts->n_lines,
                                         sizeof(*counts->lines), func->pos);
       i < counts->n_lines && flow_line_compare(counts->lines[i].pos, end) < 0;
       i++)
    cover(&out->all[COVERED_LINES], counts->lines[i].count > 0);
  for (size_t i = flow_line_count_before(branches->blocks, branches->n_blocks,
                                         sizeof(*branches->blocks), func->pos);
       i < branches->n_blocks &&
       flow_line_compare(branches->blocks[i].pos, end) < 0;
       i++)
    for (uint32_t k = 0; k < branches->blocks[i].n_ways; k++)
      cover(&out->all[COVERED_BRANCHES],
            branches->ways[branches->blocks[i].first_way + k] > 0);
  const struct decision_counts *const decisions = &branches->decisions;
  for (size_t i =
           flow_line_count_before(decisions->decisions, decisions->n_decisions,
                                  sizeof(*decisions->decisions), func->pos);
       i < decisions->n_decisions &&
       flow_line_compare(decisions->decisions[i].pos, end) < 0;
       i++)
    cover_decision(decisions, &decisions->decisions[i], out->all);
}

static int add_funcs(struct count *count, struct err *err) {
  const struct source_funcs *const funcs = &count->side->lines.funcs;
  struct diff_covered_list *const list = &count->diff->covered_funcs;

  list->rows = calloc(funcs->n_funcs + 1, sizeof(*list->rows));
  if (!list->rows)
    return err_no_memory(err);
  for (size_t i = 0; i < funcs->n_funcs; i++) {
    const struct source_func *const func = &funcs->funcs[i];
    const struct diff_covered *const file = file_of(count, &func->pos);
    if (!file)
      continue;
    struct diff_covered *const row = &list->rows[list->n_rows++];
    *row = (struct diff_covered){
        .name = func->name,
        .file = count->side->flow.files.names[func->pos.i_file],
        .line = func->pos.line};
    count_func(count->side, func, row);
  }
  return 0;
}

// --- All of it ---

static int count_all(struct count *count, struct err *err) {
  struct diff *const diff = count->diff;
  const size_t i_side = count->is_last ? diff->n_sides - 1 : DIFF_A;

  if (count_lines(count, err) != 0)
    return -1;
  count_others(count);
  count_decisions(count);
  for (uint32_t i = 0; i < count->side->flow.files.n_names; i++) {
    const struct diff_covered *const file = &count->files[i];
    add(diff->covered[i_side],
        count->options->changed ? file->changed : file->all);
    if (count->is_last)
      add(diff->all, file->all);
  }
  return count->is_last ? add_funcs(count, err) : 0;
}

int diff_count_covered(const struct diff_side *side, size_t i_side,
                       const struct diff_options *options, struct diff *out,
                       struct err *err) {
  struct count count = {.side = side,
                        .options = options,
                        .diff = out,
                        .is_last = i_side + 1 == out->n_sides,
                        .files = calloc((size_t)side->flow.files.n_names + 1,
                                        sizeof(*count.files))};

  if (!count.files)
    return err_no_memory(err);
  const int rc = count_all(&count, err);
  if (rc == 0 && count.is_last)
    return keep_files(&count, err) || add_folders(out, err) ? -1 : 0;
  free(count.files);
  return rc;
}

void diff_release_covered(struct diff *diff) {
  for (size_t i = 0; i < diff->covered_folders.n_rows; i++)
    free(diff->covered_folders.rows[i].owned);
  free(diff->covered_folders.rows);
  free(diff->covered_files.rows);
  free(diff->covered_funcs.rows);
  free(diff->uncovered);
}
