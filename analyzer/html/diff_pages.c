/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/diff_pages.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/progress.h"
#include "base/short_name.h"
#include "base/sorted.h"
#include "debug/func_names.h"
#include "html/html_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Names of C++ that are longer are shortened.
enum { BRIEF_COLUMNS = 64 };

// --- Files and functions ---

size_t diff_pages_find_file(const struct diff_pages *report, const char *name) {
  const size_t i =
      sorted_find(report->by_name, report->n_by_name, sizeof *report->by_name,
                  &name, sorted_compare_names, NULL);

  return i < report->n_by_name ? report->by_name[i].i_file : DIFF_PAGES_NONE;
}

/** List files by their names. One that is on both sides is known by either. */
static int list_names(struct diff_pages *report, struct err *err) {
  const struct diff *const diff = report->input->diff;

  report->by_name =
      calloc(DIFF_SIDES * diff->n_files + 1, sizeof *report->by_name);
  if (!report->by_name)
    return err_no_memory(err);
  // B first: merge_sort() leaves those of one name in their order.
  for (int side = DIFF_B; side >= DIFF_A; side--)
    for (size_t i = 0; i < diff->n_files; i++)
      if (diff->files[i].name[side])
        report->by_name[report->n_by_name++] =
            (struct diff_pages_name){diff->files[i].name[side], i};
  return merge_sort(report->by_name, report->n_by_name, sizeof *report->by_name,
                    sorted_compare_names, NULL)
             ? err_no_memory(err)
             : 0;
}

static int compare_funcs(const void *left, const void *right,
                         const void *context) {
  const struct diff_func *const funcs = context;
  const struct diff_pages_func *const a = left, *const b = right;
  const uint32_t line_a = funcs[a->i_func].line, line_b = funcs[b->i_func].line;

  return a->i_file != b->i_file
             ? (a->i_file > b->i_file) - (a->i_file < b->i_file)
             : (line_a > line_b) - (line_a < line_b);
}

/** List the functions that B has, by place. */
static int list_funcs(struct diff_pages *report, struct err *err) {
  const struct diff *const diff = report->input->diff;

  report->funcs = calloc(diff->n_funcs + 1, sizeof *report->funcs);
  if (!report->funcs)
    return err_no_memory(err);
  for (size_t i = 0; i < diff->n_funcs; i++) {
    const struct diff_func *const func = &diff->funcs[i];
    if (!func->file || func->line == 0 || func->i_side != DIFF_B)
      continue;
    const size_t i_file = diff_pages_find_file(report, func->file);
    if (i_file != DIFF_PAGES_NONE)
      report->funcs[report->n_funcs++] = (struct diff_pages_func){i_file, i};
  }
  return merge_sort(report->funcs, report->n_funcs, sizeof *report->funcs,
                    compare_funcs, diff->funcs)
             ? err_no_memory(err)
             : 0;
}

/** Count the lines of each file, and those that differ. */
static int count_lines(struct diff_pages *report, struct err *err) {
  const struct diff *const diff = report->input->diff;

  report->files = calloc(diff->n_files + 1, sizeof *report->files);
  report->texts = calloc(diff->n_lines + 1, sizeof *report->texts);
  if (!report->files || !report->texts)
    return err_no_memory(err);
  for (size_t i = 0; i < diff->n_lines; i++) {
    const struct diff_line *const line = &diff->lines[i];
    struct diff_pages_file *const file = &report->files[line->i_file];
    for (int side = 0; side < DIFF_SIDES; side++) {
      file->n_lines[side] += line->line[side] > 0;
      file->n_run[side] += line->line[side] > 0 && line->count[side] > 0;
    }
    file->n_changed += !line->line[DIFF_A] || !line->line[DIFF_B] ||
                       line->count[DIFF_A] != line->count[DIFF_B];
  }
  return 0;
}

static int name_pages(struct diff_pages *report, struct err *err) {
  const struct diff *const diff = report->input->diff;
  const char **const names = calloc(diff->n_files + 1, sizeof *names);

  if (!names)
    return err_no_memory(err);
  for (size_t i = 0; i < diff->n_files; i++)
    names[i] = diff_file_name(&diff->files[i]);
  report->n_root_bytes = page_names_root(names, diff->n_files);
  for (size_t i = 0; i < diff->n_files; i++)
    names[i] =
        report->files[i].n_changed ? diff_pages_file_name(report, i) : NULL;
  const int rc = page_names_build(names, diff->n_files, &report->names, err);
  free(names);
  return rc;
}

const char *diff_pages_file_name(const struct diff_pages *report,
                                 size_t i_file) {
  return diff_file_name(&report->input->diff->files[i_file]) +
         report->n_root_bytes;
}

const struct diff_func *diff_pages_find_func(const struct diff_pages *report,
                                             const char *name) {
  const struct diff *const diff = report->input->diff;
  const size_t i = sorted_find(diff->funcs, diff->n_funcs, sizeof *diff->funcs,
                               &name, sorted_compare_names, NULL);

  if (i == diff->n_funcs ||
      (i + 1 < diff->n_funcs && strcmp(diff->funcs[i + 1].name, name) == 0))
    return NULL;
  return &diff->funcs[i];
}

// --- Parts of pages ---

void diff_pages_add_part(const struct diff_pages *report, struct row *row,
                         size_t i_file, uint32_t part) {
  row_add_text(row, report->names.pages[i_file]);
  if (part)
    row_add_format(row, ".%" PRIu32, part + 1);
  ROW_ADD(row, ".html");
}

