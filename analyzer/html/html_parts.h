/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Declares the pages of a profile, and the parts that they share.
 */
#ifndef ARCLINE_HTML_PARTS_H
#define ARCLINE_HTML_PARTS_H

#include "counts/hot_lines.h"
#include "html/changed_files.h"
#include "html/func_list.h"
#include "html/html_report.h"
#include "html/report_tests.h"
#include "html/site_pages.h"

#include <stddef.h>
#include <stdint.h>

/** The state that pages share. */
struct html_report {
  const struct html_input *input;
  struct site_pages pages; /* files by number, those without a page, too */
  struct func_list funcs;
  const struct annotate_file **files; /* as they are shown: by folder, name */
  size_t n_files;
  struct changed_files changed; /* by number of a file */
  struct report_tests tests;
  struct hot_lines hot; /* some */
  char **hot_texts;     /* of these, as far as they are found */
};

/** Rate of samples, all samples. */
static inline uint32_t html_rate(const struct html_report *report) {
  return report->input->lines->rate_hz;
}
double html_all_samples(const struct html_report *report);

/** Samples of the hottest line. */
static inline double html_hottest(const struct html_report *report) {
  return report->hot.n_lines ? report->hot.lines[0].n_samples : 0;
}

/** The place of a function: a page is guaranteed only for lines of functions in
 * the profile. */
struct site_place html_func_place(const struct html_report *report,
                                  const struct html_func *func);

/** Append a place, with a link to it if it has a page. */
void html_add_place(const struct html_report *report, struct page *page,
                    const struct flow_line *pos);

/** Append a function's name, with a link to it if it has a page. */
void html_add_function(const struct html_report *report, struct page *page,
                       uint32_t i_func);

/** Append the number of calls of a function, if it is known: it may not be for
 * functions of libraries. */
void html_add_calls(const struct html_func *func, struct row *row);

/** Append a time, and its share of all time: two cells of a row, empty if there
 * is none. */
void html_add_time_cells(const struct html_report *report, struct page *page,
                         double n_samples);
/** The same, with a mark if it is an estimate among times that are measured. */
void html_add_total_cells(const struct html_report *report, struct page *page,
                          double n_samples, bool is_estimate);
/** The heads of both cells. */
void html_add_time_heads(const struct html_report *report, struct row *row);

/* Each of these writes pages, or data of them. 0, or -1 with *err set. */
int html_write_overview(const struct html_report *report, struct err *err);
int html_write_functions(const struct html_report *report, struct err *err);
int html_write_flame(const struct html_report *report, struct err *err);
int html_write_tests(const struct html_report *report, struct err *err);
int html_write_source(struct html_report *report,
                      const struct annotate_file *file, struct err *err);

#endif
