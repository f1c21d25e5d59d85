/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the pages of a source file that differs: the lines of B, and between
 * them those that only A has, each with both counts. Long stretches without a
 * difference are folded.
 */
#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "debug/source.h"
#include "html/diff_pages_parts.h"
#include "html/highlight.h"
#include "html/html_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  N_CONTEXT = 3,     // lines that are shown around differences
  MIN_FOLDED = 8,    // fewer are shown
  MAX_FOLDED = 1000, // more are left out
  N_COLUMNS = 6,
};

/** A line as it is shown. */
struct shown {
  uint32_t line[DIFF_SIDES];      // 0: not on that side
  const struct diff_line *counts; // NULL: no code
};

/** The state of writing the pages of a file. */
struct work {
  struct diff_pages *report;
  size_t i_file;
  const struct diff_file *file;
  struct source_text texts[DIFF_SIDES];
  bool has_text[DIFF_SIDES];
  const struct diff_line **by_line[DIFF_SIDES]; // in order of that side's
  size_t n_by_line[DIFF_SIDES];
  struct shown *rows;
  size_t n_rows, max_rows;
  size_t i_func; // of the report's: the next one
  bool is_in_comment[DIFF_SIDES];
  struct page page;
};

// --- Lines to show ---

static int compare_lines(const void *left, const void *right,
                         const void *context) {
  const int side = *(const int *)context;
  const struct diff_line *const a = *(const struct diff_line *const *)left;
  const struct diff_line *const b = *(const struct diff_line *const *)right;

  return (a->line[side] > b->line[side]) - (a->line[side] < b->line[side]);
}

/** List the counts by the lines of each side. */
static int list_lines(struct work *work, struct err *err) {
  const struct diff *const diff = work->report->input->diff;
  const size_t n = work->file->end_line - work->file->first_line;

  for (int side = 0; side < DIFF_SIDES; side++) {
    const struct diff_line **const list = calloc(n + 1, sizeof(*list));
    size_t n_list = 0;
    if (!list)
      return err_no_memory(err);
    work->by_line[side] = list;
    for (size_t i = work->file->first_line; i < work->file->end_line; i++)
      if (diff->lines[i].line[side])
        list[n_list++] = &diff->lines[i];
    if (merge_sort(list, n_list, sizeof(*list), compare_lines, &side))
      return err_no_memory(err);
    work->n_by_line[side] = n_list;
  }
  return 0;
}

static const struct diff_line *counts_at(const struct work *work, int side,
                                         uint32_t line) {
  const struct diff_line key = {.line = {line, line}}, *const wanted = &key;
  const size_t i =
      sorted_find(work->by_line[side], work->n_by_line[side],
                  sizeof(*work->by_line[side]), &wanted, compare_lines, &side);

  return i < work->n_by_line[side] ? work->by_line[side][i] : NULL;
}

static int add_row(struct work *work, uint32_t a, uint32_t b, struct err *err) {
  struct shown *const rows =
      array_grow(work->rows, work->n_rows, &work->max_rows, sizeof(*rows));

  if (!rows)
    return err_no_memory(err);
  work->rows = rows;
  const struct diff_line *counts = b ? counts_at(work, DIFF_B, b) : NULL;
  if (!counts && a)
    counts = counts_at(work, DIFF_A, a);
  rows[work->n_rows++] = (struct shown){{a, b}, counts};
  return 0;
}

/** Lines of both texts, in the order of both. */
static int join_texts(struct work *work, struct err *err) {
  const struct diff_file *const file = work->file;
  const uint32_t n_a = (uint32_t)work->texts[DIFF_A].n_lines;
  const uint32_t n_b = (uint32_t)work->texts[DIFF_B].n_lines;
  uint32_t b = 1;
  int rc = 0;

  for (uint32_t a = 1; rc == 0 && a <= n_a; a++) {
    const uint32_t twin = a < file->n_twins ? file->twins[a] : 0;
    if (twin < b) { // A's alone
      rc = add_row(work, a, 0, err);
      continue;
    }
    for (; rc == 0 && b < twin && b <= n_b; b++)
      rc = add_row(work, 0, b, err);
    if (rc == 0 && b <= n_b)
      rc = add_row(work, a, b++, err);
  }
  for (; rc == 0 && b <= n_b; b++)
    rc = add_row(work, 0, b, err);
  return rc;
}

