/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/diff_pages_parts.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/progress.h"
#include "base/sorted.h"

#include <stdlib.h>

// --- Files and functions ---

/** List files by their names. A file of both sides has an entry for each
 * name. */
static int list_names(struct diff_pages *report, struct err *err) {
  const struct diff *const diff = report->input->diff;

  report->by_name =
      calloc(DIFF_SIDES * diff->n_files + 1, sizeof(*report->by_name));
  if (!report->by_name)
    return err_no_memory(err);
  // B first: merge_sort() leaves those of one name in their order.
  for (int side = DIFF_B; side >= DIFF_A; side--)
    for (size_t i = 0; i < diff->n_files; i++)
      if (diff->files[i].name[side])
        report->by_name[report->n_by_name++] =
            (struct diff_pages_name){diff->files[i].name[side], i};
  return merge_sort(report->by_name, report->n_by_name,
                    sizeof(*report->by_name), sorted_compare_names, NULL)
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

  report->funcs = calloc(diff->n_funcs + 1, sizeof(*report->funcs));
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
  return merge_sort(report->funcs, report->n_funcs, sizeof(*report->funcs),
                    compare_funcs, diff->funcs)
             ? err_no_memory(err)
             : 0;
}

/** Count the lines of each file, and those that differ. */
static int count_lines(struct diff_pages *report, struct err *err) {
  const struct diff *const diff = report->input->diff;

  report->files = calloc(diff->n_files + 1, sizeof(*report->files));
  report->texts = calloc(diff->n_lines + 1, sizeof(*report->texts));
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

/** Name all files, and pages of those that differ. */
static int name_pages(struct diff_pages *report, struct err *err) {
  const struct diff *const diff = report->input->diff;
  struct site_pages *const pages = &report->pages;

  if (site_pages_add_files(pages, diff->n_files, err))
    return -1;
  for (size_t i = 0; i < diff->n_files; i++)
    pages->files[i] =
        (struct site_file){.name = diff_file_name(&diff->files[i]),
                           .is_own = true,
                           .has_page = report->files[i].n_changed > 0};
  return site_pages_name(pages, err);
}

// --- The whole ---

/** The overview is written last: if it exists, so do all pages that it links
 * to.
 */
static int write_pages(struct diff_pages *report, struct err *err) {
  const struct diff *const diff = report->input->diff;

  if (site_begin_pages(&report->pages.site, err))
    return -1;
  for (size_t i = 0; i < diff->n_files; i++) {
    if (!report->pages.files[i].has_page)
      continue;
    progress_step("writing", diff_file_name(&diff->files[i]));
    if (diff_pages_write_source(report, i, err))
      return -1;
  }
  return diff_pages_write_lists(report, err) ||
                 diff_pages_write_overview(report, err) ||
                 site_finish(&report->pages.site, err)
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
  free(report->funcs);
  free(report->by_name);
  free(report->title);
  site_pages_release(&report->pages);
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
  report.pages.frame = (struct page_frame){
      .program = report.title,
      .command = "arcline diff",
      .menu = {PAGE_OVERVIEW, PAGE_CALLED, PAGE_CALLS, PAGE_LINES, PAGE_TIMES}};
  if (site_open(folder, "diff", is_forced, &report.pages.site, err)) {
    free(report.title);
    return -1;
  }
  if (list_names(&report, err) || count_lines(&report, err) ||
      list_funcs(&report, err) || name_pages(&report, err) ||
      write_pages(&report, err))
    rc = -1;
  release(&report);
  return rc;
}
