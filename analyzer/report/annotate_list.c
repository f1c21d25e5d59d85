/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Lists the files of `arcline annotate`, with their sums, and sorts them. */
#include "base/err.h"
#include "base/merge_sort.h"
#include "counts/branch_counts.h"
#include "counts/code_lines.h"
#include "counts/line_counts.h"
#include "counts/source_funcs.h"
#include "debug/file_table.h"
#include "debug/source_filter.h"
#include "debug/wanted_func.h"
#include "report/annotate.h"

#include <stdlib.h>
#include <string.h>

const char *annotate_file_name(const struct annotate_input *input,
                               const struct annotate_options *options,
                               uint32_t i_file) {
  const char *name = input->files->names[i_file];
  const size_t n_cwd = options->cwd ? strlen(options->cwd) : 0;

  if (n_cwd > 1 && strncmp(name, options->cwd, n_cwd) == 0 &&
      name[n_cwd] == '/')
    return name + n_cwd + 1;
  return name;
}

/** Begin a stretch at an element; an empty stretch also ends there. */
static void widen(size_t *first, size_t *end, size_t i) {
  *first = i;
  *end = *end ? *end : i + 1;
}

/** The numbers of a file, collected from arrays that are sorted by file. */
static void find_stretches(const struct annotate_input *input,
                           struct annotate_file *files) {
  const struct line_counts *counts = input->counts;
  const struct line_times *times = input->times;

  // Backwards, so that the first element of a stretch is set last.
  for (size_t i = counts->n_lines; i-- > 0;) {
    struct annotate_file *file = &files[counts->lines[i].pos.i_file];
    widen(&file->at.first_line, &file->at.end_line, i);
    file->n_executed += counts->lines[i].count > 0;
  }
  for (size_t i = counts->n_calls; i-- > 0;) {
    struct annotate_file *file = &files[counts->calls[i].pos.i_file];
    widen(&file->at.first_call, &file->at.end_call, i);
  }
  for (size_t i = counts->n_funcs; i-- > 0;) {
    struct annotate_file *file = &files[counts->funcs[i].pos.i_file];
    widen(&file->at.first_func, &file->at.end_func, i);
  }
  for (size_t i = 0; i < input->funcs->n_funcs; i++) {
    const struct source_func *const func = &input->funcs->funcs[i];
    files[func->pos.i_file].n_funcs++;
    files[func->pos.i_file].n_funcs_called += func->n_entries > 0;
  }
  for (size_t i = times->n_lines; i-- > 0;) {
    struct annotate_file *file = &files[times->lines[i].pos.i_file];
    widen(&file->at.first_time, &file->at.end_time, i);
    file->n_samples += times->lines[i].n_samples;
  }
  for (size_t i = input->instances->n_lines; i-- > 0;) {
    struct annotate_file *file = &files[input->instances->lines[i].pos.i_file];
    widen(&file->at.first_instance, &file->at.end_instance, i);
  }
  for (size_t i = input->branches->n_blocks; i-- > 0;) {
    const struct branch_block *block = &input->branches->blocks[i];
    struct annotate_file *file = &files[block->pos.i_file];
    widen(&file->at.first_branch, &file->at.end_branch, i);
    file->n_ways += block->n_ways;
    for (uint32_t k = 0; k < block->n_ways; k++)
      file->n_ways_taken += input->branches->ways[block->first_way + k] > 0;
  }
  const struct decision_counts *const decisions = &input->branches->decisions;
  for (size_t i = decisions->n_decisions; i-- > 0;) {
    const struct decision_count *decision = &decisions->decisions[i];
    struct annotate_file *file = &files[decision->pos.i_file];
    widen(&file->at.first_decision, &file->at.end_decision, i);
    decision_totals_add(decisions, decision, &file->decided);
  }
}

/** Does a file have lines, times or functions? Functions of line 0 are made by
 * the compiler: of a file with no others, such as the .pcm of a C++ module that
 * was compiled from it, there is nothing to show. */
static bool has_code(const struct annotate_input *input,
                     const struct annotate_file *file) {
  return file->at.end_line > 0 || file->at.end_time > 0 ||
         (file->at.end_func > 0 &&
          input->counts->funcs[file->at.end_func - 1].pos.line > 0);
}

/** Mark the selected functions, and the names that matched. */
static void choose_funcs(const struct annotate_input *input,
                         const struct annotate_options *options, bool *chosen,
                         bool *is_found) {
  for (size_t i = 0; i < input->counts->n_funcs; i++)
    for (size_t k = 0; k < options->n_funcs; k++)
      if (wanted_func_fits(&options->funcs[k], input->counts->funcs[i].name))
        chosen[i] = is_found[k] = true;
}