/** Add the lines of one side: those of its text, or else those with code. */
static int add_side(struct work *work, int side, struct err *err) {
  const size_t n_text = work->has_text[side] ? work->texts[side].n_lines : 0;
  const struct diff_line *const *const lines = work->by_line[side];
  const size_t n = work->n_by_line[side];
  size_t i = 0;
  int rc = 0;

  for (uint32_t line = 1; rc == 0 && line <= n_text; line++) {
    const struct diff_line *counts = NULL;
    if (i < n && lines[i]->line[side] == line)
      counts = lines[i++];
    rc = side == DIFF_A
             ? add_row(work, line, 0, err)
             : add_row(work, counts ? counts->line[DIFF_A] : 0, line, err);
  }
  for (; rc == 0 && i < n; i++)
    rc = side == DIFF_A ? add_row(work, lines[i]->line[DIFF_A], 0, err)
                        : add_row(work, lines[i]->line[DIFF_A],
                                  lines[i]->line[DIFF_B], err);
  return rc;
}

static int load(struct work *work, struct err *err) {
  for (int side = 0; side < DIFF_SIDES; side++) {
    struct err why = {0};
    int reason;
    // A's own text is needed only if lines were matched by it.
    if (!work->file->name[side] ||
        (side == DIFF_A && !work->file->twins && work->file->name[DIFF_B]))
      continue;
    work->has_text[side] =
        source_load(work->report->input->sources[side], work->file->name[side],
                    &work->texts[side], &reason, &why) == 0;
    if (!work->has_text[side] && reason == 0) {
      *err = why;
      return -1;
    }
  }
  if (list_lines(work, err))
    return -1;
  if (work->file->twins && work->has_text[DIFF_A] && work->has_text[DIFF_B])
    return join_texts(work, err);
  return add_side(work, work->file->name[DIFF_B] ? DIFF_B : DIFF_A, err);
}

/** Mark of a row; "": it does not differ. */
static const char *class_of(const struct work *work, const struct shown *row) {
  const struct diff_line *const counts = row->counts;

  if (counts && counts->line[DIFF_A] && counts->line[DIFF_B])
    return diff_pages_class(counts->count);
  if (work->file->twins)
    return !row->line[DIFF_A] ? "added" : !row->line[DIFF_B] ? "removed" : "";
  // Without both texts, lines without code cannot be identified as new.
  return !counts ? "" : row->line[DIFF_B] ? "added" : "removed";
}

// --- Rows ---

static void add_text(struct work *work, const struct shown *row) {
  const int side = row->line[DIFF_B] ? DIFF_B : DIFF_A;
  size_t n_bytes;
  const char *const line =
      source_line(&work->texts[side], row->line[side], &n_bytes);

  if (line)
    highlight_add(&work->page.row, line, n_bytes, HIGHLIGHT_HTML,
                  &work->is_in_comment[side]);
}

/** Append notes on functions that begin up to a line of B. */
static void add_funcs(struct work *work, uint32_t line) {
  const struct diff_pages *const report = work->report;
  const struct diff *const diff = report->input->diff;
  struct row *const row = &work->page.row;

  for (; work->i_func < report->n_funcs &&
         report->funcs[work->i_func].i_file == work->i_file &&
         diff->funcs[report->funcs[work->i_func].i_func].line <= line;
       work->i_func++) {
    const struct diff_func *const func =
        &diff->funcs[report->funcs[work->i_func].i_func];
    if (func->line < line)
      continue; // was not shown
    row_add_format(row, "<tr class=\"f\"><td colspan=\"%d\"><b>", N_COLUMNS);
    diff_pages_add_func(report, &work->page, func);
    ROW_ADD(row, "</b> <span>called ");
    if (func->calls[DIFF_A] != func->calls[DIFF_B]) {
      html_add_number(row, func->calls[DIFF_A]);
      ROW_ADD(row, " → ");
    }
    html_add_number(row, func->calls[DIFF_B]);
    row_add_text(row,
                 func->calls[DIFF_B] == 1 ? " time</span>" : " times</span>");
    if (func->calls[DIFF_A] != func->calls[DIFF_B]) {
      row_add_format(row, " <span class=\"%s\">",
                     diff_pages_class(func->calls));
      diff_pages_add_percent(row, (double)func->calls[DIFF_A],
                             (double)func->calls[DIFF_B]);
      ROW_ADD(row, "</span>");
    }
    ROW_ADD(row, "</td></tr>\n");
  }
}

static void add_number_cell(const struct shown *shown, int side,
                            const char *kind, struct row *row) {
  row_add_format(row, "<td class=\"n%s\">", kind);
  if (shown->counts && shown->counts->line[side])
    html_add_number(row, shown->counts->count[side]);
  ROW_ADD(row, "</td>");
}

