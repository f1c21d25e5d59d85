/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the page of tests, and for scripts of other pages the names of tests
 * and the functions that each one ran.
 */
#include "base/err.h"
#include "html/html_parts.h"
#include "html/html_text.h"
#include "html/packed.h"

#include <stdlib.h>
#include <string.h>

// --- The page ---

/** Append a name as the part of an address after "#". */
static void add_encoded(struct row *row, const char *name) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
                              "wxyz0123456789-_.~/";
  for (; *name; name++) {
    if (strchr(plain, *name))
      row_add(row, name, 1);
    else
      row_add_format(row, "%%%02X", (unsigned char)*name);
  }
}

static int write_page(const struct html_report *report, struct err *err) {
  const struct report_tests *const tests = &report->tests;
  struct page page = {
      .kind = PAGE_TESTS, .title = "Tests", .frame = &report->pages.frame};
  struct row *const row = &page.row;
  if (page_begin(&report->pages.site, "tests.html", &page, err))
    return -1;
  ROW_ADD(row, "<h1>Tests</h1>\n<p class=\"lead\">Each test with the number of "
               "functions of this report that it ran; its name leads to "
               "them.</p>\n<div class=\"filter\"></div>\n");
  page_add_scroll(&page, "Tests");
  ROW_ADD(row, "<table class=\"sortable\">\n<thead><tr>"
               "<th scope=\"col\">Test</th>"
               "<th scope=\"col\" class=\"n\">Functions</th></tr></thead>\n"
               "<tbody>\n");
  for (size_t i = 0; i < tests->index.n_names; i++) {
    ROW_ADD(row, "<tr><td><a href=\"functions.html#test=");
    add_encoded(row, tests->index.names[i]);
    ROW_ADD(row, "\">");
    html_add(row, tests->index.names[i]);
    ROW_ADD(row, "</a></td><td class=\"n\">");
    html_add_number(row, tests->n_funcs[i]);
    ROW_ADD(row, "</td></tr>\n");
  }
  ROW_ADD(row, "</tbody></table></div>\n");
  return page_end(&page, 0, err);
}

// --- The data ---

static int write_names(const struct html_report *report, struct err *err) {
  const struct context_index *const index = &report->tests.index;
  struct packed_file file;
  if (packed_file_begin(&report->pages.site, "tests", &file, err))
    return -1;
  json_array_begin(&file.packed.json, NULL);
  for (size_t i = 0; i < index->n_names; i++)
    json_text(&file.packed.json, NULL, index->names[i]);
  json_array_end(&file.packed.json);
  return packed_file_end(&file, 0, err);
}

/** Write the sets of functions, each once, and the set of each function. */
static int put_sets(const struct html_report *report, struct json *json,
                    struct err *err) {
  const struct report_tests *const tests = &report->tests;
  const uint32_t n_funcs = report->funcs.n_funcs;
  uint32_t *const numbers = calloc(tests->n_sets, sizeof(*numbers)); // + 1
  uint32_t n = 0;
  int rc = numbers ? 0 : err_no_memory(err);
  json_object_begin(json, NULL);
  json_array_begin(json, "sets");
  for (uint32_t i = 0; rc == 0 && i < n_funcs; i++) {
    const uint32_t set = tests->of_func[i];
    if (numbers[set])
      continue;
    numbers[set] = ++n;
    rc = report_tests_put_set(tests, set, json, err);
  }
  json_array_end(json);
  json_array_begin(json, "of");
  for (uint32_t i = 0; rc == 0 && i < n_funcs; i++)
    json_integer(json, NULL, numbers[tests->of_func[i]] - 1);
  json_array_end(json);
  json_object_end(json);
  free(numbers);
  return rc;
}

static int write_sets(const struct html_report *report, struct err *err) {
  struct packed_file file;
  if (packed_file_begin(&report->pages.site, "tested", &file, err))
    return -1;
  const int rc = put_sets(report, &file.packed.json, err);
  return packed_file_end(&file, rc, err);
}

int html_write_tests(const struct html_report *report, struct err *err) {
  static const char *const names[] = {"tests.html", "data/tests.js",
                                      "data/tested.js"};
  if (report_tests_exist(&report->tests))
    return write_page(report, err) || write_names(report, err) ||
                   write_sets(report, err)
               ? -1
               : 0;
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
    if (site_remove_file(&report->pages.site, names[i], err))
      return -1;
  return 0;
}
