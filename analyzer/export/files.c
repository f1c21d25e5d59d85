/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/files.h"

#include "base/err.h"
#include "base/in_file.h"
#include "base/merge_sort.h"
#include "counts/branch_counts.h"
#include "counts/line_profile.h"
#include "debug/func_names.h"
#include "debug/source_filter.h"
#include "debug/source_names.h"
#include "export/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/** Find the stretches of all files, by number. */
static void find_stretches(const struct export_input *input,
                           struct export_func *funcs,
                           struct export_file *files) {
  const struct line_counts *const counts = &input->profile->counts;
  const struct source_funcs *const known = &input->profile->funcs;
  const struct branch_counts *const branches = input->branches;

  for (size_t i = 0; i < counts->n_lines; i++) {
    struct export_file *const file = &files[counts->lines[i].pos.i_file];
    file->lines = file->lines ? file->lines : &counts->lines[i];
    file->end_lines = &counts->lines[i + 1];
  }
  for (size_t i = 0; i < known->n_funcs; i++) {
    struct export_file *const file = &files[known->funcs[i].pos.i_file];
    funcs[i].func = &known->funcs[i];
    file->funcs = file->funcs ? file->funcs : &funcs[i];
    file->end_funcs = &funcs[i + 1];
  }
  for (size_t i = 0; i < branches->n_blocks; i++) {
    struct export_file *const file = &files[branches->blocks[i].pos.i_file];
    file->blocks = file->blocks ? file->blocks : &branches->blocks[i];
    file->end_blocks = &branches->blocks[i + 1];
  }
  const struct decision_counts *const decisions = &branches->decisions;
  for (size_t i = 0; i < decisions->n_decisions; i++) {
    const struct decision_count *const decision = &decisions->decisions[i];
    struct export_file *const file = &files[decision->pos.i_file];
    file->decisions = file->decisions ? file->decisions : decision;
    file->end_decisions = decision + 1;
  }
}

// --- Names ---

/** A name that is to be unique in its file. */
struct claim {
  char **name;
  uint32_t line;
};

static int compare_claims(const void *left, const void *right,
                          const void *context) {
  const struct claim *a = left, *b = right;
  const int order = strcmp(*a->name, *b->name);

  (void)context;
  return order ? order : (a->line > b->line) - (a->line < b->line);
}

/** Append a line to a name, and a number to the line. */
static int add_line(const struct claim *claim, size_t number, struct err *err) {
  char *text;
  const int rc = number > 1 ? asprintf(&text, "%s (line %" PRIu32 " #%zu)",
                                       *claim->name, claim->line, number)
                            : asprintf(&text, "%s (line %" PRIu32 ")",
                                       *claim->name, claim->line);

  if (rc < 0)
    return err_no_memory(err);
  free(*claim->name);
  *claim->name = text;
  return 0;
}

/** Make n names distinct. */
static int part_names(struct claim *claims, size_t n, struct err *err) {
  if (merge_sort(claims, n, sizeof(*claims), compare_claims, NULL) != 0)
    return err_no_memory(err);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n; end++)
      if (strcmp(*claims[i].name, *claims[end].name) != 0)
        break;
    size_t number = 0;
    for (size_t k = i; end - i > 1 && k < end; k++) {
      number = k > i && claims[k].line == claims[k - 1].line ? number + 1 : 1;
      if (add_line(&claims[k], number, err) != 0)
        return -1;
    }
  }
  return 0;
}

static int name_func(struct export_func *func, struct err *err) {
  struct source_name name;

  if (source_name_parse(func->func->name, &name) != 0)
    return err_no_memory(err);
  // The instances of a template depend on the program, not on the source.
  func->name = strdup(name.arguments ? name.text : func->func->name);
  func->demangled =
      name.arguments ? strdup(name.text) : func_name_demangle(func->func->name);
  if (!func->demangled)
    func->demangled = strdup(func->func->name);
  source_name_release(&name);
  return func->name && func->demangled ? 0 : err_no_memory(err);
}

