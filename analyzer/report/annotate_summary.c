/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints the summary of `arcline annotate`, a row for each file. */
#include "base/digits.h"
#include "base/row.h"
#include "counts/branch_counts.h"
#include "counts/code_lines.h"
#include "counts/excluded_lines.h"
#include "counts/library_times.h"
#include "report/annotate.h"
#include "report/annotate_parts.h"

#include <inttypes.h>
#include <stdio.h>

/** Append "n of n", or blanks. */
static void add_part(size_t n, size_t of, struct row *out) {
  if (of > 0)
    row_add_format(out, " %6zu of %5zu", n, of);
  else
    row_add_format(out, " %15s", "");
}

/** One row of the summary: the sums of a file, or of several. */
static void print_summary_row(const struct annotate_input *input,
                              const struct annotate_file *sum, const char *name,
                              struct row *out) {
  const size_t n_lines = sum->at.end_line - sum->at.first_line;

  ROW_ADD(out, " ");
  if (input->has_times)
    annotate_add_time(input, sum->n_samples, out);
  if (input->has_counts) {
    if (n_lines > 0)
      row_add_format(out, " %8zu of %6zu %6.1f", sum->n_executed, n_lines,
                     percent_of(sum->n_executed, n_lines, 1));
    else
      row_add_format(out, " %25s", "");
  }
  add_part(sum->n_funcs_called, sum->n_funcs, out);
  if (input->branches->decisions.n_decisions > 0)
    add_part(sum->decided.n_covered, sum->decided.n_conditions, out);
  ROW_ADD(out, "  ");
  annotate_add_name(name, out);
  ROW_ADD(out, "\n");
}

/** A row of time alone. */
static void print_time_row(const struct annotate_input *input, double n_samples,
                           const char *name, struct row *out) {
  print_summary_row(input, &(struct annotate_file){.n_samples = n_samples},
                    name, out);
}

/** Add a file, or its time alone, to a sum of files. */
static void add_to(struct annotate_file *sum, const struct annotate_file *file,
                   bool has_coverage) {
  sum->n_samples += file->n_samples;
  if (!has_coverage)
    return;
  sum->n_executed += file->n_executed;
  sum->at.end_line += file->at.end_line - file->at.first_line;
  sum->n_funcs_called += file->n_funcs_called;
  sum->n_funcs += file->n_funcs;
  sum->decided.n_covered += file->decided.n_covered;
  sum->decided.n_conditions += file->decided.n_conditions;
  sum->decided.n_not_counted += file->decided.n_not_counted;
}

/** Name of the row of files that are not shown. SOURCE_OWN: they never ran. */
static void name_hidden(char *name, size_t size, size_t n,
                        enum source_kind kind) {
  const char *const plural = n == 1 ? "" : "s";
  switch (kind) {
  case SOURCE_EXCLUDED:
    snprintf(name, size, "(%zu file%s excluded by patterns)", n, plural);
    break;
  case SOURCE_OUTSIDE:
    snprintf(name, size,
             "(%zu file%s outside of the project; --root=/ includes %s)", n,
             plural, n == 1 ? "it" : "them");
    break;
  case SOURCE_SYSTEM:
    snprintf(name, size, "(%zu header%s of the system not shown; see --all)", n,
             plural);
    break;
  default:
    snprintf(name, size, "(%zu file%s not shown; see --all)", n, plural);
  }
}

/** Print a line that follows the table. */
static void print_excluded(const struct excluded_counts *excluded,
                           const char *by, struct row *out) {
  char text[EXCLUDED_TEXT_BYTES];
  if (excluded_counts_format(excluded, text))
    row_add_format(out, " excluded by %s: %s\n", by, text);
}

/** Lines that follow it, one for each decision that has no counts. */
static void print_not_counted(const struct annotate_input *input,
                              const struct annotate_options *options,
                              const struct annotate_file *file,
                              struct row *out) {
  const struct decision_counts *const counts = &input->branches->decisions;

  for (size_t i = file->at.first_decision; i < file->at.end_decision; i++) {
    const struct decision_count *const decision = &counts->decisions[i];
    char text[96];
    if (decision->is_counted)
      continue;
    annotate_write_decision(counts, decision, text, sizeof(text));
    ROW_ADD(out, " ");
    annotate_add_name(annotate_file_name(input, options, file->i_file), out);
    row_add_format(out, ":%" PRIu32 ": %s\n", decision->pos.line, text);
  }
}

void annotate_print_summary(const struct annotate_input *input,
                            const struct annotate_options *options,
                            const struct annotate_list *list, FILE *stream) {
  struct row row;
  struct row *const out = &row;
  // Of files that are not the project's, unless they are shown, only time
  // counts.
  struct annotate_file hidden[N_SOURCE_KINDS] = {{0}}, total = {0};
  size_t n_hidden[N_SOURCE_KINDS] = {0};

  row_begin(out, stream);
  row_add_text(out,
               options->is_colored ? "\33[1mSummary\33[0m\n " : "Summary\n ");
  if (input->has_times)
    annotate_add_time_head(input, out);
  if (input->has_counts)
    row_add_format(out, " %18s %6s", "lines executed", "%");
  row_add_format(out, " %15s", "called funcs");
  if (input->branches->decisions.n_decisions > 0)
    row_add_format(out, " %15s", "covered conds");
  ROW_ADD(out, "  file\n");
  for (size_t i = 0; i < list->n_files; i++) {
    const struct annotate_file *file = &list->files[i];
    const bool is_shown = i < list->n_shown;
    if (is_shown) {
      print_summary_row(input, file,
                        annotate_file_name(input, options, file->i_file), out);
    } else {
      add_to(&hidden[file->kind], file, file->kind == SOURCE_OWN);
      n_hidden[file->kind]++;
    }
    add_to(&total, file, is_shown || !annotate_is_outside(file));
  }
  for (enum source_kind i = 0; i < N_SOURCE_KINDS; i++) {
    const struct annotate_file *const sum = &hidden[i];
    char name[80];
    if (n_hidden[i] == 0)
      continue;
    name_hidden(name, sizeof(name), n_hidden[i], i);
    print_summary_row(input, sum, name, out);
  }
  if (input->times->n_samples_lost > 0)
    print_time_row(input, input->times->n_samples_lost,
                   "(code without line information)", out);
  if (input->libraries->n_samples_outside > 0)
    print_time_row(input, input->libraries->n_samples_outside,
                   "(libraries and the kernel)", out);
  total.n_samples = input->times->n_samples;
  print_summary_row(input, &total, "total", out);
  print_excluded(&input->excluded->by_comments, "comments", out);
  print_excluded(&input->excluded->by_names, "names of functions", out);
  for (size_t i = 0; i < list->n_files; i++)
    if (i < list->n_shown || !annotate_is_outside(&list->files[i]))
      print_not_counted(input, options, &list->files[i], out);
  row_write(out);
}
