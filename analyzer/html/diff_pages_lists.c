/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the tables of a comparison: rows that differ, the largest differences
 * first. Exact counts and sampled times are never in one table.
 */
#include "base/err.h"
#include "debug/func_names.h"
#include "html/diff_pages_parts.h"
#include "html/highlight.h"
#include "html/html_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rows of a page: as many as browsers sort without a noticeable delay.
enum { MAX_ROWS = 2000 };

// --- Rows ---

static void add_counts(struct row *row, const uint64_t *counts) {
  ROW_ADD(row, "</td><td class=\"n wide\">");
  html_add_number(row, counts[DIFF_A]);
  ROW_ADD(row, "</td><td class=\"n\">");
  html_add_number(row, counts[DIFF_B]);
  ROW_ADD(row, "</td>");
  diff_pages_add_change(row, counts);
}

/** Append the place of a function; that of B has the link. */
static void add_where(const struct diff_pages *report,
                      const struct diff_func *func, struct page *page) {
  ROW_ADD(&page->row, "<td class=\"wide at\">");
  if (func->file && func->line) {
    const size_t i_file = diff_pages_find_file(report, func->file);
    const char *const slash = strrchr(func->file, '/');
    html_add(&page->row, i_file != DIFF_PAGES_NONE
                             ? report->pages.files[i_file].name
                         : slash ? slash + 1
                                 : func->file);
    row_add_format(&page->row, ":%" PRIu32, func->line);
  }
  if (func->program) {
    ROW_ADD(&page->row, " in ");
    html_add(&page->row, func->program);
  }
  ROW_ADD(&page->row, "</td></tr>\n");
}

static void add_func_calls(const struct diff_pages *report, size_t i,
                           struct page *page) {
  const struct diff_func *const func = &report->input->diff->funcs[i];

  diff_pages_add_func(report, page, func);
  add_counts(&page->row, func->calls);
  add_where(report, func, page);
}

static void add_times(const struct diff_pages *report,
                      const struct diff_func *func,
                      const struct diff_time *times, const bool *is_estimate,
                      struct page *page) {
  const double a = times[DIFF_A].time, b = times[DIFF_B].time;
  struct row *const row = &page->row;

  diff_pages_add_func(report, page, func);
  row_add_format(
      row,
      "</td><td class=\"n wide\">%s%.2f</td><td class=\"n\">%s%.2f</td>"
      "<td class=\"n %s\">%+.2f</td><td class=\"n\">±%.2f</td>"
      "<td class=\"n wide\">",
      is_estimate[DIFF_A] ? "~" : "", a, is_estimate[DIFF_B] ? "~" : "", b,
      b > a ? "more" : "less", b - a,
      hypot(times[DIFF_A].error, times[DIFF_B].error));
  diff_pages_add_percent(row, a, b);
  ROW_ADD(row, "</td>");
  add_where(report, func, page);
}

static const bool no_estimate[DIFF_SIDES];

static void add_self(const struct diff_pages *report, size_t i,
                     struct page *page) {
  const struct diff_func *const func = &report->input->diff->funcs[i];

  add_times(report, func, func->self, no_estimate, page);
}

static void add_total(const struct diff_pages *report, size_t i,
                      struct page *page) {
  const struct diff_func *const func = &report->input->diff->funcs[i];

  add_times(report, func, func->total, func->is_estimate, page);
}

static void add_end_of_call(const struct diff_pages *report, const char *name,
                            const char *unknown, struct page *page) {
  const struct diff_func *const func =
      *name ? diff_pages_find_func(report, name) : NULL;

  if (func) {
    diff_pages_add_func(report, page, func);
    return;
  }
  char *const text = *name ? func_name_demangle(name) : NULL;
  html_add(&page->row, text ? text : *name ? name : unknown);
  free(text);
}

static void add_call(const struct diff_pages *report, size_t i,
                     struct page *page) {
  const struct diff_call *const call = &report->input->diff->calls[i];

  add_end_of_call(report, call->caller, "(unknown)", page);
  if (call->file) {
    ROW_ADD(&page->row, " in ");
    html_add(&page->row, call->file);
  }
  ROW_ADD(&page->row, "</td><td>");
  add_end_of_call(report, call->callee, "(indirect call)", page);
  add_counts(&page->row, call->count);
  ROW_ADD(&page->row, "</tr>\n");
}

static void add_line(const struct diff_pages *report, size_t i,
                     struct page *page) {
  const struct diff_line *const line = &report->input->diff->lines[i];
  bool is_in_comment = false;

  diff_pages_add_place(report, page, line->i_file, line->line[DIFF_B]);
  add_counts(&page->row, line->count);
  ROW_ADD(&page->row, "<td class=\"wide\"><code>");
  if (report->texts[i])
    highlight_add(&page->row, report->texts[i], strlen(report->texts[i]),
                  HIGHLIGHT_HTML, &is_in_comment);
  ROW_ADD(&page->row, "</code></td></tr>\n");
}

// --- Tables ---

enum columns { COUNTS, TIMES };

/** How each is shown. */
static const struct {
  const char *label;
  const char *heads; // of the first columns
  enum columns columns;
  const char *last; // head of the last column; NULL: there is none
  void (*add)(const struct diff_pages *report, size_t i, struct page *page);
} tables[] = {
    [DIFF_FUNC_CALLS] = {"Calls of functions",
                         "<th scope=\"col\">Function</th>", COUNTS, "Where",
                         add_func_calls},
    [DIFF_FUNC_SELF] = {"Self time of functions",
                        "<th scope=\"col\">Function</th>", TIMES, "Where",
                        add_self},
    [DIFF_FUNC_TOTAL] = {"Total time of functions",
                         "<th scope=\"col\">Function</th>", TIMES, "Where",
                         add_total},
    [DIFF_CALLS] = {"Calls from function to function",
                    "<th scope=\"col\">From</th><th scope=\"col\">To</th>",
                    COUNTS, NULL, add_call},
    [DIFF_LINES] = {"Executions of lines", "<th scope=\"col\">Line</th>",
                    COUNTS, "Source", add_line},
};

