/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/row.h"
#include "counts/code_lines.h"
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

void annotate_print_summary(const struct annotate_input *input,
                            const struct annotate_options *options,
                            const struct annotate_list *list, FILE *stream) {
  struct row row;
  struct row *const out = &row;
  struct annotate_file rest = {0}, total = {0};
  size_t n_hidden = 0;

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
    struct annotate_file *into = i < list->n_shown ? &total : &rest;
    if (i < list->n_shown)
      print_summary_row(input, file->n_samples, file->n_executed,
                        file->end_line - file->first_line, file->n_funcs_called,
                        file->end_func - file->first_func,
                        annotate_file_name(input, options, file->i_file), out);
    else
      n_hidden++;
    into->n_samples += file->n_samples;
    into->n_executed += file->n_executed;
    into->end_line += file->end_line - file->first_line;
    into->n_funcs_called += file->n_funcs_called;
    into->end_func += file->end_func - file->first_func;
  }
  if (n_hidden > 0) {
    char name[80];
    snprintf(name, sizeof(name), "(%zu file%s not shown; see --all)", n_hidden,
             n_hidden == 1 ? "" : "s");
    print_summary_row(input, rest.n_samples, rest.n_executed, rest.end_line,
                      rest.n_funcs_called, rest.end_func, name, out);
  }
  if (input->times->n_samples_lost > 0)
    print_summary_row(input, input->times->n_samples_lost, 0, 0, 0, 0,
                      "(code without line information)", out);
  if (input->libraries->n_samples_outside > 0)
    print_summary_row(input, input->libraries->n_samples_outside, 0, 0, 0, 0,
                      "(libraries and the kernel)", out);
  print_summary_row(input, input->times->n_samples,
                    total.n_executed + rest.n_executed,
                    total.end_line + rest.end_line,
                    total.n_funcs_called + rest.n_funcs_called,
                    total.end_func + rest.end_func, "total", out);
  row_write(out);
}
