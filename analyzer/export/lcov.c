/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the format of lcov. */
#include "export/export.h"

#include "counts/branch_counts.h"
#include "counts/line_counts.h"
#include "counts/source_funcs.h"
#include "export/files.h"

#include <inttypes.h>

/** Print a name; it must not end its record. */
static void print_name(const char *name, FILE *out) {
  for (; *name; name++) {
    const unsigned char byte = (unsigned char)*name;
    fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, out);
  }
}

/** Functions as every version of lcov reads them: by name alone. */
static void print_funcs(const struct export_file *section, FILE *out) {
  for (const struct export_func *func = section->funcs;
       func != section->end_funcs; func++) {
    fprintf(out, "FN:%" PRIu32 ",", func->func->pos.line);
    print_name(func->name, out);
    fputc('\n', out);
  }
  for (const struct export_func *func = section->funcs;
       func != section->end_funcs; func++) {
    fprintf(out, "FNDA:%" PRIu64 ",", func->func->n_entries);
    print_name(func->name, out);
    fputc('\n', out);
  }
}

/** Functions as of lcov 2.2: those of one line are names of one piece of code.
 */
static void print_funcs_2_2(const struct export_file *section, FILE *out) {
  const struct export_func *next;
  size_t number = 0;

  for (const struct export_func *func = section->funcs;
       func != section->end_funcs; func = next, number++) {
    const uint32_t line = func->func->pos.line;
    uint32_t last_line = 0;
    for (next = func;
         next != section->end_funcs && next->func->pos.line == line; next++)
      if (next->func->last_line > last_line)
        last_line = next->func->last_line;
    fprintf(out, "FNL:%zu,%" PRIu32, number, line);
    if (last_line > 0)
      fprintf(out, ",%" PRIu32, last_line);
    fputc('\n', out);
    for (const struct export_func *name = func; name != next; name++) {
      fprintf(out, "FNA:%zu,%" PRIu64 ",", number, name->func->n_entries);
      print_name(name->name, out);
      fputc('\n', out);
    }
  }
}

static void print_func_totals(const struct export_file *section, FILE *out) {
  size_t n_called = 0;

  for (const struct export_func *func = section->funcs;
       func != section->end_funcs; func++)
    n_called += func->func->n_entries > 0;
  fprintf(out, "FNF:%zu\nFNH:%zu\n",
          (size_t)(section->end_funcs - section->funcs), n_called);
}

static void print_branches(const struct export_file *section,
                           const struct export_input *input, FILE *out) {
  const struct line_count *line = section->lines;
  size_t n_ways = 0, n_taken = 0;

  for (const struct branch_block *block = section->blocks;
       block != section->end_blocks; block++) {
    while (line != section->end_lines && line->pos.line < block->pos.line)
      line++;
    const bool has_run = line != section->end_lines &&
                         line->pos.line == block->pos.line && line->count > 0;
    for (uint32_t i = 0; i < block->n_ways; i++) {
      const uint64_t count = input->branches->ways[block->first_way + i];
      fprintf(out, "BRDA:%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",", block->pos.line,
              block->number, i);
      // lcov 2 rejects a line that was run with branches marked as never
      // reached.
      if (block->count > 0 || has_run)
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

/** Conditions of decisions, as of lcov 2.2. Their numbers stand for their text:
 * a decision on the same line with as many conditions is added to it. */
static void print_conditions(const struct export_file *section,
                             const struct export_input *input, FILE *out) {
  const struct decision_counts *const counts = &input->branches->decisions;
  struct decision_totals totals = {0};

  for (const struct decision_count *decision = section->decisions;
       decision != section->end_decisions; decision++) {
    if (!decision->is_counted || !decision_has_several(decision))
      continue;
    decision_totals_add(counts, decision, &totals);
    for (uint32_t i = 0; i < decision->n_conditions; i++) {
      const struct condition_count *const condition =
          &counts->conditions[decision->first_condition + i];
      for (unsigned value = 2; value-- > 0;)
        fprintf(out,
                "MCDC:%" PRIu32 ",%" PRIu32 ",%c,%" PRIu64 ",%" PRIu32
                ",%" PRIu32 "\n",
                decision->pos.line, decision->n_conditions, "ft"[value],
                condition -> decided[value], i, i);
    }
  }
  if (totals.n_conditions > 0)
    fprintf(out, "MCF:%zu\nMCH:%zu\n", totals.n_outcomes,
            totals.n_outcomes_covered);
}

static void print_lines(const struct export_file *section, FILE *out) {
  size_t n_executed = 0;

  for (const struct line_count *line = section->lines;
       line != section->end_lines; line++) {
    fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", line->pos.line, line->count);
    n_executed += line->count > 0;
  }
  fprintf(out, "LF:%zu\nLH:%zu\n",
          (size_t)(section->end_lines - section->lines), n_executed);
}

int export_lcov(const struct export_input *input,
                const struct export_options *options, FILE *out,
                struct err *err) {
  struct export_files files;

  if (export_files_list(input, &files, err))
    return -1;
  for (size_t i = 0; i < files.n_files; i++) {
    const struct export_file *const section = &files.files[i];
    fputs("TN:\nSF:", out);
    print_name(section->name, out);
    fputc('\n', out);
    if (options->is_lcov_2_2)
      print_funcs_2_2(section, out);
    else
      print_funcs(section, out);
    print_func_totals(section, out);
    print_branches(section, input, out);
    if (options->is_lcov_2_2)
      print_conditions(section, input, out);
    print_lines(section, out);
    fputs("end_of_record\n", out);
  }
  export_files_release(&files);
  return 0;
}
