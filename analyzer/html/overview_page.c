/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the first page: the program in numbers, its hottest functions, and its
 * files by folder.
 */
#include "counts/branch_counts.h"
#include "counts/code_lines.h"
#include "counts/library_times.h"
#include "counts/line_counts.h"
#include "debug/source_filter.h"
#include "html/file_tree.h"
#include "html/highlight.h"
#include "html/html_parts.h"
#include "html/html_text.h"
#include "profile/graph_profile.h"
#include "profile/programs.h"

#include <inttypes.h>
#include <string.h>

enum { N_HOT_FUNCS = 10 };

// --- The program in numbers ---

static void add_share_card(struct page *page, const char *name, size_t n,
                           size_t of, const char *what) {
  struct row *const row = &page->row;
  if (of == 0)
    return;
  page_add_card(page, name);
  html_add_share(row, n, of);
  ROW_ADD(row, "<small> %</small></dd><dd class=\"sub\">");
  html_add_number(row, n);
  ROW_ADD(row, " of ");
  html_add_number(row, of);
  row_add_format(row, " %s</dd><dd>", what);
  html_add_bar(row, (double)n, (double)of, "cover");
  ROW_ADD(row, "</dd></div>\n");
}

/** Count the branches of files that the filter has: all ways, and those taken.
 */
static void count_ways(const struct html_report *report, size_t *n_ways,
                       size_t *n_taken) {
  const struct branch_counts *const branches = report->input->lines->branches;
  char *const *const names = report->input->lines->files->names;
  for (size_t i = 0; i < branches->n_blocks; i++) {
    const struct branch_block *const block = &branches->blocks[i];
    if (!source_filter_has(report->input->lines->filter,
                           names[block->pos.i_file]))
      continue;
    *n_ways += block->n_ways;
    for (uint32_t k = 0; k < block->n_ways; k++)
      *n_taken += branches->ways[block->first_way + k] > 0;
  }
}

/** The same for the conditions of decisions. */
static struct decision_totals
count_conditions(const struct html_report *report) {
  const struct decision_counts *const counts =
      &report->input->lines->branches->decisions;
  char *const *const names = report->input->lines->files->names;
  struct decision_totals totals = {0};
  for (size_t i = 0; i < counts->n_decisions; i++)
    if (source_filter_has(report->input->lines->filter,
                          names[counts->decisions[i].pos.i_file]))
      decision_totals_add(counts, &counts->decisions[i], &totals);
  return totals;
}

static void add_cards(const struct html_report *report,
                      const struct file_sums *own, struct page *page) {
  const struct decision_totals decided = count_conditions(report);
  const struct model *const model = report->input->program->model;
  struct row *const row = &page->row;
  size_t n_taken = 0, n_ways = 0, n_profiles = 0;
  count_ways(report, &n_ways, &n_taken);
  for (size_t i = 0; i < model->n_objects; i++)
    n_profiles += model->inputs.objects[i].n_profile_paths;
  ROW_ADD(row, "<dl class=\"cards\">\n");
  if (report->input->lines->has_times) {
    page_add_card(page, html_rate(report) ? "Time" : "Samples");
    html_add_time(row, html_all_samples(report), html_rate(report));
    row_add_text(row, html_rate(report) ? "<small> s</small>" : "");
    ROW_ADD(row, "</dd><dd class=\"sub\">");
    html_add_number(row, (uint64_t)html_all_samples(report));
    row_add_format(row, " samples of %zu profile%s</dd></div>\n", n_profiles,
                   n_profiles == 1 ? "" : "s");
  }
  add_share_card(page, "Lines executed", own->n_executed, own->n_lines,
                 "lines");
  add_share_card(page, "Changed lines executed", own->n_changed_executed,
                 own->n_changed, "lines");
  add_share_card(page, "Functions called", own->n_called, own->n_funcs,
                 "functions");
  add_share_card(page, "Branches taken", n_taken, n_ways, "ways");
  add_share_card(page, "Conditions covered", decided.n_covered,
                 decided.n_conditions, "conditions (MC/DC)");
  ROW_ADD(row, "</dl>\n");
}

/** Append a bar and the cells of html_add_time_cells(). */
static void add_times(const struct html_report *report, double n_samples,
                      struct page *page) {
  if (!report->input->lines->has_times)
    return;
  ROW_ADD(&page->row, "<td class=\"g\">");
  if (n_samples > 0)
    html_add_bar(&page->row, n_samples, html_all_samples(report), "heat");
  ROW_ADD(&page->row, "</td>");
  html_add_time_cells(report, page, n_samples);
}

/** Append the titles of add_times(). */
static void add_times_head(const struct html_report *report, struct row *row) {
  if (report->input->lines->has_times)
    ROW_ADD(row, "<th scope=\"col\" class=\"g\"><span class=\"unseen\">Share "
                 "of time</span></th>");
  html_add_time_heads(report, row);
}

