/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the format of gcov's JSON. */
#include "export/export.h"

#include "base/err.h"
#include "base/in_file.h"
#include "base/json.h"
#include "counts/branch_counts.h"
#include "counts/line_profile.h"
#include "export/files.h"

#include <stdlib.h>

struct page {
  const struct export_input *input;
  const struct line_counts *counts;
  struct json json;
  bool *has_idle; // by line of the counts: some block was not run
  // Functions that a line may be in, of the one that began last on top.
  const struct export_func **open;
  size_t n_open;
  uint64_t n_blocks; // of the present file, numbered so far
};

// gcov's number of the first block; EXIT is the one before.
enum { FIRST_BLOCK = 2 };

/** Note that some code of a line was not run. */
static void mark_idle(struct page *page, struct flow_line pos) {
  const struct line_counts *const counts = page->counts;
  const size_t i = flow_line_count_before(counts->lines, counts->n_lines,
                                          sizeof(*counts->lines), pos);
  if (i < counts->n_lines && flow_line_compare(counts->lines[i].pos, pos) == 0)
    page->has_idle[i] = true;
}

static int find_idle(struct page *page, struct err *err) {
  const struct flow_data *const flow = page->input->profile->flow;
  page->has_idle = calloc(page->counts->n_lines + 1, sizeof(*page->has_idle));
  if (!page->has_idle)
    return err_no_memory(err);
  for (size_t i = 0; i < flow->n_nodes; i++)
    for (size_t k = 0; flow->nodes[i].count == 0 && k < flow->nodes[i].n_lines;
         k++)
      mark_idle(page, flow->lines[flow->nodes[i].first_line + k]);
  return 0;
}

static void put_function(struct page *page, const struct export_func *named) {
  const struct source_func *const func = named->func;
  struct json *const json = &page->json;
  const uint32_t end_line =
      func->last_line > 0 ? func->last_line : func->pos.line;
  json_object_begin(json, NULL);
  json_text(json, "name", named->name);
  json_text(json, "demangled_name", named->demangled);
  json_integer(json, "start_line", func->pos.line);
  json_integer(json, "start_column", 0);
  json_integer(json, "end_line", end_line);
  json_integer(json, "end_column", 0);
  json_integer(json, "blocks", func->n_blocks);
  json_integer(json, "blocks_executed", func->n_run_blocks);
  json_integer(json, "execution_count", func->n_entries);
  json_object_end(json);
}

/** The function that a line is in, or NULL; lines come in order. *next: the
 * first function that begins later. */
static const struct export_func *function_of(struct page *page,
                                             const struct export_func **next,
                                             const struct export_func *end,
                                             uint32_t line) {
  for (; *next != end && (*next)->func->pos.line <= line; ++*next)
    page->open[page->n_open++] = *next;
  while (page->n_open > 0) {
    const struct export_func *const func = page->open[page->n_open - 1];
    if (func->func->last_line >= line || func->func->pos.line == line)
      return func;
    page->n_open--;
  }
  return NULL;
}

/** Is it a block of branches of the line? Those before it are passed over. */
static bool is_branch_of(const struct branch_block **block,
                         const struct branch_block *end, uint32_t line) {
  while (*block != end && (*block)->pos.line < line)
    ++*block;
  return *block != end && (*block)->pos.line == line;
}

/** The numbers of a line's blocks: one for each choice that it has, of one that
 * has none a number of its own. */
static void put_block_ids(struct page *page, const struct branch_block *block,
                          const struct branch_block *end, uint32_t line) {
  uint64_t n = 0;
  json_array_begin(&page->json, "block_ids");
  for (; is_branch_of(&block, end, line); block++)
    json_integer(&page->json, NULL, page->n_blocks + n++);
  if (n == 0)
    json_integer(&page->json, NULL, page->n_blocks);
  json_array_end(&page->json);
}