/** Name the functions of a file. */
static int name_funcs(const struct export_file *file, struct claim *claims,
                      struct err *err) {
  const size_t n = (size_t)(file->end_funcs - file->funcs);

  for (size_t i = 0; i < n; i++)
    if (name_func(&file->funcs[i], err) != 0)
      return -1;
  for (size_t i = 0; i < n; i++)
    claims[i] =
        (struct claim){&file->funcs[i].name, file->funcs[i].func->pos.line};
  if (part_names(claims, n, err) != 0)
    return -1;
  for (size_t i = 0; i < n; i++)
    claims[i] = (struct claim){&file->funcs[i].demangled,
                               file->funcs[i].func->pos.line};
  return part_names(claims, n, err);
}

// --- Files ---

static int compare_files(const void *left, const void *right,
                         const void *context) {
  const struct export_file *a = left, *b = right;

  (void)context;
  return strcmp(a->name, b->name);
}

static int list_files(const struct export_input *input,
                      struct export_files *out, struct err *err) {
  const struct file_table *const table = &input->profile->flow->files;
  const struct source_filter *const filter = &input->profile->filter;
  const struct source_root root = {
      .folder = strcmp(out->root, "/") == 0 ? "" : out->root,
      .alias = filter->root.alias};
  struct claim *const claims = calloc(out->n_funcs + 1, sizeof(*claims));
  int rc = claims ? 0 : err_no_memory(err);

  for (uint32_t i = 0; rc == 0 && i < table->n_names; i++) {
    struct export_file *const file = &out->files[i];
    file->name = table->names[i];
    if (!file->name[0] || !file->lines ||
        !source_filter_has(filter, file->name))
      continue;
    file->short_name = source_root_relative(&root, file->name);
    const char *const slash = strrchr(file->short_name, '/');
    file->n_folder = slash ? (size_t)(slash - file->short_name) : 0;
    rc = name_funcs(file, claims, err);
    out->files[out->n_files++] = *file;
  }
  free(claims);
  if (rc == 0 && merge_sort(out->files, out->n_files, sizeof(*out->files),
                            compare_files, NULL))
    rc = err_no_memory(err);
  return rc;
}

/** The folder that short names begin at. */
static char *find_root(const struct source_filter *filter) {
  const char *const folder = filter->root.folder;
  char *const present =
      folder ? strdup(folder[0] ? folder : "/") : in_file_folder();
  // A folder that was removed has no name; the names of files then stay.
  return present ? present : strdup("/");
}

int export_files_list(const struct export_input *input,
                      struct export_files *out, struct err *err) {
  const size_t n_funcs = input->profile->funcs.n_funcs;

  *out = (struct export_files){
      .files = calloc((size_t)input->profile->flow->files.n_names + 1,
                      sizeof(*out->files)),
      .funcs = calloc(n_funcs + 1, sizeof(*out->funcs)),
      .n_funcs = n_funcs,
      .root = find_root(&input->profile->filter)};
  int rc = out->files && out->funcs && out->root ? 0 : err_no_memory(err);
  if (rc == 0) {
    find_stretches(input, out->funcs, out->files);
    rc = list_files(input, out, err);
  }
  if (rc != 0)
    export_files_release(out);
  return rc;
}

int export_files_write(const struct export_input *input,
                       export_files_writer *write, FILE *out, struct err *err) {
  struct export_files files;
  if (export_files_list(input, &files, err) != 0)
    return -1;
  const int rc = write(input, &files, out, err);
  export_files_release(&files);
  return rc;
}

// --- Folders ---

static int compare_folders(const void *left, const void *right,
                           const void *context) {
  const struct export_file *a = left, *b = right;
  const size_t n = a->n_folder < b->n_folder ? a->n_folder : b->n_folder;
  int order = memcmp(a->short_name, b->short_name, n);

  (void)context;
  if (order == 0)
    order = (a->n_folder > b->n_folder) - (a->n_folder < b->n_folder);
  return order ? order : strcmp(a->short_name, b->short_name);
}

int export_files_sort(struct export_files *files, struct err *err) {
  return merge_sort(files->files, files->n_files, sizeof(*files->files),
                    compare_folders, NULL)
             ? err_no_memory(err)
             : 0;
}

size_t export_files_folder_end(const struct export_files *files, size_t i) {
  const struct export_file *const first = &files->files[i];
  for (; i < files->n_files; i++)
    if (files->files[i].n_folder != first->n_folder ||
        memcmp(files->files[i].short_name, first->short_name,
               first->n_folder) != 0)
      break;
  return i;
}

