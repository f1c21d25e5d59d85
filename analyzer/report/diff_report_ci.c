/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints the results of gates, and changed lines that never ran, for continuous
 * integration: as JUnit's XML, and as workflow commands of GitHub.
 */
#include "base/err.h"
#include "base/xml.h"
#include "debug/func_names.h"
#include "report/diff_report_parts.h"

#include <inttypes.h>
#include <stdlib.h>

/** The value of a gate, after the name that it belongs to; to free(), NULL (no
 * memory). */
static char *describe(const struct diff_page *page, const struct gate *gate,
                      const struct gate_value *value) {
  const struct diff_report_options *const options = page->options;
  char number[DIFF_REPORT_VALUE_BYTES];
  char *const demangled = value->name && !value->is_file && value->line == 0
                              ? func_name_demangle(value->name)
                              : NULL;
  const char *const name = demangled     ? demangled
                           : value->name ? diff_short_name(options, value->name)
                                         : "";
  char *text;
  int n;

  diff_report_value(gate, value, number);
  if (value->line > 0)
    n = asprintf(&text, "%s:%" PRIu32 " %s", name, value->line, number);
  else if (value->func_file)
    n = asprintf(&text, "%s %s:%" PRIu32 " %s", name,
                 diff_short_name(options, value->func_file), value->func_line,
                 number);
  else
    n = asprintf(&text, "%s%s%s%s%s", name, value->program ? " in " : "",
                 value->program ? value->program : "", value->name ? " " : "",
                 number);
  free(demangled);
  return n < 0 ? NULL : text;
}

// --- JUnit ---

static int put_case(const struct diff_page *page, struct xml *xml,
                    const struct gate_result *result) {
  const char *const kind = result->gate->is_minimum ? "minimum" : "condition";

  xml_begin(xml, "testcase");
  xml_text(xml, "classname", "arcline.diff");
  xml_text(xml, "name", result->gate->text);
  for (size_t i = 0; i < result->n_failed; i++) {
    char *const text = describe(page, result->gate, &result->failed[i]);
    if (!text)
      return -1;
    // One element: readers show the first only.
    if (i == 0) {
      xml_begin(xml, "failure");
      xml_text(xml, "type", kind);
      xml_text(xml, "message", text);
    }
    xml_line(xml, text);
    free(text);
  }
  if (result->n_failed > 0)
    xml_end(xml, "failure");
  xml_end(xml, "testcase");
  return 0;
}

/** Append the changed lines that never ran, as output of the tests. */
static int put_lines(const struct diff_page *page, struct xml *xml) {
  const struct diff *const diff = page->diff;

  xml_begin(xml, "system-out");
  for (size_t i = 0; i < diff->n_uncovered; i++) {
    const struct diff_uncovered *const line = &diff->uncovered[i];
    char *const text = diff_line_text(page, line->file, line->line), *row;
    const int n = asprintf(&row, "%s:%" PRIu32 ": changed line never ran: %s",
                           diff_short_name(page->options, line->file),
                           line->line, text ? text : "");
    free(text);
    if (n < 0)
      return -1;
    xml_line(xml, row);
    free(row);
  }
  xml_end(xml, "system-out");
  return 0;
}

static void put_suite(struct xml *xml, const char *element, size_t n_tests,
                      size_t n_failed) {
  xml_begin(xml, element);
  xml_text(xml, "name", "arcline diff");
  xml_integer(xml, "tests", n_tests);
  xml_integer(xml, "failures", n_failed);
  xml_integer(xml, "errors", 0);
}