/** The branches of a line, which begin at *block; advances *block past them. */
static void put_branches(struct page *page, const struct branch_block **block,
                         const struct branch_block *end, uint32_t line) {
  struct json *const json = &page->json;
  const struct branch_block *const first = *block;
  uint64_t source = page->n_blocks, target;
  size_t n = 0;
  while (is_branch_of(block, end, line))
    ++*block, n++;
  // The target of a branch has a number that no line has.
  target = page->n_blocks + (n ? n : 1);
  *block = first;
  json_array_begin(json, "branches");
  for (; is_branch_of(block, end, line); ++*block, source++) {
    const uint64_t *const ways =
        &page->input->branches->ways[(*block)->first_way];
    for (uint32_t i = 0; i < (*block)->n_ways; i++) {
      json_object_begin(json, NULL);
      json_integer(json, "count", ways[i]);
      json_bool(json, "throw", false);
      json_bool(json, "fallthrough", false);
      json_integer(json, "source_block_id", source);
      json_integer(json, "destination_block_id", target++);
      json_object_end(json);
    }
  }
  json_array_end(json);
  page->n_blocks = target;
}

/** The conditions of a decision that did not determine its outcome by a value,
 * by their numbers. */
static void put_missing(struct page *page, const char *name,
                        const struct decision_count *decision, bool value) {
  const struct condition_count *const conditions =
      &page->input->branches->decisions.conditions[decision->first_condition];
  json_array_begin(&page->json, name);
  for (uint32_t i = 0; i < decision->n_conditions; i++)
    if (conditions[i].decided[value] == 0)
      json_integer(&page->json, NULL, i);
  json_array_end(&page->json);
}

/** The decisions of a line, conditions alone included; advances *decision past
 * them. */
static void put_conditions(struct page *page,
                           const struct decision_count **decision,
                           const struct decision_count *end, uint32_t line) {
  struct json *const json = &page->json;
  while (*decision != end && (*decision)->pos.line < line)
    ++*decision;
  json_array_begin(json, "conditions");
  for (; *decision != end && (*decision)->pos.line == line; ++*decision) {
    struct decision_totals totals = {0};
    decision_totals_add(&page->input->branches->decisions, *decision, &totals);
    if (!(*decision)->is_counted)
      continue;
    json_object_begin(json, NULL);
    json_integer(json, "count", totals.n_outcomes);
    json_integer(json, "covered", totals.n_outcomes_covered);
    put_missing(page, "not_covered_true", *decision, true);
    put_missing(page, "not_covered_false", *decision, false);
    json_object_end(json);
  }
  json_array_end(json);
}

static void put_file(struct page *page, const struct export_file *file) {
  const struct branch_block *block = file->blocks;
  const struct decision_count *decision = file->decisions;
  const struct export_func *next = file->funcs;
  struct json *const json = &page->json;
  json_object_begin(json, NULL);
  json_text(json, "file", file->name);
  json_array_begin(json, "functions");
  for (const struct export_func *func = file->funcs; func != file->end_funcs;
       func++)
    put_function(page, func);
  json_array_end(json);
  json_array_begin(json, "lines");
  page->n_open = 0;
  page->n_blocks = FIRST_BLOCK;
  for (const struct line_count *line = file->lines; line != file->end_lines;
       line++) {
    const struct export_func *const func =
        function_of(page, &next, file->end_funcs, line->pos.line);
    json_object_begin(json, NULL);
    json_integer(json, "line_number", line->pos.line);
    if (func)
      json_text(json, "function_name", func->name);
    json_integer(json, "count", line->count);
    json_bool(json, "unexecuted_block",
              page->has_idle[line - page->counts->lines]);
    put_block_ids(page, block, file->end_blocks, line->pos.line);
    put_branches(page, &block, file->end_blocks, line->pos.line);
    json_array_begin(json, "calls");
    json_array_end(json);
    put_conditions(page, &decision, file->end_decisions, line->pos.line);
    json_object_end(json);
  }
  json_array_end(json);
  json_object_end(json);
}

int export_gcov_json(const struct export_input *input,
                     const struct export_options *options, FILE *out,
                     struct err *err) {
  (void)options;
  const struct line_profile *const profile = input->profile;
  struct page page = {
      .input = input, .counts = &profile->counts, .json = {.stream = out}};
  struct json *const json = &page.json;
  struct export_files files = {0};
  char *const folder = in_file_folder();

  page.open = calloc(profile->funcs.n_funcs + 1, sizeof(*page.open));
  int rc = page.open ? find_idle(&page, err) : err_no_memory(err);
  if (rc == 0)
    rc = export_files_list(input, &files, err);
  if (rc == 0) {
    json_object_begin(json, NULL);
    json_text(json, "format_version", "2");
    json_text(json, "gcc_version", "arcline " ARCLINE_VERSION);
    json_text(json, "current_working_directory", folder ? folder : "/");
    json_text(json, "data_file", profile->model->objects[0].image.path);
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
