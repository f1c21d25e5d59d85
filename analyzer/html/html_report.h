/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A profile as a folder of linked pages: `arcline html`. Here is what all pages
 * share: the names of pages of source files, links to lines, and the order in
 * which everything is written. All output follows from the input alone.
 */
#ifndef ARCLINE_HTML_REPORT_H
#define ARCLINE_HTML_REPORT_H

#include "counts/hot_lines.h"
#include "debug/file_table.h"
#include "html/func_list.h"
#include "html/page.h"
#include "html/page_names.h"
#include "html/site.h"
#include "report/annotate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct branch_counts;
struct err;
struct graph_profile;
struct inlined;
struct programs;
struct source_paths;

/** Lines on a page: a longer file has several. */
enum { HTML_PAGE_LINES = 4000 };

/** What is reported. Everything is borrowed. */
struct html_input {
  const struct annotate_input *lines;
  const struct annotate_list *list; /* all files; the order does not matter */
  const struct branch_counts *branches;
  const struct graph_profile *program; /* with inlined functions */
  const struct inlined *inlined;
  const struct programs *programs; /* that the program is of */
  const struct source_paths *sources;
  struct flow_data *flow; /* lines are of it; names of files are added */
  const char *name;       /* of the program */
};

/** What pages share. */
struct html_report {
  const struct html_input *input;
  struct site site;
  struct page_frame frame;
  struct func_list funcs;
  const struct annotate_file **files; /* as they are shown: by folder, name */
  size_t n_files;
  struct page_names names; /* by number of a file */
  size_t n_root_bytes;     /* of the folder that all of the program's are in */
  struct hot_lines hot;    /* some */
  char **hot_texts;        /* of these, as far as they are found */
};

/**
 * Write a report.
 *
 * folder     made if it does not exist.
 * is_forced  a folder with other files in it will do, too.
 *
 * Returns 0; or -1 with *err set: site_open(); what cannot be written; no
 * memory. Source files that cannot be had are warned of.
 */
int html_report_write(const struct html_input *input, const char *folder,
                      bool is_forced, struct err *err);

/** The name of a file as the report shows it: without the folder that all of
 * the program's are in. */
const char *html_file_name(const struct html_report *report, uint32_t i_file);

/** Append it. */
void html_add_file(const struct html_report *report, struct page *page,
                   uint32_t i_file);

/** Append the address of a line on the page of its file. Returns false, with
 * nothing appended, if there is no such page. */
bool html_add_address(const struct html_report *report, struct page *page,
                      const struct flow_line *pos);

/** Append a place, as file and line, with a link to it if it has a page. */
void html_add_place(const struct html_report *report, struct page *page,
                    const struct flow_line *pos);

/** Append a function's name, with a link to it if it has a page. */
void html_add_function(const struct html_report *report, struct page *page,
                       uint32_t i_func);

/** Append how often a function was called, if that is known: of libraries'
 * functions it may not be. */
void html_add_calls(const struct html_func *func, struct row *row);

/** Append a time, and what share of all it is: two cells of a row, empty if
 * there is none. */
void html_add_time_cells(const struct html_report *report, struct page *page,
                         double n_samples);
/** The same, with a mark if it is an estimate among times that are measured. */
void html_add_total_cells(const struct html_report *report, struct page *page,
                          double n_samples, bool is_estimate);

/** Rate of samples, all samples. */
static inline uint32_t html_rate(const struct html_report *report) {
  return report->input->lines->rate_hz;
}
double html_all_samples(const struct html_report *report);

/** Samples of the hottest line. */
static inline double html_hottest(const struct html_report *report) {
  return report->hot.n_lines ? report->hot.lines[0].n_samples : 0;
}

/* Each of these writes pages, or data of them. 0, or -1 with *err set. */
int html_write_overview(const struct html_report *report, struct err *err);
int html_write_functions(const struct html_report *report, struct err *err);
int html_write_flame(const struct html_report *report, struct err *err);
int html_write_source(struct html_report *report,
                      const struct annotate_file *file, struct err *err);

/** Append the address of a part of a file, from 0, from another one's. */
void html_add_part(const struct html_report *report, struct row *row,
                   uint32_t i_file, uint32_t part);

#endif