static void add_line_row(struct work *work, const struct shown *shown) {
  const char *const kind = class_of(work, shown);
  const struct diff_line *const counts = shown->counts;
  struct row *const row = &work->page.row;
  const int side = shown->line[DIFF_B] ? DIFF_B : DIFF_A;

  if (shown->line[DIFF_B])
    add_funcs(work, shown->line[DIFF_B]);
  row_add_format(row, "<tr id=\"%c%" PRIu32 "\"", side == DIFF_B ? 'L' : 'A',
                 shown->line[side]);
  if (*kind)
    row_add_format(row, " class=\"%s\"", kind);
  ROW_ADD(row, "><td class=\"n wide\">");
  if (shown->line[DIFF_A])
    row_add_format(row, "%" PRIu32, shown->line[DIFF_A]);
  ROW_ADD(row, "</td><th>");
  row_add_format(row, "<a href=\"#%c%" PRIu32 "\">", side == DIFF_B ? 'L' : 'A',
                 shown->line[side]);
  if (side == DIFF_B)
    row_add_format(row, "%" PRIu32, shown->line[DIFF_B]);
  else
    ROW_ADD(row, "<span class=\"unseen\">only in A</span>−");
  ROW_ADD(row, "</a></th>");
  add_number_cell(shown, DIFF_A, " wide", row);
  add_number_cell(shown, DIFF_B, "", row);
  ROW_ADD(row, "<td class=\"n\">");
  if (counts && counts->line[DIFF_A] && counts->line[DIFF_B] && *kind)
    diff_pages_add_percent(row, (double)counts->count[DIFF_A],
                           (double)counts->count[DIFF_B]);
  else
    row_add_text(row, strcmp(kind, "added") == 0     ? "+"
                      : strcmp(kind, "removed") == 0 ? "−"
                                                     : "");
  ROW_ADD(row, "</td><td><code>");
  add_text(work, shown);
  ROW_ADD(row, "</code></td></tr>\n");
}

/** Append rows that do not differ: folded, so that they can be opened. */
static void add_folded(struct work *work, size_t first, size_t end) {
  struct row *const row = &work->page.row;
  const size_t n = end - first;

  if (n < MIN_FOLDED) {
    for (size_t i = first; i < end; i++)
      add_line_row(work, &work->rows[i]);
    return;
  }
  ROW_ADD(row, "</tbody><tbody class=\"fold\">\n<tr class=\"f\">");
  row_add_format(row, "<td colspan=\"%d\">", N_COLUMNS);
  row_add_text(row, n > MAX_FOLDED ? "" : "<label><input type=\"checkbox\"> ");
  html_add_number(row, n);
  ROW_ADD(row, " lines without a difference");
  row_add_text(row, n > MAX_FOLDED ? "</td></tr>\n" : "</label></td></tr>\n");
  for (size_t i = first; n <= MAX_FOLDED && i < end; i++)
    add_line_row(work, &work->rows[i]);
  ROW_ADD(row, "</tbody><tbody>\n");
}

/** The first row from there on that differs, or end. */
static size_t next_marked(const struct work *work, size_t from, size_t end) {
  while (from < end && !*class_of(work, &work->rows[from]))
    from++;
  return from;
}

static void add_rows(struct work *work, size_t first, size_t end) {
  size_t at = first;

  while (at < end) {
    const size_t marked = next_marked(work, at, end);
    // Context is shown after the mark before, and ahead of the next.
    const size_t from = at == first ? at : at + N_CONTEXT;
    const size_t to = marked == end             ? end
                      : marked - at < N_CONTEXT ? at
                                                : marked - N_CONTEXT;
    size_t i = at;
    for (; i < from && i < marked; i++)
      add_line_row(work, &work->rows[i]);
    if (i < to) {
      add_folded(work, i, to);
      i = to;
    }
    for (; i < marked; i++)
      add_line_row(work, &work->rows[i]);
    if (marked < end)
      add_line_row(work, &work->rows[marked]);
    at = marked + 1;
  }
}

// --- Pages ---

/** Append links to all parts. */
static void add_part_list(struct work *work, uint32_t part) {
  const struct diff_pages_file *const file = &work->report->files[work->i_file];
  struct row *const row = &work->page.row;
  uint32_t n = 0;

  for (uint32_t i = 0; i < file->n_parts; i++)
    n += file->has_part[i];
  if (n < 2)
    return;
  ROW_ADD(row, "<nav class=\"parts\" aria-label=\"Parts of this file\">\n");
  for (uint32_t i = 0; i < file->n_parts; i++) {
    if (!file->has_part[i])
      continue;
    ROW_ADD(row, "<a href=\"");
    site_pages_add_part_link(&work->report->pages, row, work->i_file, i,
                             i == part);
  }
  ROW_ADD(row, "</nav>\n");
}

