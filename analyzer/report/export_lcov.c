/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/export_lcov.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "counts/branch_counts.h"
#include "counts/line_counts.h"
#include "debug/file_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** A file's stretches of the arrays, which are sorted by file. */
struct section {
  const char *name;
  const struct line_count *lines, *end_lines;
  const struct line_func *funcs, *end_funcs;
  const struct branch_block *blocks, *end_blocks;
};

/** Print a name; it must not end its record. */
static void print_name(const char *name, FILE *out) {
  for (; *name; name++) {
    const unsigned char byte = (unsigned char)*name;
    fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, out);
  }
}

/** Functions as every version of lcov reads them: by name alone. */
static void print_funcs(const struct section *section, FILE *out) {
  for (const struct line_func *func = section->funcs;
       func != section->end_funcs; func++) {
    fprintf(out, "FN:%" PRIu32 ",", func->pos.line);
    print_name(func->name, out);
    fputc('\n', out);
  }
  for (const struct line_func *func = section->funcs;
       func != section->end_funcs; func++) {
    fprintf(out, "FNDA:%" PRIu64 ",", func->n_entries);
    print_name(func->name, out);
    fputc('\n', out);
  }
}

/** Functions as of lcov 2.2: those of one line are names of one piece of code.
 */
static void print_funcs_2_2(const struct section *section, FILE *out) {
  const struct line_func *next;
  size_t number = 0;

  for (const struct line_func *func = section->funcs;
       func != section->end_funcs; func = next, number++) {
    uint32_t last_line = 0;
    for (next = func;
         next != section->end_funcs && next->pos.line == func->pos.line; next++)
      if (next->last_line > last_line)
        last_line = next->last_line;
    fprintf(out, "FNL:%zu,%" PRIu32, number, func->pos.line);
    if (last_line > 0)
      fprintf(out, ",%" PRIu32, last_line);
    fputc('\n', out);
    for (const struct line_func *name = func; name != next; name++) {
      fprintf(out, "FNA:%zu,%" PRIu64 ",", number, name->n_entries);
      print_name(name->name, out);
      fputc('\n', out);
    }
  }
}

static void print_func_totals(const struct section *section, FILE *out) {
  size_t n_called = 0;

  for (const struct line_func *func = section->funcs;
       func != section->end_funcs; func++)
    n_called += func->n_entries > 0;
  fprintf(out, "FNF:%zu\nFNH:%zu\n",
          (size_t)(section->end_funcs - section->funcs), n_called);
}

static void print_branches(const struct section *section,
                           const struct export_input *input,
                           const struct export_options *options, FILE *out) {
  size_t n_ways = 0, n_taken = 0;
  uint32_t line = 0, number = 0;

  for (const struct branch_block *block = section->blocks;
       block != section->end_blocks; block++) {
    if (block->is_exception && !options->is_lcov_2_2)
      continue;
    // Numbers without gaps, also where a block was left out.
    number = block->pos.line == line ? number + 1 : 0;
    line = block->pos.line;
    for (uint32_t i = 0; i < block->n_ways; i++) {
      const uint64_t count = input->branches->ways[block->first_way + i];
      fprintf(out, "BRDA:%" PRIu32 ",%s%" PRIu32 ",%" PRIu32 ",", line,
              block->is_exception ? "e" : "", number, i);
      if (block->count > 0)
        fprintf(out, "%" PRIu64 "\n", count);
      else
        fputs("-\n", out);
      n_taken += count > 0;
    }
    n_ways += block->n_ways;
  }
  if (n_ways > 0)
    fprintf(out, "BRF:%zu\nBRH:%zu\n", n_ways, n_taken);
}

static void print_lines(const struct section *section, FILE *out) {
  size_t n_executed = 0;

  for (const struct line_count *line = section->lines;
       line != section->end_lines; line++) {
    fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", line->pos.line, line->count);
    n_executed += line->count > 0;
  }
  fprintf(out, "LF:%zu\nLH:%zu\n",
          (size_t)(section->end_lines - section->lines), n_executed);
}

/** Find the stretches of all files, by number. */
static void find_sections(const struct export_input *input,
                          struct section *sections) {
  const struct line_counts *counts = input->lines;

  for (size_t i = 0; i < counts->n_lines; i++) {
    struct section *section = &sections[counts->lines[i].pos.i_file];
    section->lines = section->lines ? section->lines : &counts->lines[i];
    section->end_lines = &counts->lines[i + 1];
  }
  for (size_t i = 0; i < counts->n_funcs; i++) {
    struct section *section = &sections[counts->funcs[i].pos.i_file];
    if (counts->funcs[i].pos.line == 0)
      continue; // sorted first: leaves no gap
    section->funcs = section->funcs ? section->funcs : &counts->funcs[i];
    section->end_funcs = &counts->funcs[i + 1];
  }
  for (size_t i = 0; i < input->branches->n_blocks; i++) {
    const struct branch_block *blocks = input->branches->blocks;
    struct section *section = &sections[blocks[i].pos.i_file];
    section->blocks = section->blocks ? section->blocks : &blocks[i];
    section->end_blocks = &blocks[i + 1];
  }
}

static int compare_sections(const void *left, const void *right,
                            const void *context) {
  const struct section *a = left, *b = right;

  (void)context;
  return strcmp(a->name, b->name);
}

int export_lcov(const struct export_input *input,
                const struct export_options *options, FILE *out,
                struct err *err) {
  const uint32_t n_files = input->files->n_names;
  struct section *sections = calloc((size_t)n_files + 1, sizeof(*sections));

  if (!sections)
    return err_no_memory(err);
  for (uint32_t i = 0; i < n_files; i++)
    sections[i].name = input->files->names[i];
  find_sections(input, sections);
  if (merge_sort(sections, n_files, sizeof(*sections), compare_sections,
                 NULL) != 0) {
    free(sections);
    return err_no_memory(err);
  }
  for (const struct section *section = sections; section != sections + n_files;
       section++) {
    if (section->name[0] == '\0' || !section->lines)
      continue;
    fputs("TN:\nSF:", out);
    print_name(section->name, out);
    fputc('\n', out);
    if (options->is_lcov_2_2)
      print_funcs_2_2(section, out);
    else
      print_funcs(section, out);
    print_func_totals(section, out);
    print_branches(section, input, options, out);
    print_lines(section, out);
    fputs("end_of_record\n", out);
  }
  free(sections);
  return 0;
}