int diff_report_junit(const struct diff *diff,
                      const struct diff_report_options *options,
                      const struct gate_result *results, size_t n_results,
                      FILE *out, struct err *err) {
  struct diff_kept_text kept = {0};
  const struct diff_page page = {diff, options, out, &kept};
  struct xml xml = {.stream = out};
  size_t n_failed = 0;
  int rc = 0;

  for (size_t i = 0; i < n_results; i++)
    n_failed += results[i].n_failed > 0;
  xml_document(&xml, "testsuites", NULL);
  put_suite(&xml, "testsuites", n_results, n_failed);
  put_suite(&xml, "testsuite", n_results, n_failed);
  for (size_t i = 0; rc == 0 && i < n_results; i++)
    rc = put_case(&page, &xml, &results[i]);
  if (rc == 0 && diff->n_uncovered > 0)
    rc = put_lines(&page, &xml);
  xml_end(&xml, "testsuite");
  xml_end(&xml, "testsuites");
  source_release(&kept.text);
  return rc == 0 ? 0 : err_no_memory(err);
}

// --- GitHub ---

/** Print a value of a workflow command. is_property: it ends at a comma. */
static void put_escaped(const char *text, bool is_property, FILE *out) {
  for (; *text; text++) {
    const unsigned char byte = (unsigned char)*text;
    if (byte == '%' || byte < ' ' || byte == 0x7f ||
        (is_property && (byte == ':' || byte == ',')))
      fprintf(out, "%%%02X", byte);
    else
      fputc(byte, out);
  }
}

/** Print a command. file: NULL: of no place. last: of several lines. */
static void put_command(const struct diff_page *page, const char *command,
                        const char *title, const char *file, uint32_t line,
                        uint32_t last, const char *message) {
  FILE *const out = page->out;

  fprintf(out, "::%s ", command);
  if (file) {
    fputs("file=", out);
    put_escaped(diff_short_name(page->options, file), true, out);
    if (line > 0)
      fprintf(out, ",line=%" PRIu32, line);
    if (last > line)
      fprintf(out, ",endLine=%" PRIu32, last);
    fputc(',', out);
  }
  fputs("title=", out);
  put_escaped(title, true, out);
  fputs("::", out);
  put_escaped(message, false, out);
  fputc('\n', out);
}

static int put_failures(const struct diff_page *page,
                        const struct gate_result *result) {
  const size_t max = page->options->max_rows;

  for (size_t i = 0; i < result->n_failed && (max == 0 || i < max); i++) {
    const struct gate_value *const value = &result->failed[i];
    const bool has_place = value->line > 0 || value->is_file;
    char *const text = describe(page, result->gate, value);
    if (!text)
      return -1;
    put_command(page, "error", result->gate->text,
                has_place ? value->name : value->func_file,
                has_place ? value->line : value->func_line, 0, text);
    free(text);
  }
  return 0;
}

/** Print lines that follow one another as one. Returns the index of the next
 * one. */
static size_t put_uncovered(const struct diff_page *page, size_t i) {
  const struct diff_uncovered *const lines = page->diff->uncovered;
  size_t end = i + 1;

  while (end < page->diff->n_uncovered && lines[end].file == lines[i].file &&
         lines[end].line == lines[end - 1].line + 1)
    end++;
  char *const text = diff_line_text(page, lines[i].file, lines[i].line);
  put_command(
      page, "warning",
      end > i + 1 ? "Changed lines never ran" : "Changed line never ran",
      lines[i].file, lines[i].line, lines[end - 1].line, text ? text : "");
  free(text);
  return end;
}

int diff_report_github(const struct diff *diff,
                       const struct diff_report_options *options,
                       const struct gate_result *results, size_t n_results,
                       FILE *out, struct err *err) {
  struct diff_kept_text kept = {0};
  const struct diff_page page = {diff, options, out, &kept};
  size_t n = 0;
  int rc = 0;

  for (size_t i = 0; rc == 0 && i < n_results; i++)
    if (results[i].n_failed > 0)
      rc = put_failures(&page, &results[i]);
    else
      diff_report_passed(options, &results[i], out);
  for (size_t i = 0; rc == 0 && i < diff->n_uncovered; n++) {
    if (options->max_rows && n == options->max_rows)
      break;
    i = put_uncovered(&page, i);
  }
  source_release(&kept.text);
  return rc == 0 ? 0 : err_no_memory(err);
}
