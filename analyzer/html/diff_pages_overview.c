/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the first page of a comparison: both programs in numbers, results of
 * gates, the largest differences, and the files.
 */
#include "base/err.h"
#include "debug/func_names.h"
#include "diff/gate.h"
#include "html/diff_pages_parts.h"
#include "html/html_text.h"
#include "report/diff_report.h"

#include <stdlib.h>

// Rows of tables that have a page of their own; and of lists that have none.
enum { N_TOP = 10, MAX_LISTED = 1000 };

// --- Numbers ---

static void add_coverage(const struct diff *diff, size_t kind,
                         struct page *page) {
  struct row *const row = &page->row;
  static const char *const names[][N_COVERED] = {
      {"Lines executed", "Functions called", "Branches taken",
       "Values of conditions", "Conditions covered"},
      {"Changed lines executed", "Changed functions called",
       "Changed branches taken", "Changed values of conditions",
       "Changed conditions covered"}};
  const struct diff_coverage *const a = &diff->covered[DIFF_A][kind];
  const struct diff_coverage *const b = &diff->covered[DIFF_B][kind];

  if (b->n == 0)
    return;
  page_add_card(page, names[diff->is_of_changes][kind]);
  html_add_share(row, b->n_run, b->n);
  ROW_ADD(row, "<small> %</small></dd><dd class=\"sub\">of ");
  html_add_number(row, b->n);
  if (a->n > 0) {
    ROW_ADD(row, "; was ");
    html_add_share(row, a->n_run, a->n);
    ROW_ADD(row, " % of ");
    html_add_number(row, a->n);
  }
  ROW_ADD(row, "</dd><dd>");
  html_add_bar(row, (double)b->n_run, (double)b->n, "cover");
  ROW_ADD(row, "</dd></div>\n");
}

static void add_cards(const struct diff *diff, struct page *page) {
  struct row *const row = &page->row;

  ROW_ADD(row, "<dl class=\"cards\">\n");
  if (diff->has_time[DIFF_B]) {
    page_add_card(page, "Time, sampled");
    row_add_format(row, "%.2f<small> ", diff->time[DIFF_B]);
    html_add(row, diff->unit);
    ROW_ADD(row, "</small></dd>");
    if (diff->has_time[DIFF_A])
      row_add_format(row, "<dd class=\"sub\">was %.2f</dd>",
                     diff->time[DIFF_A]);
    ROW_ADD(row, "</div>\n");
  }
  page_add_card(page, "Calls, exact");
  html_add_number(row, diff->n_calls[DIFF_B]);
  ROW_ADD(row, "</dd><dd class=\"sub\">was ");
  html_add_number(row, diff->n_calls[DIFF_A]);
  ROW_ADD(row, " <b>");
  diff_pages_add_percent(row, (double)diff->n_calls[DIFF_A],
                         (double)diff->n_calls[DIFF_B]);
  ROW_ADD(row, "</b></dd></div>\n");
  for (size_t i = 0; i < N_COVERED; i++)
    add_coverage(diff, i, page);
  ROW_ADD(row, "</dl>\n");
}

// --- Gates ---

/** Append the name that a value belongs to, and the value, as an item of a
 * list. */
static void add_value(const struct diff_pages *report, const struct gate *gate,
                      const struct gate_value *value, struct page *page) {
  struct row *const row = &page->row;
  char text[DIFF_REPORT_VALUE_BYTES];

  ROW_ADD(row, "<li>");
  if (value->name && value->line > 0) {
    const size_t i_file = diff_pages_find_file(report, value->name);
    if (i_file != DIFF_PAGES_NONE)
      diff_pages_add_place(report, page, i_file, value->line);
    ROW_ADD(row, " ");
  } else if (value->name) {
    const struct diff_func *const func =
        diff_pages_find_func(report, value->name);
    char *const name = func ? NULL : func_name_demangle(value->name);
    if (func)
      diff_pages_add_func(report, page, func);
    else
      html_add(row, name ? name : value->name);
    free(name);
    if (value->program) {
      ROW_ADD(row, " in ");
      html_add(row, value->program);
    }
    ROW_ADD(row, " ");
  }
  diff_report_value(gate, value, text);
  html_add(row, text);
  ROW_ADD(row, "</li>\n");
}

static void add_gates(const struct diff_pages *report, struct page *page) {
  const struct diff_pages_input *const input = report->input;
  struct row *const row = &page->row;

  if (input->n_gates == 0)
    return;
  ROW_ADD(row, "<section><h2>Gates</h2>\n"
               "<table class=\"gates\"><thead><tr><th "
               "scope=\"col\">Condition</th><th scope=\"col\">Result</th><th "
               "scope=\"col\">Values</th></tr></thead><tbody>\n");
  for (size_t i = 0; i < input->n_gates; i++) {
    const struct gate_result *const result = &input->gates[i];
    ROW_ADD(row, "<tr><td><code>");
    html_add(row, result->gate->text);
    row_add_text(row, result->n_failed
                          ? "</code></td><td class=\"failed\">failed</td><td>"
                          : "</code></td><td class=\"passed\">passed</td><td>");
    const bool has_list = result->n_failed || result->has_closest;
    if (has_list)
      ROW_ADD(row, "<ul>\n");
    for (size_t k = 0; k < result->n_failed && k < MAX_LISTED; k++)
      add_value(report, result->gate, &result->failed[k], page);
    if (!result->n_failed && result->has_closest)
      add_value(report, result->gate, &result->closest, page);
    if (result->n_failed > MAX_LISTED)
      row_add_format(row, "<li>and %zu more</li>\n",
                     result->n_failed - MAX_LISTED);
    row_add_text(row, has_list ? "</ul></td></tr>\n" : "</td></tr>\n");
  }
  ROW_ADD(row, "</tbody></table></section>\n");
}

