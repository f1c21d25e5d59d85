/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints the results of gates. */
#include "report/diff_report_parts.h"

#include <stdlib.h>

/** Count the digits with which a value is on the same side of a gate's limit as
 * without rounding, and not 100 % unless it is that. */
static int count_digits(const struct gate *gate,
                        const struct gate_value *value) {
  const double limit = gate->limit;
  int n = 4;

  for (; n < 10 && !gate->is_change; n++) {
    char text[CELL_BYTES];
    snprintf(text, sizeof(text), "%.*g", n, value->b);
    const double shown = strtod(text, NULL);
    if ((shown < limit) == (value->b < limit) &&
        (shown > limit) == (value->b > limit) &&
        (shown < 100) == (value->b < 100))
      break;
  }
  return n;
}

void diff_report_value(const struct gate *gate, const struct gate_value *value,
                       char text[DIFF_REPORT_VALUE_BYTES]) {
  const bool is_coverage = gate->metric >= GATE_LINES;
  char before[CELL_BYTES] = "", change[CELL_BYTES] = "", error[CELL_BYTES] = "";

  const int n_digits = is_coverage ? count_digits(gate, value) : 10;

  if (gate->is_change)
    snprintf(before, CELL_BYTES, "%.*g -> ", n_digits, value->a);
  if (gate->is_change && !is_coverage && value->a != 0)
    snprintf(change, CELL_BYTES, " (%+.2f %%)",
             100 * (value->b - value->a) / value->a);
  if (value->error > 0)
    snprintf(error, CELL_BYTES, " ±%.2f", value->error);
  snprintf(text, DIFF_REPORT_VALUE_BYTES,
           is_coverage ? "%s%.*g %%%s%s" : "%s%.*g%s%s", before, n_digits,
           value->b, change, error);
}

/** Print the name that a value belongs to, and the value. */
static void put_value(const struct diff_page *page, const struct gate *gate,
                      const struct gate_value *value) {
  char text[DIFF_REPORT_VALUE_BYTES];

  if (value->name && value->line > 0)
    diff_put_place(page, value->name, value->line);
  else if (value->name && value->is_file)
    diff_put_name(page, diff_short_name(page->options, value->name));
  else if (value->name)
    diff_put_func(page, value->name);
  if (value->func_file) {
    fputc(' ', page->out);
    diff_put_place(page, value->func_file, value->func_line);
  }
  if (value->program) {
    fputs(" in ", page->out);
    diff_put_name(page, value->program);
  }
  diff_report_value(gate, value, text);
  fprintf(page->out, "%s%s", value->name ? " " : "", text);
}

/** Print the head of a line about a gate. ink: of a terminal. */
static void put_verdict(const struct diff_page *page, const struct gate *gate,
                        const char *verdict, int ink) {
  if (page->options->is_markdown)
    fprintf(page->out, "- **%s** ", verdict);
  else if (page->options->is_colored)
    fprintf(page->out, "\033[%dm%s\033[0m ", ink, verdict);
  else
    fprintf(page->out, "%s ", verdict);
  diff_put_name(page, gate->text);
  fputs(": ", page->out);
}

void diff_report_failure(const struct diff_report_options *options,
                         const struct gate *gate,
                         const struct gate_value *value, FILE *out) {
  const struct diff_page page = {.options = options, .out = out};

  put_verdict(&page, gate, "failed", 31);
  put_value(&page, gate, value);
  fputc('\n', out);
}

void diff_report_passed(const struct diff_report_options *options,
                        const struct gate_result *result, FILE *out) {
  const struct diff_page page = {.options = options, .out = out};

  put_verdict(&page, result->gate, "passed", 32);
  if (result->has_closest)
    put_value(&page, result->gate, &result->closest);
  else
    fputs("no code was changed", out);
  fputc('\n', out);
}