// --- Programs ---

/** Append their numbers: "3 programs and 1 library". */
static void add_program_numbers(const struct programs *programs,
                                struct row *row) {
  html_add_number(row, programs->n_programs);
  ROW_ADD(row, " programs");
  if (programs->n_libraries == 0)
    return;
  ROW_ADD(row, " and ");
  html_add_number(row, programs->n_libraries);
  row_add_text(row, programs->n_libraries == 1 ? " library" : " libraries");
}

static void add_program(const struct html_report *report,
                        const struct program_row *it, struct page *page) {
  const char *const path =
      report->input->program->model->objects[it->i_object].image.path;
  struct row *const row = &page->row;
  ROW_ADD(row, "<tr><th scope=\"row\">");
  html_add(row, path);
  row_add_text(row, it->is_library ? " (library)</th>" : "</th>");
  add_times(report, it->ticks, page);
  ROW_ADD(row, "<td class=\"n wide\">");
  if (it->n_processes)
    row_add_format(row, "%.2f", (double)(it->user_us + it->system_us) / 1e6);
  ROW_ADD(row, "</td><td class=\"n\">");
  if (it->n_processes)
    html_add_number(row, it->n_processes);
  ROW_ADD(row, "</td></tr>\n");
}

static void add_programs(const struct html_report *report, struct page *page) {
  const struct programs *const programs = report->input->programs;
  struct row *const row = &page->row;
  if (programs->n_programs < 2)
    return;
  ROW_ADD(row, "<section><h2>Programs</h2>\n<p>");
  add_program_numbers(programs, row);
  ROW_ADD(row, "</p>\n<table class=\"files sortable\">\n"
               "<thead><tr><th scope=\"col\">Program</th>");
  add_times_head(report, row);
  ROW_ADD(row, "<th scope=\"col\" class=\"n wide\">CPU s</th>"
               "<th scope=\"col\" class=\"n\">Processes</th></tr></thead>\n"
               "<tbody>");
  for (size_t i = 0; i < programs->n_programs + programs->n_libraries; i++)
    add_program(report, &programs->rows[i], page);
  ROW_ADD(row, "</tbody></table></section>\n");
}

// --- Hottest functions ---

static void add_hot_funcs(const struct html_report *report, struct page *page) {
  const struct func_list *const table = &report->funcs;
  struct row *const row = &page->row;
  if (table->n_funcs == 0 || table->funcs[0].self <= 0)
    return;
  ROW_ADD(row,
          "<section><h2>Hottest functions</h2>\n<table class=\"hot\">\n"
          "<thead><tr><th scope=\"col\">Function</th>"
          "<th scope=\"col\"><span class=\"unseen\">Share</span></th>"
          "<th scope=\"col\" class=\"n\">Self %</th>"
          "<th scope=\"col\" class=\"n wide\">Self</th>"
          "<th scope=\"col\" class=\"n\">Calls</th></tr></thead><tbody>\n");
  for (uint32_t i = 0; i < table->n_funcs && i < N_HOT_FUNCS; i++) {
    const struct html_func *const func = &table->funcs[i];
    if (func->self <= 0)
      break;
    ROW_ADD(row, "<tr><td>");
    html_add_function(report, page, i);
    ROW_ADD(row, "</td><td class=\"g\">");
    html_add_bar(row, func->self, table->funcs[0].self, "heat");
    ROW_ADD(row, "</td><td class=\"n\">");
    html_add_percent(row, func->self, html_all_samples(report));
    ROW_ADD(row, "</td><td class=\"n wide\">");
    html_add_time(row, func->self, html_rate(report));
    ROW_ADD(row, "</td><td class=\"n\">");
    html_add_calls(func, row);
    ROW_ADD(row, "</td></tr>\n");
  }
  ROW_ADD(row, "</tbody></table>\n<p><a href=\"functions.html\">All functions"
               "</a></p></section>\n");
}

// --- Hottest lines ---

static void add_hot_line(const struct html_report *report, size_t i_line,
                         struct page *page) {
  const struct hot_line *const line = &report->hot.lines[i_line];
  struct row *const row = &page->row;
  bool is_in_comment = false;
  ROW_ADD(row, "<tr><td>");
  html_add_place(report, page, &line->pos);
  ROW_ADD(row, "</td><td class=\"wide\"><code>");
  if (report->hot_texts[i_line])
    highlight_add(row, report->hot_texts[i_line],
                  strlen(report->hot_texts[i_line]), HIGHLIGHT_HTML,
                  &is_in_comment);
  ROW_ADD(row, "</code></td>");
  html_add_time_cells(report, page, line->n_samples);
  ROW_ADD(row, "<td class=\"n\">");
  if (line->has_count)
    html_add_number(row, line->count);
  ROW_ADD(row, "</td></tr>\n");
}

