/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/export.h"

#include "base/err.h"
#include "base/json.h"
#include "counts/branch_counts.h"
#include "counts/line_profile.h"
#include "debug/func_names.h"
#include "report/export_files.h"

#include <stdlib.h>
#include <unistd.h>

struct page {
  const struct export_input *input;
  const struct line_counts *counts;
  struct json json;
  bool *has_idle; // by line of the counts: some block was not run
  // Functions that a line may be in, of the one that began last on top.
  const struct line_func **open;
  size_t n_open;
};

/** Note that some code of a line was not run. */
static void mark_idle(struct page *page, struct flow_line pos) {
  const struct line_counts *const counts = page->counts;
  const size_t i = flow_line_count_before(counts->lines, counts->n_lines,
                                          sizeof *counts->lines, pos);
  if (i < counts->n_lines && flow_line_compare(counts->lines[i].pos, pos) == 0)
    page->has_idle[i] = true;
}

static int find_idle(struct page *page, struct err *err) {
  const struct flow_data *const flow = &page->input->profile->flow;
  page->has_idle = calloc(page->counts->n_lines + 1, sizeof *page->has_idle);
  if (!page->has_idle)
    return err_no_memory(err);
  for (size_t i = 0; i < flow->n_nodes; i++)
    for (size_t k = 0; flow->nodes[i].count == 0 && k < flow->nodes[i].n_lines;
         k++)
      mark_idle(page, flow->lines[flow->nodes[i].first_line + k]);
  return 0;
}

static void put_function(struct page *page, const struct line_func *func) {
  struct json *const json = &page->json;
  char *const demangled = func_name_demangle(func->name);
  const uint32_t end_line =
      func->last_line > 0 ? func->last_line : func->pos.line;
  json_object_begin(json, NULL);
  json_text(json, "name", func->name);
  json_text(json, "demangled_name", demangled ? demangled : func->name);
  json_integer(json, "start_line", func->pos.line);
  json_integer(json, "start_column", 0);
  json_integer(json, "end_line", end_line);
  json_integer(json, "end_column", 0);
  json_integer(json, "blocks", func->n_blocks);
  json_integer(json, "blocks_executed", func->n_run_blocks);
  json_integer(json, "execution_count", func->n_entries);
  json_object_end(json);
  free(demangled);
}

/** The function that a line is in, or NULL; lines come in order. *next: the
 * first of those that were not looked at. */
static const struct line_func *function_of(struct page *page,
                                           const struct line_func **next,
                                           const struct line_func *end,
                                           uint32_t line) {
  for (; *next != end && (*next)->pos.line <= line; ++*next)
    page->open[page->n_open++] = *next;
  while (page->n_open > 0) {
    const struct line_func *const func = page->open[page->n_open - 1];
    if (func->last_line >= line || func->pos.line == line)
      return func;
    page->n_open--;
  }
  return NULL;
}

/** The branches of a line, which begin at *block; it is moved past them. */
static void put_branches(struct page *page, const struct branch_block **block,
                         const struct branch_block *end, uint32_t line) {
  struct json *const json = &page->json;
  json_array_begin(json, "branches");
  for (; *block != end && (*block)->pos.line <= line; ++*block) {
    if ((*block)->pos.line < line)
      continue;
    const uint64_t *const ways =
        &page->input->branches->ways[(*block)->first_way];
    for (uint32_t i = 0; i < (*block)->n_ways; i++) {
      json_object_begin(json, NULL);
      json_integer(json, "count", ways[i]);
      json_bool(json, "throw", (*block)->is_exception);
      json_bool(json, "fallthrough", false);
      json_object_end(json);
    }
  }
  json_array_end(json);
}

static void put_file(struct page *page, const struct export_file *file) {
  const struct branch_block *block = file->blocks;
  const struct line_func *next = file->funcs;
  struct json *const json = &page->json;
  json_object_begin(json, NULL);
  json_text(json, "file", file->name);
  json_array_begin(json, "functions");
  for (const struct line_func *func = file->funcs; func != file->end_funcs;
       func++)
    put_function(page, func);
  json_array_end(json);
  json_array_begin(json, "lines");
  page->n_open = 0;
  for (const struct line_count *line = file->lines; line != file->end_lines;
       line++) {
    const struct line_func *const func =
        function_of(page, &next, file->end_funcs, line->pos.line);
    json_object_begin(json, NULL);
    json_integer(json, "line_number", line->pos.line);
    if (func)
      json_text(json, "function_name", func->name);
    json_integer(json, "count", line->count);
    json_bool(json, "unexecuted_block",
              page->has_idle[line - page->counts->lines]);
    put_branches(page, &block, file->end_blocks, line->pos.line);
    json_object_end(json);
  }
  json_array_end(json);
  json_object_end(json);
}

int export_gcov_json(const struct export_input *input,
                     const struct export_options *options, FILE *out,
                     struct err *err) {
  const struct line_profile *const profile = input->profile;
  struct page page = {
      .input = input, .counts = &profile->counts, .json = {.stream = out}};
  struct json *const json = &page.json;
  struct export_files files = {0};
  char *const folder = getcwd(NULL, 0);

  (void)options;
  page.open = calloc(page.counts->n_funcs + 1, sizeof *page.open);
  int rc = page.open ? find_idle(&page, err) : err_no_memory(err);
  if (rc == 0)
    rc = export_files_list(input, &files, err);
  if (rc == 0) {
    json_object_begin(json, NULL);
    json_text(json, "format_version", "1");
    json_text(json, "gcc_version", "arcline " ARCLINE_VERSION);
    json_text(json, "current_working_directory", folder ? folder : "/");
    json_text(json, "data_file", profile->model.objects[0].image.path);
    json_array_begin(json, "files");
    for (size_t i = 0; i < files.n_files; i++)
      put_file(&page, &files.files[i]);
    json_array_end(json);
    json_object_end(json);
  }
  free(page.has_idle);
  free(page.open);
  free(folder);
  export_files_release(&files);
  return rc;
}