static bool has_chosen_func(const struct annotate_file *file,
                            const bool *chosen) {
  for (size_t i = file->at.first_func; i < file->at.end_func; i++)
    if (chosen[i])
      return true;
  return false;
}

/** Decide how a file is shown, and record which patterns matched. */
static void choose_file(const struct annotate_input *input,
                        const struct annotate_options *options,
                        const bool *chosen, bool *is_file_found,
                        struct annotate_file *file) {
  const char *name = input->files->names[file->i_file];
  bool is_chosen = options->n_files == 0;

  for (size_t k = 0; k < options->n_files; k++)
    if (source_root_fits(&input->filter->root, options->files[k], name)) {
      is_file_found[k] = true;
      is_chosen = true;
    }
  if (options->n_funcs > 0)
    is_chosen = is_chosen && has_chosen_func(file, chosen);
  if (options->n_files == 0 && file->kind == SOURCE_EXCLUDED)
    is_chosen = false;
  file->is_shown = file->is_listed = is_chosen;
  if (options->n_files > 0 || options->n_funcs > 0 || options->shows_all)
    return;
  file->is_shown = is_chosen && file->kind == SOURCE_OWN;
  file->is_listed =
      file->is_shown &&
      (file->n_samples > 0 || file->n_executed > 0 || file->n_funcs_called > 0);
}

struct sort_context {
  const struct annotate_input *input;
  const struct annotate_options *options;
};

static int compare_files(const void *left, const void *right,
                         const void *context) {
  const struct annotate_file *a = left, *b = right;
  const struct sort_context *sort = context;

  if (a->is_shown != b->is_shown)
    return b->is_shown - a->is_shown;
  if (!sort->options->sorts_by_name && a->n_samples != b->n_samples)
    return (a->n_samples < b->n_samples) - (a->n_samples > b->n_samples);
  return strcmp(sort->input->files->names[a->i_file],
                sort->input->files->names[b->i_file]);
}

/** Report an error if a selected file does not exist. */
static int check_files(const struct annotate_options *options,
                       const bool *is_found, struct err *err) {
  for (size_t i = 0; i < options->n_files; i++)
    if (!is_found[i])
      return err_set(err, ERR_USAGE, "%s: no source file of this name has code",
                     options->files[i]);
  return 0;
}

/** The same for functions. */
static int check_funcs(const struct annotate_input *input,
                       const struct annotate_options *options,
                       const bool *is_found, struct err *err) {
  for (size_t i = 0; i < options->n_funcs; i++) {
    struct wanted_hints hints = {0};
    if (is_found[i])
      continue;
    for (size_t k = 0; k < input->counts->n_funcs; k++)
      wanted_hints_offer(&hints, &options->funcs[i],
                         input->counts->funcs[k].name);
    return wanted_hints_refuse(&hints, &options->funcs[i], "code", err);
  }
  return 0;
}

int annotate_list_build(const struct annotate_input *input,
                        const struct annotate_options *options,
                        struct annotate_list *out, struct err *err) {
  const struct sort_context context = {input, options};
  const uint32_t n_all = input->files->n_names;
  bool *is_file_found = calloc(options->n_files + 1, sizeof(bool));
  bool *is_func_found = calloc(options->n_funcs + 1, sizeof(bool));
  int rc = -1;

  *out = (struct annotate_list){0};
  out->files = calloc((size_t)n_all + 1, sizeof(*out->files));
  out->chosen = calloc(input->counts->n_funcs + 1, sizeof(bool));
  if (!is_file_found || !is_func_found || !out->files || !out->chosen) {
    err_no_memory(err);
    goto out;
  }
  find_stretches(input, out->files);
  choose_funcs(input, options, out->chosen, is_func_found);
  for (uint32_t i = 0; i < n_all; i++) {
    struct annotate_file file = out->files[i];
    if (input->files->names[i][0] == '\0' || !has_code(input, &file))
      continue;
    file.i_file = i;
    file.kind = source_filter_kind(input->filter, input->files->names[i]);
    choose_file(input, options, out->chosen, is_file_found, &file);
    out->n_shown += file.is_shown;
    out->files[out->n_files++] = file;
  }
  if (check_files(options, is_file_found, err) != 0 ||
      check_funcs(input, options, is_func_found, err) != 0)
    goto out;
  if (merge_sort(out->files, out->n_files, sizeof(*out->files), compare_files,
                 &context) != 0) {
    err_no_memory(err);
    goto out;
  }
  rc = 0;
out:
  free(is_file_found);
  free(is_func_found);
  if (rc != 0)
    annotate_list_release(out);
  return rc;
}

void annotate_list_release(struct annotate_list *list) {
  free(list->files);
  free(list->chosen);
  *list = (struct annotate_list){0};
}