static void add_head(struct work *work, uint32_t part) {
  const struct diff_file *const file = work->file;
  struct row *const row = &work->page.row;

  ROW_ADD(row, "<h1 class=\"path\">");
  html_add(row, work->report->pages.files[work->i_file].name);
  ROW_ADD(row, "</h1>\n");
  add_part_list(work, part);
  if (!file->name[DIFF_A])
    ROW_ADD(row, "<p class=\"note\">Only B contains code of this file.</p>\n");
  else if (!file->name[DIFF_B])
    ROW_ADD(row, "<p class=\"note\">Only A contains code of this file.</p>\n");
  else if (!file->twins)
    ROW_ADD(row,
            "<p class=\"note\">The text of this file was found for one profile "
            "or none: lines are matched by their distance from the first line "
            "of the function, if its length is unchanged. Use the option "
            "<code>--path-map-a</code> to find the text of A.</p>\n");
  page_add_scroll(&work->page, "Source");
  ROW_ADD(row, "<table class=\"source compared\">\n"
               "<thead><tr><th scope=\"col\" class=\"n wide\">Line of A</th>"
               "<th scope=\"col\" class=\"n\">of B</th>"
               "<th scope=\"col\" class=\"n wide\">Count A</th>"
               "<th scope=\"col\" class=\"n\">B</th>"
               "<th scope=\"col\" class=\"n\">Change</th>"
               "<th scope=\"col\">Source</th></tr></thead>\n<tbody>\n");
}

/** The part of the file that a row is on: that of its line of B, or of the last
 * one before. */
static uint32_t part_of_row(const struct work *work, size_t i_row,
                            uint32_t last) {
  const struct shown *const row = &work->rows[i_row];
  const uint32_t line =
      work->file->name[DIFF_B] ? row->line[DIFF_B] : row->line[DIFF_A];

  return line ? part_of_line(line) : last;
}

static int write_part(struct work *work, uint32_t part, size_t first,
                      size_t end, struct err *err) {
  struct site_pages *const pages = &work->report->pages;

  if (site_pages_begin_source(pages, work->i_file, part,
                              pages->files[work->i_file].name, &work->page,
                              err))
    return -1;
  add_head(work, part);
  add_rows(work, first, end);
  ROW_ADD(&work->page.row, "</tbody></table></div>\n");
  return page_end(&work->page, 0, err);
}

/** Find the parts with differences, and then write them: each links to the
 * others. */
static int write_parts(struct work *work, struct err *err) {
  struct diff_pages_file *const file = &work->report->files[work->i_file];
  uint32_t last = 0;

  for (size_t i = 0; i < work->n_rows; i++)
    last = part_of_row(work, i, last);
  file->n_parts = last + 1;
  file->has_part = calloc((size_t)last + 1, sizeof(*file->has_part));
  if (!file->has_part)
    return err_no_memory(err);
  for (int is_written = 0; is_written < 2; is_written++) {
    size_t first = 0;
    last = 0;
    for (size_t i = 0; i <= work->n_rows; i++) {
      const uint32_t part =
          i < work->n_rows ? part_of_row(work, i, last) : UINT32_MAX;
      if (part == last)
        continue;
      if (!is_written)
        file->has_part[last] = next_marked(work, first, i) < i;
      else if (file->has_part[last] && write_part(work, last, first, i, err))
        return -1;
      first = i;
      last = part;
    }
  }
  return 0;
}

/** Keep the texts of lines that are listed elsewhere. */
static int keep_texts(struct work *work, struct err *err) {
  const struct diff *const diff = work->report->input->diff;

  for (size_t i = work->file->first_line; i < work->file->end_line; i++) {
    size_t n_bytes;
    const char *const line = source_line_trimmed(
        &work->texts[DIFF_B], diff->lines[i].line[DIFF_B], &n_bytes);
    if (!line || diff_change_size(diff, DIFF_LINES, i) <= 0)
      continue;
    work->report->texts[i] = strndup(line, n_bytes);
    if (!work->report->texts[i])
      return err_no_memory(err);
  }
  return 0;
}

static int compare_files(const void *left, const void *right,
                         const void *context) {
  const struct diff_pages_func *const a = left, *const b = right;

  (void)context;
  return (a->i_file > b->i_file) - (a->i_file < b->i_file);
}

/** The first of the functions of a file. */
static size_t first_func(const struct diff_pages *report, size_t i_file) {
  const struct diff_pages_func key = {.i_file = i_file};

  return sorted_count_before(report->funcs, report->n_funcs,
                             sizeof(*report->funcs), &key, compare_files, NULL);
}

int diff_pages_write_source(struct diff_pages *report, size_t i_file,
                            struct err *err) {
  struct work work = {.report = report,
                      .i_file = i_file,
                      .file = &report->input->diff->files[i_file],
                      .i_func = first_func(report, i_file)};
  const int rc =
      load(&work, err) || keep_texts(&work, err) || write_parts(&work, err) ? -1
                                                                            : 0;

  for (int side = 0; side < DIFF_SIDES; side++) {
    free(work.by_line[side]);
    source_release(&work.texts[side]);
  }
  free(work.rows);
  return rc;
}