static void add_head(enum diff_table table, struct page *page) {
  struct row *const row = &page->row;

  page_add_scroll(page, tables[table].label);
  row_add_format(row,
                 "<table class=\"functions sortable\">\n<thead><tr>%s"
                 "<th scope=\"col\" class=\"n wide\">A</th>"
                 "<th scope=\"col\" class=\"n\">B</th>"
                 "<th scope=\"col\" class=\"n\">Change</th>",
                 tables[table].heads);
  row_add_text(row, tables[table].columns == TIMES
                        ? "<th scope=\"col\" class=\"n\">±</th>"
                          "<th scope=\"col\" class=\"n wide\">%</th>"
                        : "<th scope=\"col\" class=\"n\">%</th>");
  if (tables[table].last)
    row_add_format(row, "<th scope=\"col\" class=\"wide\">%s</th>",
                   tables[table].last);
  ROW_ADD(row, "</tr></thead>\n<tbody>\n");
}

int diff_pages_add_table(const struct diff_pages *report, enum diff_table table,
                         size_t max_rows, struct page *page, struct err *err) {
  struct row *const row = &page->row;
  struct diff_rank rank;

  if (diff_rank(report->input->diff, table, &rank, err))
    return -1;
  const size_t n = rank.n < max_rows ? rank.n : max_rows;
  if (rank.n == 0) {
    ROW_ADD(row, "<p>No difference.</p>\n");
  } else {
    add_head(table, page);
    for (size_t i = 0; i < n; i++) {
      ROW_ADD(row, "<tr><td>");
      tables[table].add(report, rank.rows[i], page);
    }
    ROW_ADD(row, "</tbody></table></div>\n");
  }
  if (n < rank.n) {
    ROW_ADD(row, "<p>");
    html_add_number(row, n);
    ROW_ADD(row, " of ");
    html_add_number(row, rank.n);
    row_add_text(row, max_rows < MAX_ROWS
                          ? ".</p>\n"
                          : ", the largest differences first; <code>arcline "
                            "diff --top=0</code> prints all.</p>\n");
  }
  free(rank.rows);
  return 0;
}

// --- Pages ---

static int begin(const struct diff_pages *report, enum page_kind kind,
                 const char *name, const char *title, const char *lead,
                 struct page *page, struct err *err) {
  *page = (struct page){
      .kind = kind, .title = title, .frame = &report->pages.frame};
  if (page_begin(&report->pages.site, name, page, err))
    return -1;
  row_add_format(&page->row,
                 "<h1>%s</h1>\n<p class=\"lead\">%s</p>\n"
                 "<div class=\"filter\"></div>\n",
                 title, lead);
  return 0;
}

static int write_list(const struct diff_pages *report, enum page_kind kind,
                      const char *name, enum diff_table table,
                      const char *title, const char *lead, struct err *err) {
  struct page page;

  if (begin(report, kind, name, title, lead, &page, err))
    return -1;
  const int rc = diff_pages_add_table(report, table, MAX_ROWS, &page, err);
  return page_end(&page, rc, err);
}

static int write_times(const struct diff_pages *report, struct err *err) {
  const struct diff *const diff = report->input->diff;
  struct page page;

  if (begin(report, PAGE_TIMES, "times.html", "Times of functions",
            "Times are sampled. Differences that may be chance are omitted: "
            "with a probability of 95 %, all differences are correct within "
            "the value after ±.",
            &page, err))
    return -1;
  if (!diff->has_time[DIFF_A] || !diff->has_time[DIFF_B]) {
    ROW_ADD(&page.row, "<p>Not both profiles have samples.</p>\n");
    return page_end(&page, 0, err);
  }
  ROW_ADD(&page.row, "<h2>Self time, in ");
  html_add(&page.row, diff->unit);
  ROW_ADD(&page.row, "</h2>\n");
  int rc = diff_pages_add_table(report, DIFF_FUNC_SELF, MAX_ROWS, &page, err);
  row_add_text(&page.row, diff->is_measured
                              ? "<h2>Total time, measured by call stacks, or, "
                                "after a ~, propagated by calls</h2>\n"
                              : "<h2>Total time, propagated by calls</h2>\n");
  if (rc == 0)
    rc = diff_pages_add_table(report, DIFF_FUNC_TOTAL, MAX_ROWS, &page, err);
  return page_end(&page, rc, err);
}

int diff_pages_write_lists(const struct diff_pages *report, struct err *err) {
  return write_list(report, PAGE_CALLED, "functions.html", DIFF_FUNC_CALLS,
                    "Calls of functions",
                    "Calls are exact. Functions with the same number of calls "
                    "in A and B are omitted.",
                    err) ||
                 write_list(report, PAGE_CALLS, "calls.html", DIFF_CALLS,
                            "Calls from function to function",
                            "Calls are exact. The caller is the function in "
                            "the source, even if it was inlined into others.",
                            err) ||
                 write_list(report, PAGE_LINES, "lines.html", DIFF_LINES,
                            "Executions of lines",
                            "Executions are exact. Lines of A and B are "
                            "matched by their text, or by their distance from "
                            "the first line of the function.",
                            err) ||
                 write_times(report, err)
             ? -1
             : 0;
}
