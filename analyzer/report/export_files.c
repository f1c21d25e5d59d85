/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/export_files.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "counts/branch_counts.h"
#include "counts/line_profile.h"
#include "report/export.h"

#include <stdlib.h>
#include <string.h>

/** Find the stretches of all files, by number. */
static void find_stretches(const struct export_input *input,
                           struct export_file *files) {
  const struct line_counts *const counts = &input->profile->counts;
  const struct branch_counts *const branches = input->branches;

  for (size_t i = 0; i < counts->n_lines; i++) {
    struct export_file *const file = &files[counts->lines[i].pos.i_file];
    file->lines = file->lines ? file->lines : &counts->lines[i];
    file->end_lines = &counts->lines[i + 1];
  }
  for (size_t i = 0; i < counts->n_funcs; i++) {
    struct export_file *const file = &files[counts->funcs[i].pos.i_file];
    if (counts->funcs[i].pos.line == 0)
      continue; // sorted first: leaves no gap
    file->funcs = file->funcs ? file->funcs : &counts->funcs[i];
    file->end_funcs = &counts->funcs[i + 1];
  }
  for (size_t i = 0; i < branches->n_blocks; i++) {
    struct export_file *const file = &files[branches->blocks[i].pos.i_file];
    file->blocks = file->blocks ? file->blocks : &branches->blocks[i];
    file->end_blocks = &branches->blocks[i + 1];
  }
}

static int compare_files(const void *left, const void *right,
                         const void *context) {
  const struct export_file *a = left, *b = right;

  (void)context;
  return strcmp(a->name, b->name);
}

int export_files_list(const struct export_input *input,
                      struct export_files *out, struct err *err) {
  const struct file_table *const table = &input->profile->flow.files;
  struct export_file *const files =
      calloc((size_t)table->n_names + 1, sizeof *files);

  *out = (struct export_files){.files = files};
  if (!files)
    return err_no_memory(err);
  find_stretches(input, files);
  for (uint32_t i = 0; i < table->n_names; i++) {
    files[i].name = table->names[i];
    if (files[i].name[0] && files[i].lines)
      files[out->n_files++] = files[i];
  }
  if (merge_sort(files, out->n_files, sizeof *files, compare_files, NULL)) {
    export_files_release(out);
    return err_no_memory(err);
  }
  return 0;
}

void export_files_count(const struct export_input *input,
                        const struct export_file *file,
                        struct export_totals *totals) {
  for (const struct line_count *line = file->lines; line != file->end_lines;
       line++)
    totals->n_run_lines += line->count > 0;
  totals->n_lines += (size_t)(file->end_lines - file->lines);
  for (const struct line_func *func = file->funcs; func != file->end_funcs;
       func++)
    totals->n_run_funcs += func->n_entries > 0;
  totals->n_funcs += (size_t)(file->end_funcs - file->funcs);
  for (const struct branch_block *block = file->blocks;
       block != file->end_blocks; block++) {
    if (block->is_exception)
      continue;
    for (uint32_t i = 0; i < block->n_ways; i++)
      totals->n_taken_ways += input->branches->ways[block->first_way + i] > 0;
    totals->n_ways += block->n_ways;
  }
}

void export_files_release(struct export_files *files) {
  free(files->files);
  *files = (struct export_files){0};
}
