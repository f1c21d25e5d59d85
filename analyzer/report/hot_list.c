/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/hot_list.h"

#include "base/digits.h"
#include "base/row.h"
#include "base/screen.h"
#include "counts/hot_lines.h"
#include "debug/file_table.h"
#include "debug/source_cache.h"

#include <string.h>

// Shares of all time at which a line is hot or warm.
static const double hot_share = 0.05;
static const double warm_share = 0.01;

enum { SHARE_COLUMNS = 9, TIME_COLUMNS = 10, LEAST_COUNT_COLUMNS = 8 };
enum {
  MIN_PLACE_COLUMNS = 12,
  MAX_PLACE_COLUMNS = 40,
  LEAST_TEXT_COLUMNS = 20
};

struct page {
  const struct hot_list *list;
  struct row *row;
  size_t count_columns, place_columns;
  struct source_cache sources;
};

/** The last two parts of a name: enough to identify the file. */
static const char *short_file(const struct hot_list *list, uint32_t i_file) {
  const char *const name = list->files->names[i_file];
  const char *const last = strrchr(name, '/');
  const char *const before =
      last ? memrchr(name, '/', (size_t)(last - name)) : NULL;
  return before ? before + 1 : name;
}

/** "FILE:LINE". */
static void write_place(const struct hot_list *list,
                        const struct hot_line *line, char *out, size_t size) {
  snprintf(out, size, "%s:%u", short_file(list, line->pos.i_file),
           line->pos.line);
}

static void measure(struct page *page) {
  const struct hot_list *const list = page->list;
  char place[FILE_TABLE_NAME_BYTES + 16];
  page->count_columns = LEAST_COUNT_COLUMNS;
  page->place_columns = MIN_PLACE_COLUMNS;
  for (size_t i = 0; i < list->lines->n_lines; i++) {
    const struct hot_line *const line = &list->lines->lines[i];
    const size_t n_count = digits_columns(line->count);
    write_place(list, line, place, sizeof(place));
    const size_t n_place = screen_columns(place);
    if (n_count > page->count_columns)
      page->count_columns = n_count;
    if (n_place > page->place_columns)
      page->place_columns = n_place;
  }
  if (list->screen->width && page->place_columns > MAX_PLACE_COLUMNS)
    page->place_columns =
        list->screen->width >= 120 ? MAX_PLACE_COLUMNS : MAX_PLACE_COLUMNS / 2;
}

static void print_head(const struct page *page) {
  struct row *const row = page->row;
  screen_begin_style(page->list->screen, row, INK_TITLE);
  if (page->list->n_samples > 0) {
    row_add_right(row, "self %", SHARE_COLUMNS);
    row_add_right(row, page->list->rate_hz ? "self s" : "self", TIME_COLUMNS);
  }
  row_add_right(row, "count", (int)page->count_columns + 2);
  row_add_format(row, "  %-*s  source", (int)page->place_columns, "line");
  screen_end_style(page->list->screen, row, INK_TITLE);
  ROW_ADD(row, "\n");
}

static void print_time(const struct page *page, double n_samples) {
  const struct hot_list *const list = page->list;
  struct row *const row = page->row;
  const double share = n_samples / list->n_samples;
  if (n_samples <= 0) {
    row_add_blanks(row, SHARE_COLUMNS + TIME_COLUMNS);
    return;
  }
  const enum screen_style ink = share >= hot_share    ? INK_HOT
                                : share >= warm_share ? INK_WARM
                                                      : INK_PLAIN;
  screen_begin_style(list->screen, row, ink);
  row_add_fixed(row, 100 * share, SHARE_COLUMNS - 2, 1);
  ROW_ADD(row, " %");
  row_add_fixed(row, n_samples / (list->rate_hz ? list->rate_hz : 1),
                TIME_COLUMNS, 2);
  screen_end_style(list->screen, row, ink);
}

/** Print the text of a line without the blanks before it. */
static void print_text(const struct page *page, const struct source_text *text,
                       uint32_t line, size_t n_taken) {
  const unsigned width = page->list->screen->width;
  size_t n_bytes;
  const char *const begin = source_line_trimmed(text, line, &n_bytes);
  if (!begin)
    return;
  while (n_bytes > 0 && strchr("\t ", begin[n_bytes - 1]))
    n_bytes--;
  const size_t n_left = width == 0 ? 0
                        : width > n_taken + LEAST_TEXT_COLUMNS
                            ? width - n_taken
                            : LEAST_TEXT_COLUMNS;
  if (n_bytes > 0)
    ROW_ADD(page->row, "  ");
  screen_add_line(page->list->screen, page->row, begin, n_bytes, n_left);
}

static int print_line(struct page *page, const struct hot_line *line,
                      struct err *err) {
  const struct hot_list *const list = page->list;
  const struct source_text *text;
  char place[FILE_TABLE_NAME_BYTES + 16];
  struct row *const row = page->row;
  size_t n_taken = page->count_columns + page->place_columns + 6;
  if (source_cache_find(&page->sources, list->paths, line->pos.i_file,
                        list->files->names[line->pos.i_file], &text, err))
    return -1;
  if (list->n_samples > 0) {
    print_time(page, line->n_samples);
    n_taken += SHARE_COLUMNS + TIME_COLUMNS;
  }
  if (line->has_count)
    digits_add(row, line->count, page->count_columns + 2);
  else
    row_add_blanks(row, page->count_columns + 2);
  write_place(list, line, place, sizeof(place));
  ROW_ADD(row, "  ");
  screen_begin_style(list->screen, row, INK_FAINT);
  const size_t n =
      screen_add_text(list->screen, row, place, page->place_columns);
  screen_end_style(list->screen, row, INK_FAINT);
  row_add_blanks(row, page->place_columns - n);
  print_text(page, text, line->pos.line, n_taken);
  ROW_ADD(row, "\n");
  return 0;
}

int hot_list_print(const struct hot_list *list, FILE *out, struct err *err) {
  struct row row;
  struct page page = {.list = list, .row = &row};
  int rc = 0;
  measure(&page);
  row_begin(&row, out);
  print_head(&page);
  for (size_t i = 0; i < list->lines->n_lines && rc == 0; i++)
    rc = print_line(&page, &list->lines->lines[i], err);
  if (list->lines->n_all > list->lines->n_lines)
    row_add_format(&row, "\n%zu more lines have run: --top=0 shows all\n",
                   list->lines->n_all - list->lines->n_lines);
  row_write(&row);
  source_cache_release(&page.sources);
  return rc;
}
