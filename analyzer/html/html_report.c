/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/html_report.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/progress.h"
#include "counts/code_lines.h"
#include "html/html_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- Names of pages ---

static const char *name_of(const struct html_report *report, uint32_t i_file) {
  return report->input->lines->files->names[i_file];
}

const char *html_file_name(const struct html_report *report, uint32_t i_file) {
  const char *const name = name_of(report, i_file);
  if (report->n_files == 0)
    return name;
  const char *const first = name_of(report, report->files[0]->i_file);
  return strncmp(name, first, report->n_root_bytes) == 0
             ? name + report->n_root_bytes
             : name;
}

static int name_pages(struct html_report *report, struct err *err) {
  const size_t n = report->input->lines->files->n_names;
  const char **const names = calloc(n + 1, sizeof *names);
  if (!names)
    return err_no_memory(err);
  for (size_t i = 0; i < report->n_files; i++)
    names[report->files[i]->i_file] =
        html_file_name(report, report->files[i]->i_file);
  const int rc = page_names_build(names, n, &report->names, err);
  free(names);
  return rc;
}

void html_add_part(const struct html_report *report, struct row *row,
                   uint32_t i_file, uint32_t part) {
  row_add_text(row, report->names.pages[i_file]);
  if (part)
    row_add_format(row, ".%" PRIu32, part + 1);
  ROW_ADD(row, ".html");
}

// --- Files ---

/** The program's own files first; then by folder; then by name. */
static int compare_files(const void *left, const void *right,
                         const void *context) {
  const struct html_report *const report = context;
  const struct annotate_file *const a =
      *(const struct annotate_file *const *)left;
  const struct annotate_file *const b =
      *(const struct annotate_file *const *)right;
  if (a->is_system != b->is_system)
    return a->is_system - b->is_system;
  const char *const name_a = name_of(report, a->i_file);
  const char *const name_b = name_of(report, b->i_file);
  const size_t n_a = page_names_folder(name_a), n_b = page_names_folder(name_b);
  const int order = strncmp(name_a, name_b, n_a < n_b ? n_a : n_b);
  if (order)
    return order;
  return n_a != n_b ? (n_a > n_b) - (n_a < n_b) : strcmp(name_a, name_b);
}

/** Find the folder that all files of the program are in, not those of the
 * system, which come last. */
static int find_root(struct html_report *report, struct err *err) {
  const char **const names = calloc(report->n_files + 1, sizeof *names);
  size_t n = 0;
  if (!names)
    return err_no_memory(err);
  while (n < report->n_files &&
         report->files[n]->is_system == report->files[0]->is_system) {
    names[n] = name_of(report, report->files[n]->i_file);
    n++;
  }
  report->n_root_bytes = page_names_root(names, n);
  free(names);
  return 0;
}

static int list_files(struct html_report *report, struct err *err) {
  const struct annotate_list *const list = report->input->list;
  report->files = calloc(list->n_files + 1, sizeof *report->files);
  if (!report->files)
    return err_no_memory(err);
  for (size_t i = 0; i < list->n_files; i++)
    report->files[report->n_files++] = &list->files[i];
  if (merge_sort(report->files, report->n_files, sizeof *report->files,
                 compare_files, report))
    return err_no_memory(err);
  return find_root(report, err) || name_pages(report, err) ? -1 : 0;
}

// --- Parts of pages ---

void html_add_file(const struct html_report *report, struct page *page,
                   uint32_t i_file) {
  html_add(&page->row, html_file_name(report, i_file));
}

bool html_add_address(const struct html_report *report, struct page *page,
                      const struct flow_line *pos) {
  if (pos->i_file >= report->names.n || !report->names.pages[pos->i_file])
    return false;
  const uint32_t part = pos->line ? (pos->line - 1) / HTML_PAGE_LINES : 0;
  row_add_text(&page->row, page->kind == PAGE_SOURCE ? "" : "src/");
  html_add_part(report, &page->row, pos->i_file, part);
  row_add_format(&page->row, "#L%" PRIu32, pos->line);
  return true;
}

void html_add_place(const struct html_report *report, struct page *page,
                    const struct flow_line *pos) {
  struct row *const row = &page->row;
  const bool has_page =
      pos->i_file < report->names.n && report->names.pages[pos->i_file];
  if (has_page) {
    ROW_ADD(row, "<a href=\"");
    html_add_address(report, page, pos);
    ROW_ADD(row, "\">");
  }
  html_add_file(report, page, pos->i_file);
  row_add_format(row, ":%" PRIu32 "%s", pos->line, has_page ? "</a>" : "");
}

void html_add_function(const struct html_report *report, struct page *page,
                       uint32_t i_func) {
  const struct html_func *const func = &report->funcs.funcs[i_func];
  // Only lines of known functions are sure to be on a page.
  const bool has_page = func->i_line_func != FUNC_NONE &&
                        func->pos.i_file < report->names.n &&
                        report->names.pages[func->pos.i_file];
  if (has_page) {
    ROW_ADD(&page->row, "<a href=\"");
    html_add_address(report, page, &func->pos);
    ROW_ADD(&page->row, "\"");
  } else if (func->brief) {
    ROW_ADD(&page->row, "<span");
  }
  if (func->brief) {
    ROW_ADD(&page->row, " title=\"");
    html_add(&page->row, func->text);
    ROW_ADD(&page->row, "\"");
  }
  if (has_page || func->brief)
    ROW_ADD(&page->row, ">");
  html_add(&page->row, func_brief(func));
  row_add_text(&page->row, has_page ? "</a>" : func->brief ? "</span>" : "");
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

// --- The whole ---

enum { N_HOT_LINES = 10 };

static int find_hot_lines(struct html_report *report, struct err *err) {
  if (hot_lines_find(report->input->lines->counts, report->input->lines->times,
                     N_HOT_LINES, &report->hot, err))
    return -1;
  report->hot_texts =
      calloc(report->hot.n_lines + 1, sizeof *report->hot_texts);
  return report->hot_texts ? 0 : err_no_memory(err);
}

/** The overview comes last: who opens it finds all that it leads to. */
static int write_pages(struct html_report *report, struct err *err) {
  if (site_begin_pages(&report->site, err) ||
      site_write_assets(&report->site, err))
    return -1;
  for (size_t i = 0; i < report->n_files; i++) {
    progress_step("writing", name_of(report, report->files[i]->i_file));
    if (html_write_source(report, report->files[i], err))
      return -1;
  }
  return html_write_flame(report, err) || html_write_functions(report, err) ||
                 html_write_overview(report, err) ||
                 site_finish(&report->site, err)
             ? -1
             : 0;
}

int html_report_write(const struct html_input *input, const char *folder,
                      bool is_forced, struct err *err) {
  struct html_report report = {
      .input = input,
      .frame = {.program = input->name,
                .command = "arcline html",
                .menu = {PAGE_OVERVIEW, PAGE_FUNCTIONS, PAGE_FLAME}}};
  if (site_open(folder, "html", is_forced, &report.site, err))
    return -1;
  int rc = 0;
  if (find_hot_lines(&report, err) ||
      func_list_build(input->program, input->inlined, input->lines->counts,
                      input->flow, &report.funcs, err) ||
      list_files(&report, err) || write_pages(&report, err))
    rc = -1;
  page_names_release(&report.names);
  free(report.files);
  for (size_t i = 0; report.hot_texts && i < report.hot.n_lines; i++)
    free(report.hot_texts[i]);
  free(report.hot_texts);
  hot_lines_release(&report.hot);
  func_list_release(&report.funcs);
  site_release(&report.site);
  return rc;
}