static void add_hot_lines(const struct html_report *report, struct page *page) {
  struct row *const row = &page->row;
  if (report->hot.n_lines == 0)
    return;
  ROW_ADD(row, "<section><h2>Hottest lines</h2>\n<table class=\"hot\">\n"
               "<thead><tr><th scope=\"col\">Line</th>"
               "<th scope=\"col\" class=\"wide\">Source</th>");
  html_add_time_heads(report, row);
  ROW_ADD(row,
          "<th scope=\"col\" class=\"n\">Count</th></tr></thead><tbody>\n");
  for (size_t i = 0; i < report->hot.n_lines; i++)
    add_hot_line(report, i, page);
  ROW_ADD(row, "</tbody></table></section>\n");
}

// --- Changed lines ---

// Of more places, only their number is shown.
enum { MAX_UNCOVERED = 100 };

static bool is_uncovered(const struct html_report *report,
                         const struct line_count *line) {
  return line->count == 0 &&
         changed_files_have(&report->changed, line->pos.i_file, line->pos.line);
}

/** Append the places of changed lines of a file that never ran: lines in a row
 * are one. n: of places so far. */
static void add_uncovered_of(const struct html_report *report,
                             const struct annotate_file *file, size_t *n,
                             struct page *page) {
  const struct line_count *const lines = report->input->lines->counts->lines;
  size_t end;
  for (size_t i = file->at.first_line; i < file->at.end_line; i = end) {
    end = i + 1;
    if (!is_uncovered(report, &lines[i]))
      continue;
    while (end < file->at.end_line && is_uncovered(report, &lines[end]))
      end++;
    if ((*n)++ >= MAX_UNCOVERED)
      continue;
    ROW_ADD(&page->row, "<li>");
    html_add_place(report, page, &lines[i].pos);
    if (end > i + 1)
      row_add_format(&page->row, "–%" PRIu32, lines[end - 1].pos.line);
    ROW_ADD(&page->row, "</li>\n");
  }
}

static void add_uncovered(const struct html_report *report,
                          const struct file_sums *own, struct page *page) {
  struct row *const row = &page->row;
  size_t n = 0;
  if (!report->input->changed)
    return;
  ROW_ADD(row, "<section><h2>Lines changed since ");
  html_add(row, report->input->changed_since);
  ROW_ADD(row, " that never ran</h2>\n");
  if (own->n_changed == own->n_changed_executed) {
    row_add_text(row, own->n_changed ? "<p>None.</p></section>\n"
                                     : "<p>No changed line has code.</p>"
                                       "</section>\n");
    return;
  }
  ROW_ADD(row, "<ul class=\"places\">\n");
  for (size_t i = 0; i < report->n_files; i++)
    if (report->files[i]->kind == SOURCE_OWN)
      add_uncovered_of(report, report->files[i], &n, page);
  if (n > MAX_UNCOVERED)
    row_add_format(row, "<li>and %zu more</li>\n", n - MAX_UNCOVERED);
  ROW_ADD(row, "</ul></section>\n");
}

// --- Files ---

/** Append a share with the numbers that it is of: one cell. */
static void add_share(struct row *row, size_t n, size_t of) {
  ROW_ADD(row, "<td class=\"n wide\">");
  if (of) {
    html_add_share(row, n, of);
    ROW_ADD(row, " <small>");
    html_add_number(row, n);
    ROW_ADD(row, " / ");
    html_add_number(row, of);
    ROW_ADD(row, "</small>");
  }
  ROW_ADD(row, "</td>");
}

/** Append the cells of numbers that files, folders and all have. */
static void add_sums(const struct html_report *report,
                     const struct file_sums *sums, struct page *page) {
  const struct annotate_input *const input = report->input->lines;
  struct row *const row = &page->row;
  add_times(report, sums->n_samples, page);
  if (input->has_counts) {
    ROW_ADD(row, "<td class=\"g\">");
    if (sums->n_lines)
      html_add_bar(row, (double)sums->n_executed, (double)sums->n_lines,
                   "cover");
    ROW_ADD(row, "</td><td class=\"n\">");
    if (sums->n_lines)
      html_add_share(row, sums->n_executed, sums->n_lines);
    ROW_ADD(row, "</td><td class=\"n wide\">");
    if (sums->n_lines) {
      html_add_number(row, sums->n_executed);
      ROW_ADD(row, " / ");
      html_add_number(row, sums->n_lines);
    }
    ROW_ADD(row, "</td>");
    add_share(row, sums->n_taken, sums->n_ways);
  }
  add_share(row, sums->n_called, sums->n_funcs);
  if (report->input->changed)
    add_share(row, sums->n_changed_executed, sums->n_changed);
  ROW_ADD(row, "</tr>\n");
}

