/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/html_report.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/progress.h"
#include "debug/file_table.h"
#include "html/file_tree.h"
#include "html/html_parts.h"
#include "profile/graph_profile.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(const struct html_report *report, uint32_t i_file) {
  return report->input->lines->files->names[i_file];
}

// --- Files ---

/** The program's own files first; then as a tree has them. */
static int compare_files(const void *left, const void *right,
                         const void *context) {
  const struct html_report *const report = context;
  const struct annotate_file *const a =
      *(const struct annotate_file *const *)left;
  const struct annotate_file *const b =
      *(const struct annotate_file *const *)right;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  return file_tree_compare(name_of(report, a->i_file),
                           name_of(report, b->i_file));
}

/** Order the files that have pages, and name all of them. */
static int list_files(struct html_report *report, struct err *err) {
  const struct annotate_list *const list = report->input->list;
  struct site_pages *const pages = &report->pages;
  report->files = calloc(list->n_files + 1, sizeof(*report->files));
  if (!report->files)
    return err_no_memory(err);
  for (size_t i = 0; i < list->n_files; i++)
    if (list->files[i].kind <= SOURCE_SYSTEM)
      report->files[report->n_files++] = &list->files[i];
  if (merge_sort(report->files, report->n_files, sizeof(*report->files),
                 compare_files, report))
    return err_no_memory(err);
  if (site_pages_add_files(pages, report->input->lines->files->n_names, err))
    return -1;
  for (uint32_t i = 0; i < pages->n_files; i++)
    pages->files[i].name = name_of(report, i);
  for (size_t i = 0; i < report->n_files; i++) {
    struct site_file *const file = &pages->files[report->files[i]->i_file];
    file->has_page = true;
    // Files of the system come last.
    file->is_own = report->files[i]->kind == report->files[0]->kind;
  }
  return site_pages_name(pages, err);
}

// --- The whole ---

enum { N_HOT_LINES = 10 };

static int find_hot_lines(struct html_report *report, struct err *err) {
  if (hot_lines_find(report->input->lines->counts, report->input->lines->times,
                     N_HOT_LINES, &report->hot, err))
    return -1;
  report->hot_texts =
      calloc(report->hot.n_lines + 1, sizeof(*report->hot_texts));
  return report->hot_texts ? 0 : err_no_memory(err);
}

/** Read the tests, and add their page to the menu if there are some. */
static int find_tests(struct html_report *report, struct err *err) {
  const struct html_input *const input = report->input;
  if (report_tests_read(input->tests, input->program->model, input->flow,
                        &report->funcs, &report->tests, err))
    return -1;
  if (report_tests_exist(&report->tests)) {
    report->pages.frame.menu[3] = PAGE_TESTS;
    report->pages.frame.has_tests = true;
  }
  return 0;
}

/** The overview is written last: if it exists, so do all pages that it links
 * to.
 */
static int write_pages(struct html_report *report, struct err *err) {
  if (site_begin_pages(&report->pages.site, err))
    return -1;
  for (size_t i = 0; i < report->n_files; i++) {
    progress_step("writing", name_of(report, report->files[i]->i_file));
    if (html_write_source(report, report->files[i], err))
      return -1;
  }
  return html_write_flame(report, err) || html_write_functions(report, err) ||
                 html_write_tests(report, err) ||
                 html_write_overview(report, err) ||
                 site_finish(&report->pages.site, err)
             ? -1
             : 0;
}

int html_report_write(const struct html_input *input, const char *folder,
                      bool is_forced, struct err *err) {
  struct html_report report = {
      .input = input,
      .pages.frame = {.program = input->name,
                      .command = "arcline html",
                      .menu = {PAGE_OVERVIEW, PAGE_FUNCTIONS, PAGE_FLAME},
                      .has_index = true}};
  if (site_open(folder, "html", is_forced, &report.pages.site, err))
    return -1;
  int rc = 0;
  if (find_hot_lines(&report, err) ||
      func_list_build(input->program, input->inlined, input->lines->counts,
                      input->flow, &report.funcs, err) ||
      find_tests(&report, err) || list_files(&report, err) ||
      changed_files_build(input->changed, input->lines->counts,
                          input->lines->files->names,
                          input->lines->files->n_names, &report.changed, err) ||
      write_pages(&report, err))
    rc = -1;
  free(report.files);
  for (size_t i = 0; report.hot_texts && i < report.hot.n_lines; i++)
    free(report.hot_texts[i]);
  free(report.hot_texts);
  changed_files_release(&report.changed);
  hot_lines_release(&report.hot);
  report_tests_release(&report.tests);
  func_list_release(&report.funcs);
  site_pages_release(&report.pages);
  return rc;
}
