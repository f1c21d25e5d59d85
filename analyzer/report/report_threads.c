/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints threads with their times. */
#include "base/digits.h"
#include "base/row.h"
#include "model/model.h"
#include "profile/threads.h"
#include "report/report_rows.h"

enum { SHARE_COLUMNS = 9, TIME_COLUMNS = 10, NUMBER_COLUMNS = 10 };

struct table {
  const struct report_heading *heading;
  const struct threads *threads;
  struct row *row;
  double rate_hz;
};

static void print_head(const struct table *table, const char *sign) {
  const struct screen *const screen = table->heading->screen;
  struct row *const row = table->row;
  char title[40];
  snprintf(title, sizeof(title), "time%s", sign);
  screen_begin_style(screen, row, INK_TITLE);
  row_add_right(row, "time %", SHARE_COLUMNS);
  row_add_right(row, title, TIME_COLUMNS);
  if (table->threads->waiting > 0) {
    snprintf(title, sizeof(title), "wait%s", sign);
    row_add_right(row, title, TIME_COLUMNS);
  }
  row_add_right(row, "samples", NUMBER_COLUMNS);
  row_add_right(row, "threads", NUMBER_COLUMNS);
  row_add_right(row, "id", NUMBER_COLUMNS);
  ROW_ADD(row, "  thread");
  screen_end_style(screen, row, INK_TITLE);
  ROW_ADD(row, "\n");
}

static void print_row(const struct table *table, const struct thread_row *it) {
  const struct screen *const screen = table->heading->screen;
  const double share = it->ticks / table->threads->ticks;
  struct row *const row = table->row;
  screen_begin_style(screen, row, report_highlight(share));
  row_add_fixed(row, 100 * share, SHARE_COLUMNS - 2, 1);
  ROW_ADD(row, " %");
  row_add_fixed(row, it->ticks / table->rate_hz, TIME_COLUMNS, 2);
  screen_end_style(screen, row, report_highlight(share));
  if (table->threads->waiting > 0)
    row_add_fixed(row, it->waiting / table->rate_hz, TIME_COLUMNS, 2);
  digits_add(row, (uint64_t)(it->ticks + 0.5), NUMBER_COLUMNS);
  digits_add(row, it->n_threads, NUMBER_COLUMNS);
  if (it->id)
    row_add_number(row, it->id, NUMBER_COLUMNS);
  else
    row_add_blanks(row, NUMBER_COLUMNS);
  ROW_ADD(row, "  ");
  screen_add_text(screen, row, it->name ? it->name : "<unnamed>", 0);
  ROW_ADD(row, "\n");
}

static void print_rest(const struct table *table, size_t n_shown) {
  const struct threads *const threads = table->threads;
  struct row *const row = table->row;
  uint64_t n_hidden = 0;
  double ticks = 0;
  for (size_t i = n_shown; i < threads->n_rows; i++) {
    n_hidden += threads->rows[i].n_threads;
    ticks += threads->rows[i].ticks;
  }
  if (n_hidden == 0)
    return;
  ROW_ADD(row, "\n");
  digits_add(row, n_hidden, 0);
  row_add_format(row, " more with %.1f %% of the time: --top=0 shows all\n",
                 100 * ticks / threads->ticks);
}

void report_print_threads(const struct report_heading *heading,
                          const struct threads *threads, size_t top,
                          FILE *out) {
  const size_t n = top && top < threads->n_rows ? top : threads->n_rows;
  char sign[8];
  struct row row;
  struct table table = {heading, threads, &row, 1};
  table.rate_hz = report_unit(&heading->model->unit, sign, sizeof(sign));
  row_begin(&row, out);
  if (threads->n_rows == 0) {
    ROW_ADD(&row, "no time by thread: there are no samples, or the profile is "
                  "a sum, as of a pool\n");
  } else {
    print_head(&table, sign);
    for (size_t i = 0; i < n; i++)
      print_row(&table, &threads->rows[i]);
    print_rest(&table, n);
  }
  row_write(&row);
}