static void add_files_head(const struct html_report *report,
                           struct page *page) {
  const struct annotate_input *const input = report->input->lines;
  struct row *const row = &page->row;
  ROW_ADD(row, "<section><h2>Files</h2>\n<div class=\"filter paths\"></div>\n");
  page_add_scroll(page, "Files");
  ROW_ADD(row, "<table class=\"files tree\">\n"
               "<thead><tr><th scope=\"col\">File</th>");
  add_times_head(report, row);
  if (input->has_counts)
    ROW_ADD(row, "<th scope=\"col\" class=\"g\"><span class=\"unseen\">"
                 "Coverage</span></th><th scope=\"col\" class=\"n\">"
                 "Lines&nbsp;%</th>"
                 "<th scope=\"col\" class=\"n wide\">Lines</th>"
                 "<th scope=\"col\" class=\"n wide\">Branches&nbsp;%</th>");
  ROW_ADD(row, "<th scope=\"col\" class=\"n wide\">Functions&nbsp;%</th>");
  if (report->input->changed)
    ROW_ADD(row,
            "<th scope=\"col\" class=\"n wide changes\">Changed&nbsp;%</th>");
  ROW_ADD(row, "</tr></thead>\n");
}

/** Append a folder or a file. Rows are indented by their class, for at most as
 * many folders as the style sheet has. */
static void add_tree_row(const struct html_report *report,
                         const struct file_tree_row *it, struct page *page) {
  static const unsigned max_depth = 9;
  struct row *const row = &page->row;
  row_add_format(row, "<tr class=\"%sd%u\"><th scope=\"row\">",
                 it->file ? "" : "folder ",
                 it->depth < max_depth ? it->depth : max_depth);
  if (it->file) {
    ROW_ADD(row, "<a href=\"src/");
    site_pages_add_part(&report->pages, row, it->file->i_file, 0);
    ROW_ADD(row, "\">");
  }
  html_add_bytes(row, it->name, it->n_bytes);
  row_add_text(row, it->file ? "</a></th>" : "</th>");
  add_sums(report, &it->sums, page);
}

/** Append time that is in no file. */
static void add_elsewhere(const struct html_report *report, const char *name,
                          double n_samples, struct page *page) {
  const struct file_sums sums = {.n_samples = n_samples};
  if (n_samples <= 0)
    return;
  ROW_ADD(&page->row, "<tr><th scope=\"row\" class=\"other\">");
  row_add_text(&page->row, name);
  ROW_ADD(&page->row, "</th>");
  add_sums(report, &sums, page);
}

/** The total of coverage is that of the program's own files. */
static int add_files(const struct html_report *report,
                     const struct file_sums *own, struct page *page,
                     struct err *err) {
  struct file_sums all = *own;
  const struct annotate_input *const input = report->input->lines;
  struct file_tree tree;
  if (file_tree_build(report->files, report->n_files, input->files->names,
                      &report->changed, &tree, err))
    return -1;
  add_files_head(report, page);
  ROW_ADD(&page->row, "<tbody>\n");
  for (size_t i = 0; i < tree.n_rows; i++)
    add_tree_row(report, &tree.rows[i], page);
  file_tree_release(&tree);
  ROW_ADD(&page->row, "</tbody>\n<tbody class=\"last\">\n");
  add_elsewhere(report, "Code without line information",
                input->times->n_samples_lost, page);
  add_elsewhere(report, "Libraries and the kernel",
                input->libraries->n_samples_outside, page);
  ROW_ADD(&page->row, "<tr class=\"total\"><th scope=\"row\">Total</th>");
  all.n_samples = html_all_samples(report);
  add_sums(report, &all, page);
  ROW_ADD(&page->row, "</tbody></table></div></section>\n");
  return 0;
}

int html_write_overview(const struct html_report *report, struct err *err) {
  struct page page = {.kind = PAGE_OVERVIEW,
                      .title = report->input->name,
                      .frame = &report->pages.frame};
  struct file_sums own = {0};
  if (page_begin(&report->pages.site, "index.html", &page, err))
    return -1;
  for (size_t i = 0; i < report->n_files; i++)
    if (report->files[i]->kind == SOURCE_OWN)
      file_sums_add(&own, report->files[i], &report->changed);
  ROW_ADD(&page.row, "<h1>");
  html_add(&page.row, report->input->name);
  ROW_ADD(&page.row, "</h1>\n");
  add_cards(report, &own, &page);
  add_uncovered(report, &own, &page);
  add_programs(report, &page);
  add_hot_funcs(report, &page);
  add_hot_lines(report, &page);
  return page_end(&page, add_files(report, &own, &page, err), err);
}