const char *export_file_base_name(const struct export_file *file) {
  const char *const name = file->short_name + file->n_folder;
  return name + (*name == '/');
}

uint64_t export_files_time(void) {
  const char *const fixed = getenv("SOURCE_DATE_EPOCH");
  return fixed ? strtoull(fixed, NULL, 10) : (uint64_t)time(NULL);
}

// --- Lines and totals ---

struct export_lines export_lines_begin(const struct export_input *input,
                                       const struct export_file *file) {
  return (struct export_lines){.input = input,
                               .line = file->lines,
                               .end = file->end_lines,
                               .block = file->blocks,
                               .end_block = file->end_blocks};
}

bool export_lines_next(struct export_lines *lines, struct export_line *out) {
  if (lines->line == lines->end)
    return false;
  const uint32_t number = lines->line->pos.line;
  while (lines->block != lines->end_block && lines->block->pos.line < number)
    lines->block++;
  *out = (struct export_line){
      .number = number, .count = lines->line->count, .blocks = lines->block};
  for (; lines->block != lines->end_block && lines->block->pos.line == number;
       lines->block++) {
    const uint64_t *const ways =
        &lines->input->branches->ways[lines->block->first_way];
    for (uint32_t i = 0; i < lines->block->n_ways; i++)
      out->n_taken_ways += ways[i] > 0;
    out->n_ways += lines->block->n_ways;
  }
  out->end_blocks = lines->block;
  lines->line++;
  return true;
}

static void count_block(const struct export_input *input,
                        const struct branch_block *block,
                        struct export_totals *totals) {
  for (uint32_t i = 0; i < block->n_ways; i++)
    totals->n_taken_ways += input->branches->ways[block->first_way + i] > 0;
  totals->n_ways += block->n_ways;
}

static void count_file(const struct export_input *input,
                       const struct export_file *file,
                       struct export_totals *totals) {
  for (const struct line_count *line = file->lines; line != file->end_lines;
       line++)
    totals->n_run_lines += line->count > 0;
  totals->n_lines += (size_t)(file->end_lines - file->lines);
  for (const struct export_func *func = file->funcs; func != file->end_funcs;
       func++)
    totals->n_run_funcs += func->func->n_entries > 0;
  totals->n_funcs += (size_t)(file->end_funcs - file->funcs);
  for (const struct branch_block *block = file->blocks;
       block != file->end_blocks; block++)
    count_block(input, block, totals);
  for (const struct decision_count *decision = file->decisions;
       decision != file->end_decisions; decision++) {
    struct decision_totals own = {0};
    decision_totals_add(&input->branches->decisions, decision, &own);
    totals->n_conditions += own.n_conditions;
    totals->n_covered_conditions += own.n_covered;
  }
}

struct export_totals export_files_count(const struct export_input *input,
                                        const struct export_file *files,
                                        size_t n_files) {
  struct export_totals totals = {0};
  for (size_t i = 0; i < n_files; i++)
    count_file(input, &files[i], &totals);
  return totals;
}

void export_files_count_func(const struct export_input *input,
                             const struct export_file *file,
                             const struct export_func *func,
                             struct export_totals *totals) {
  const struct flow_line pos = func->func->pos;
  const uint32_t last =
      func->func->last_line > pos.line ? func->func->last_line : pos.line;
  const size_t n_lines = (size_t)(file->end_lines - file->lines),
               n_blocks = (size_t)(file->end_blocks - file->blocks);

  for (size_t i = flow_line_count_before(file->lines, n_lines,
                                         sizeof(*file->lines), pos);
       i < n_lines && file->lines[i].pos.line <= last; i++) {
    totals->n_lines++;
    totals->n_run_lines += file->lines[i].count > 0;
  }
  for (size_t i = n_blocks ? flow_line_count_before(file->blocks, n_blocks,
                                                    sizeof(*file->blocks), pos)
                           : 0;
       i < n_blocks && file->blocks[i].pos.line <= last; i++)
    count_block(input, &file->blocks[i], totals);
}

void export_files_release(struct export_files *files) {
  for (size_t i = 0; files->funcs && i < files->n_funcs; i++) {
    free(files->funcs[i].name);
    free(files->funcs[i].demangled);
  }
  free(files->funcs);
  free(files->files);
  free(files->root);
  *files = (struct export_files){0};
}