static void add_uncovered(const struct diff_pages *report, struct page *page) {
  const struct diff *const diff = report->input->diff;
  struct row *const row = &page->row;

  if (!diff->is_of_changes)
    return;
  ROW_ADD(row, "<section><h2>Changed lines that never ran</h2>\n");
  row_add_text(row, diff->n_uncovered ? "<ul>\n" : "<p>None.</p>\n");
  for (size_t i = 0; i < diff->n_uncovered && i < MAX_LISTED; i++) {
    const size_t i_file = diff_pages_find_file(report, diff->uncovered[i].file);
    if (i_file == DIFF_PAGES_NONE)
      continue;
    ROW_ADD(row, "<li>");
    diff_pages_add_place(report, page, i_file, diff->uncovered[i].line);
    ROW_ADD(row, "</li>\n");
  }
  if (diff->n_uncovered > MAX_LISTED)
    row_add_format(row, "<li>and %zu more</li>\n",
                   diff->n_uncovered - MAX_LISTED);
  row_add_text(row, diff->n_uncovered ? "</ul></section>\n" : "</section>\n");
}

// --- Files ---

static void add_share(struct row *row, size_t n, size_t of) {
  if (of)
    html_add_share(row, n, of);
}

static void add_file(const struct diff_pages *report, size_t i_file,
                     struct page *page) {
  const struct diff_pages_file *const file = &report->files[i_file];
  const size_t *const n = file->n_lines, *const n_run = file->n_run;
  struct row *const row = &page->row;

  ROW_ADD(row, "<tr><td>");
  diff_pages_add_place(report, page, i_file, 0);
  ROW_ADD(row, "</td><td class=\"n\">");
  html_add_number(row, file->n_changed);
  ROW_ADD(row, "</td><td class=\"n wide\">");
  add_share(row, n_run[DIFF_A], n[DIFF_A]);
  ROW_ADD(row, "</td><td class=\"n\">");
  add_share(row, n_run[DIFF_B], n[DIFF_B]);
  ROW_ADD(row, "</td><td class=\"n\">");
  if (n[DIFF_A] && n[DIFF_B])
    row_add_format(row, "%+.1f",
                   100 * ((double)n_run[DIFF_B] / (double)n[DIFF_B] -
                          (double)n_run[DIFF_A] / (double)n[DIFF_A]));
  else
    row_add_text(row, n[DIFF_B] ? "new" : "gone");
  ROW_ADD(row, "</td></tr>\n");
}

static void add_files(const struct diff_pages *report, struct page *page) {
  const struct diff *const diff = report->input->diff;
  struct row *const row = &page->row;

  if (diff->n_files == 0)
    return;
  ROW_ADD(row,
          "<section><h2>Files</h2>\n<table class=\"functions sortable\">\n"
          "<thead><tr><th scope=\"col\">File</th>"
          "<th scope=\"col\" class=\"n\">Lines that differ</th>"
          "<th scope=\"col\" class=\"n wide\">Lines&nbsp;% of A</th>"
          "<th scope=\"col\" class=\"n\">Lines&nbsp;% of B</th>"
          "<th scope=\"col\" class=\"n\">Points</th></tr></thead><tbody>\n");
  for (size_t i = 0; i < diff->n_files; i++)
    add_file(report, i, page);
  ROW_ADD(row, "</tbody></table></section>\n");
}

// --- The page ---

static int add_top(const struct diff_pages *report, const char *title,
                   enum diff_table table, const char *all, struct page *page,
                   struct err *err) {
  row_add_format(&page->row, "<section><h2>%s</h2>\n", title);
  if (diff_pages_add_table(report, table, N_TOP, page, err))
    return -1;
  row_add_format(&page->row,
                 "<p><a href=\"%s\">All of these</a></p></section>\n", all);
  return 0;
}

static int add_tops(const struct diff_pages *report, struct page *page,
                    struct err *err) {
  const struct diff *const diff = report->input->diff;

  if (add_top(report, "Functions: calls (exact)", DIFF_FUNC_CALLS,
              "functions.html", page, err) ||
      add_top(report, "Lines: executions (exact)", DIFF_LINES, "lines.html",
              page, err))
    return -1;
  return diff->has_time[DIFF_A] && diff->has_time[DIFF_B]
             ? add_top(report,
                       "Functions: self time (sampled; differences within "
                       "chance are omitted)",
                       DIFF_FUNC_SELF, "times.html", page, err)
             : 0;
}

int diff_pages_write_overview(const struct diff_pages *report,
                              struct err *err) {
  const struct diff_pages_input *const input = report->input;
  struct page page = {.kind = PAGE_OVERVIEW,
                      .title = report->title,
                      .frame = &report->pages.frame};

  if (page_begin(&report->pages.site, "index.html", &page, err))
    return -1;
  ROW_ADD(&page.row, "<h1>Two profiles compared</h1>\n<p class=\"lead\">A is ");
  html_add(&page.row, input->names[DIFF_A]);
  ROW_ADD(&page.row, ", B is ");
  html_add(&page.row, input->names[DIFF_B]);
  ROW_ADD(&page.row, ".</p>\n");
  add_cards(input->diff, &page);
  add_gates(report, &page);
  add_uncovered(report, &page);
  const int rc = add_tops(report, &page, err);
  add_files(report, &page);
  return page_end(&page, rc, err);
}