/** Append the address of a line of B, unless it is on no page. */
static bool add_address(const struct diff_pages *report, struct page *page,
                        size_t i_file, uint32_t line) {
  const struct diff_pages_file *const file = &report->files[i_file];
  uint32_t part = line ? (line - 1) / DIFF_PAGES_LINES : 0;

  while (line == 0 && part < file->n_parts && !file->has_part[part])
    part++;
  if (!report->names.pages[i_file] || part >= file->n_parts ||
      !file->has_part[part])
    return false;
  ROW_ADD(&page->row, "<a href=\"");
  row_add_text(&page->row, page->kind == PAGE_SOURCE ? "" : "src/");
  diff_pages_add_part(report, &page->row, i_file, part);
  if (line)
    row_add_format(&page->row, "#L%" PRIu32, line);
  return true;
}

void diff_pages_add_place(const struct diff_pages *report, struct page *page,
                          size_t i_file, uint32_t line) {
  const bool has_page = add_address(report, page, i_file, line);

  row_add_text(&page->row, has_page ? "\">" : "");
  html_add(&page->row, diff_pages_file_name(report, i_file));
  if (line)
    row_add_format(&page->row, ":%" PRIu32, line);
  row_add_text(&page->row, has_page ? "</a>" : "");
}

void diff_pages_add_func(const struct diff_pages *report, struct page *page,
                         const struct diff_func *func) {
  char *const text = func_name_demangle(func->name);
  char *const brief = text ? short_name(text, BRIEF_COLUMNS, true) : NULL;
  const size_t i_file = func->file && func->line && func->i_side == DIFF_B
                            ? diff_pages_find_file(report, func->file)
                            : DIFF_PAGES_NONE;
  struct row *const row = &page->row;
  const bool has_page = i_file != DIFF_PAGES_NONE &&
                        add_address(report, page, i_file, func->line);

  if (has_page)
    ROW_ADD(row, "\"");
  else if (brief)
    ROW_ADD(row, "<span");
  if (brief) {
    ROW_ADD(row, " title=\"");
    html_add(row, text);
    ROW_ADD(row, "\"");
  }
  row_add_text(row, has_page || brief ? ">" : "");
  html_add(row, brief ? brief : text ? text : func->name);
  row_add_text(row, has_page ? "</a>" : brief ? "</span>" : "");
  free(brief);
  free(text);
}

const char *diff_pages_class(const uint64_t *counts) {
  return counts[DIFF_B] > counts[DIFF_A]   ? "more"
         : counts[DIFF_B] < counts[DIFF_A] ? "less"
                                           : "";
}

void diff_pages_add_percent(struct row *row, double a, double b) {
  if (a == b)
    return;
  if (a == 0)
    ROW_ADD(row, "new");
  else if (b == 0)
    ROW_ADD(row, "gone");
  else
    row_add_format(row, "%+.1f %%", 100 * (b - a) / a);
}

void diff_pages_add_change(struct row *row, const uint64_t *counts) {
  const uint64_t a = counts[DIFF_A], b = counts[DIFF_B];

  row_add_format(row, "<td class=\"n %s\">%s", diff_pages_class(counts),
                 b < a ? "-" : "+");
  html_add_number(row, b < a ? a - b : b - a);
  ROW_ADD(row, "</td><td class=\"n\">");
  diff_pages_add_percent(row, (double)a, (double)b);
  ROW_ADD(row, "</td>");
}

// --- The whole ---

/** The overview comes last: who opens it finds all that it leads to. */
static int write_pages(struct diff_pages *report, struct err *err) {
  const struct diff *const diff = report->input->diff;

  if (site_begin_pages(&report->site, err) ||
      site_write_assets(&report->site, err))
    return -1;
  for (size_t i = 0; i < diff->n_files; i++) {
    if (!report->names.pages[i])
      continue;
    progress_step("writing", diff_file_name(&diff->files[i]));
    if (diff_pages_write_source(report, i, err))
      return -1;
  }
  return diff_pages_write_lists(report, err) ||
                 diff_pages_write_overview(report, err) ||
                 site_finish(&report->site, err)
             ? -1
             : 0;
}

static void release(struct diff_pages *report) {
  const struct diff *const diff = report->input->diff;

  for (size_t i = 0; report->files && i < diff->n_files; i++)
    free(report->files[i].has_part);
  for (size_t i = 0; report->texts && i < diff->n_lines; i++)
    free(report->texts[i]);
  free(report->texts);
  free(report->files);
  free(report->lines.rows);
  free(report->funcs);
  free(report->by_name);
  free(report->title);
  page_names_release(&report->names);
  site_release(&report->site);
}

int diff_pages_write(const struct diff_pages_input *input, const char *folder,
                     bool is_forced, struct err *err) {
  struct diff_pages report = {.input = input};
  int rc = 0;

  if (asprintf(&report.title, "%s → %s", input->names[DIFF_A],
               input->names[DIFF_B]) < 0) {
    report.title = NULL;
    return err_no_memory(err);
  }
  report.frame = (struct page_frame){
      .program = report.title,
      .command = "arcline diff",
      .menu = {PAGE_OVERVIEW, PAGE_CALLED, PAGE_CALLS, PAGE_LINES, PAGE_TIMES}};
  if (site_open(folder, "diff", is_forced, &report.site, err)) {
    free(report.title);
    return -1;
  }
  if (diff_rank(input->diff, DIFF_LINES, &report.lines, err) ||
      list_names(&report, err) || count_lines(&report, err) ||
      list_funcs(&report, err) || name_pages(&report, err) ||
      write_pages(&report, err))
    rc = -1;
  release(&report);
  return rc;
}
