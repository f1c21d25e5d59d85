/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/html_parts.h"

#include "counts/code_lines.h"
#include "html/html_text.h"

static struct site_place place_of(const struct html_report *report,
                                  const struct flow_line *pos) {
  return (struct site_place){.i_file = pos->i_file,
                             .part = site_pages_has(&report->pages, pos->i_file)
                                         ? part_of_line(pos->line)
                                         : PART_NONE,
                             .line = pos->line};
}

struct site_place html_func_place(const struct html_report *report,
                                  const struct html_func *func) {
  struct site_place place = place_of(report, &func->pos);
  if (func->i_line_func == FUNC_NONE)
    place.part = PART_NONE;
  return place;
}

void html_add_place(const struct html_report *report, struct page *page,
                    const struct flow_line *pos) {
  const struct site_place place = place_of(report, pos);
  site_pages_add_place(&report->pages, page, &place);
}

void html_add_function(const struct html_report *report, struct page *page,
                       uint32_t i_func) {
  const struct html_func *const func = &report->funcs.funcs[i_func];
  const struct site_place place = html_func_place(report, func);
  site_pages_add_func(&report->pages, page, &place, func->text, func->brief);
}

double html_all_samples(const struct html_report *report) {
  return report->input->lines->times->n_samples;
}

void html_add_calls(const struct html_func *func, struct row *row) {
  if (func->n_calls || func->i_line_func != FUNC_NONE)
    html_add_number(row, func->n_calls);
}

void html_add_time_cells(const struct html_report *report, struct page *page,
                         double n_samples) {
  html_add_total_cells(report, page, n_samples, false);
}

void html_add_total_cells(const struct html_report *report, struct page *page,
                          double n_samples, bool is_estimate) {
  const char *const mark = is_estimate ? "~" : "";
  struct row *const row = &page->row;
  if (!report->input->lines->has_times)
    return;
  if (n_samples <= 0) {
    ROW_ADD(row, "<td class=\"wide\"></td><td></td>");
    return;
  }
  row_add_format(row, "<td class=\"n wide\">%s", mark);
  html_add_time(row, n_samples, html_rate(report));
  row_add_format(row, "</td><td class=\"n\">%s", mark);
  html_add_percent(row, n_samples, html_all_samples(report));
  ROW_ADD(row, "</td>");
}

void html_add_time_heads(const struct html_report *report, struct row *row) {
  if (report->input->lines->has_times)
    row_add_format(row,
                   "<th scope=\"col\" class=\"n wide\">%s</th>"
                   "<th scope=\"col\" class=\"n\">%%</th>",
                   html_rate(report) ? "Self s" : "Samples");
}
