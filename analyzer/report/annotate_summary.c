/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints the summary of `arcline annotate`, a row for each file. */
#include "base/row.h"
#include "counts/code_lines.h"
#include "counts/excluded_lines.h"
#include "counts/library_times.h"
#include "report/annotate.h"
#include "report/annotate_parts.h"

#include <stdio.h>

/** One row of the summary. */
static void print_summary_row(const struct annotate_input *input,
                              double n_samples, size_t n_executed,
                              size_t n_lines, size_t n_called, size_t n_funcs,
                              const char *name, struct row *out) {
  ROW_ADD(out, " ");
  if (input->has_times)
    annotate_add_time(input, n_samples, out);
  if (input->has_counts) {
    if (n_lines > 0)
      row_add_format(out, " %8zu of %6zu %6.1f", n_executed, n_lines,
                     annotate_percent((double)n_executed, (double)n_lines));
    else
      row_add_format(out, " %25s", "");
  }
  if (n_funcs > 0)
    row_add_format(out, " %6zu of %5zu", n_called, n_funcs);
  else
    row_add_format(out, " %15s", "");
  ROW_ADD(out, "  ");
  annotate_add_name(name, out);
  ROW_ADD(out, "\n");
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
  if (!excluded->n_lines && !excluded->n_funcs && !excluded->n_ways)
    return;
  row_add_format(out,
                 " excluded by %s: %zu line%s, %zu function%s, %zu branch%s\n",
                 by, excluded->n_lines, excluded->n_lines == 1 ? "" : "s",
                 excluded->n_funcs, excluded->n_funcs == 1 ? "" : "s",
                 excluded->n_ways, excluded->n_ways == 1 ? "" : "es");
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
  row_add_format(out, " %15s  file\n", "called funcs");
  for (size_t i = 0; i < list->n_files; i++) {
    const struct annotate_file *file = &list->files[i];
    const bool is_shown = i < list->n_shown;
    if (is_shown) {
      print_summary_row(input, file->n_samples, file->n_executed,
                        file->at.end_line - file->at.first_line,
                        file->n_funcs_called, file->n_funcs,
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
    print_summary_row(input, sum->n_samples, sum->n_executed, sum->at.end_line,
                      sum->n_funcs_called, sum->n_funcs, name, out);
  }
  if (input->times->n_samples_lost > 0)
    print_summary_row(input, input->times->n_samples_lost, 0, 0, 0, 0,
                      "(code without line information)", out);
  if (input->libraries->n_samples_outside > 0)
    print_summary_row(input, input->libraries->n_samples_outside, 0, 0, 0, 0,
                      "(libraries and the kernel)", out);
  print_summary_row(input, input->times->n_samples, total.n_executed,
                    total.at.end_line, total.n_funcs_called, total.n_funcs,
                    "total", out);
  print_excluded(&input->excluded->by_comments, "comments", out);
  print_excluded(&input->excluded->by_names, "names of functions", out);
  row_write(out);
}
