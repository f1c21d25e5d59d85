/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints programs and libraries with their times. */
#include "base/digits.h"
#include "base/row.h"
#include "model/model.h"
#include "profile/programs.h"
#include "report/report_rows.h"

enum { PROCESSES_COLUMNS = 11, TIME_COLUMNS = 10, SHARE_COLUMNS = 9 };

struct table {
  const struct report_heading *heading;
  struct row *row;
  double rate_hz;
  bool has_cpu;
};

/** All programs are listed; libraries only if they have time. */
static bool has_row(const struct program_row *it) {
  return !it->is_library || it->ticks > 0;
}

static void print_head(const struct table *table, const char *sign) {
  struct row *const row = table->row;
  char title[40];
  snprintf(title, sizeof(title), "self%s", sign);
  screen_begin_style(table->heading->screen, row, INK_TITLE);
  if (table->heading->n_samples > 0) {
    row_add_right(row, "self %", SHARE_COLUMNS);
    row_add_right(row, title, TIME_COLUMNS);
  }
  if (table->has_cpu)
    row_add_right(row, "cpu s", TIME_COLUMNS);
  row_add_right(row, "processes", PROCESSES_COLUMNS);
  ROW_ADD(row, "  program");
  screen_end_style(table->heading->screen, row, INK_TITLE);
  ROW_ADD(row, "\n");
}

static void print_row(const struct table *table, const struct program_row *it) {
  const struct report_heading *const heading = table->heading;
  const struct model *const model = heading->model;
  const double whole = heading->n_samples;
  struct row *const row = table->row;
  if (whole > 0) {
    screen_begin_style(heading->screen, row,
                       report_highlight(it->ticks / whole));
    row_add_fixed(row, 100 * it->ticks / whole, SHARE_COLUMNS - 2, 1);
    ROW_ADD(row, " %");
    row_add_fixed(row, it->ticks / table->rate_hz, TIME_COLUMNS, 2);
    screen_end_style(heading->screen, row, report_highlight(it->ticks / whole));
  }
  if (table->has_cpu && it->n_processes)
    row_add_fixed(row, (double)(it->user_us + it->system_us) / 1e6,
                  TIME_COLUMNS, 2);
  else if (table->has_cpu)
    row_add_blanks(row, TIME_COLUMNS);
  if (it->n_processes)
    digits_add(row, it->n_processes, PROCESSES_COLUMNS);
  else
    row_add_blanks(row, PROCESSES_COLUMNS);
  ROW_ADD(row, "  ");
  screen_add_text(heading->screen, row, model->objects[it->i_object].image.path,
                  0);
  row_add_text(row, it->is_library ? " (library)\n" : "\n");
}

void report_print_programs(const struct report_heading *heading, size_t top,
                           FILE *out) {
  const struct programs *const programs = heading->programs;
  const size_t n = programs->n_programs + programs->n_libraries;
  size_t n_shown = 0, n_hidden = 0;
  double hidden_ticks = 0;
  char sign[8];
  struct row row;
  struct table table = {.heading = heading, .row = &row};
  if (programs->n_programs < 2)
    return;
  table.rate_hz = report_unit(&heading->model->unit, sign, sizeof(sign));
  for (size_t i = 0; i < n; i++)
    table.has_cpu |= programs->rows[i].user_us + programs->rows[i].system_us;
  row_begin(&row, out);
  print_head(&table, sign);
  for (size_t i = 0; i < n; i++) {
    const struct program_row *const it = &programs->rows[i];
    if (!has_row(it))
      continue;
    if (top == 0 || n_shown < top) {
      print_row(&table, it);
      n_shown++;
    } else {
      n_hidden++;
      hidden_ticks += it->ticks;
    }
  }
  if (n_hidden) {
    ROW_ADD(&row, "\n");
    digits_add(&row, n_hidden, 0);
    ROW_ADD(&row, " more");
    if (heading->n_samples > 0)
      row_add_format(&row, " with %.1f %% of the time",
                     100 * hidden_ticks / heading->n_samples);
    ROW_ADD(&row, ": --top=0 shows all\n");
  }
  ROW_ADD(&row, "\n");
  row_write(&row);
}
