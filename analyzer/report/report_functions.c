/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints the functions of `arcline report`. */
#include "base/digits.h"
#include "base/row.h"
#include "profile/graph_profile.h"
#include "report/report_rows.h"

#include <stdio.h>
#include <string.h>

// On wider screens the place of a function is shown, too.
enum { WIDE_COLUMNS = 120, LEAST_NAME_COLUMNS = 20, PLACE_COLUMNS = 30 };

/** A column: everything but the last one is a number, or of a fixed width. */
struct column {
  enum report_field field;
  size_t width; /* with the blanks before it; 0: the rest */
};

struct table {
  const struct report *report;
  const struct report_rows *rows;
  struct column columns[N_REPORT_FIELDS];
  size_t n_columns;
  size_t name_columns; /* 0: no limit */
  double rate_hz;      /* 1: times are in samples */
  char unit[32];
};

static size_t count_calls_columns(const struct report_rows *rows) {
  uint64_t most = 0;
  for (size_t i = 0; i < rows->n_rows; i++)
    if (rows->rows[i].n_calls > most)
      most = rows->rows[i].n_calls;
  return digits_columns(most);
}

/** Width of a column, with the blanks before it. */
static size_t width_of(const struct table *table, enum report_field field) {
  size_t n;
  switch (field) {
  case FIELD_SHARE:
  case FIELD_TOTAL_SHARE:
    return 9;
  case FIELD_SELF:
  case FIELD_TOTAL:
  case FIELD_WAIT:
    return 10;
  case FIELD_PROPAGATED:
    return 15;
  case FIELD_MEASURED:
    return 13;
  case FIELD_PER_CALL:
    return 14;
  case FIELD_CALLS:
    n = count_calls_columns(table->rows);
    return 2 + (n < 8 ? 8 : n);
  default:
    return 2 + PLACE_COLUMNS;
  }
}

static void choose_columns(struct table *table) {
  const struct report *const report = table->report;
  const struct report_options *const options = report->options;
  const bool has_time = report_whole(report) > 0;
  const bool usual[N_REPORT_FIELDS] = {
      [FIELD_SHARE] = has_time,
      [FIELD_SELF] = has_time,
      [FIELD_TOTAL] = has_time,
      [FIELD_WAIT] = report->program->measured.waiting_ticks > 0,
      [FIELD_CALLS] = true,
      [FIELD_FILE] = options->screen.width >= WIDE_COLUMNS,
      [FIELD_NAME] = true,
  };
  const bool *const chosen = options->has_fields ? options->fields : usual;
  size_t n_taken = 0;
  for (int i = 0; i < N_REPORT_FIELDS; i++)
    if (i != FIELD_NAME && chosen[i]) {
      const enum report_field field = (enum report_field)i;
      const struct column column = {field, width_of(table, field)};
      table->columns[table->n_columns++] = column;
      n_taken += column.width;
    }
  if (!options->has_fields || chosen[FIELD_NAME])
    table->columns[table->n_columns++] = (struct column){FIELD_NAME, 0};
  if (options->screen.width)
    table->name_columns = options->screen.width > n_taken + LEAST_NAME_COLUMNS
                              ? options->screen.width - n_taken - 2
                              : LEAST_NAME_COLUMNS;
}

static bool has_measured(const struct table *table) {
  return table->report->program->measured.total_ticks > 0;
}

static void print_head(const struct table *table, struct row *row) {
  // If there are stacks, estimates are marked one by one.
  const bool is_measured = has_measured(table);
  const char *const titles[N_REPORT_FIELDS] = {
      [FIELD_SHARE] = "self %",
      [FIELD_SELF] = "self",
      [FIELD_TOTAL_SHARE] = is_measured ? "total %" : "~total %",
      [FIELD_TOTAL] = is_measured ? "total" : "~total",
      [FIELD_PROPAGATED] = "~propagated",
      [FIELD_MEASURED] = "measured",
      [FIELD_WAIT] = "wait",
      [FIELD_CALLS] = "calls",
      [FIELD_PER_CALL] = "self ns/call",
      [FIELD_FILE] = "place",
      [FIELD_OBJECT] = "object",
      [FIELD_NAME] = "function",
  };
  const struct screen *const screen = &table->report->options->screen;
  screen_begin_style(screen, row, INK_TITLE);
  for (size_t i = 0; i < table->n_columns; i++) {
    const struct column *const column = &table->columns[i];
    char title[64];
    const bool has_unit =
        column->field == FIELD_SELF || column->field == FIELD_TOTAL ||
        column->field == FIELD_PROPAGATED || column->field == FIELD_MEASURED ||
        column->field == FIELD_WAIT;
    snprintf(title, sizeof(title), "%s%s", titles[column->field],
             has_unit ? table->unit : "");
    if (column->field == FIELD_NAME) {
      ROW_ADD(row, "  ");
      row_add_text(row, title);
    } else if (column->field == FIELD_FILE || column->field == FIELD_OBJECT) {
      row_add_format(row, "  %-*s", PLACE_COLUMNS, title);
    } else {
      // The mark after measured times has a column of its own.
      const int n_mark = column->field == FIELD_MEASURED ? 2 : 0;
      row_add_right(row, title, (int)column->width - n_mark);
      row_add_blanks(row, (size_t)n_mark);
    }
  }
  screen_end_style(screen, row, INK_TITLE);
  ROW_ADD(row, "\n");
}

static void add_place(const struct table *table, struct row *row,
                      const struct symbol *symbol, enum report_field field) {
  char text[4200] = "";
  if (field == FIELD_OBJECT && symbol->object)
    snprintf(text, sizeof(text), "%s", symbol->object->name);
  else if (field == FIELD_FILE && symbol->file)
    snprintf(text, sizeof(text), "%s:%u", basename(symbol->file), symbol->line);
  ROW_ADD(row, "  ");
  const size_t n = screen_add_text(&table->report->options->screen, row, text,
                                   PLACE_COLUMNS);
  row_add_blanks(row, PLACE_COLUMNS - n);
}

static bool has_column(const struct table *table, enum report_field field) {
  for (size_t i = 0; i < table->n_columns; i++)
    if (table->columns[i].field == field)
      return true;
  return false;
}

/** Are estimated times shown? */
static bool has_estimates(const struct table *table) {
  bool has_any = !has_measured(table);
  for (size_t i = 0; i < table->rows->n_rows; i++)
    has_any |= table->rows->rows[i].is_estimate;
  return report_whole(table->report) > 0 &&
         (has_column(table, FIELD_PROPAGATED) ||
          (has_any && (has_column(table, FIELD_TOTAL) ||
                       has_column(table, FIELD_TOTAL_SHARE))));
}

/** Zeros are left out, so that other numbers stand out. */
static void add_share(struct row *row, const struct column *column,
                      double ticks, double whole) {
  if (ticks <= 0) {
    row_add_blanks(row, column->width);
    return;
  }
  row_add_fixed(row, whole > 0 ? 100 * ticks / whole : 0, column->width - 2, 1);
  ROW_ADD(row, " %");
}

/** Append an estimate among measured times. */
static void add_estimate(struct row *row, double number, size_t width,
                         int n_decimals) {
  char text[64];
  snprintf(text, sizeof(text), "~%.*f", n_decimals, number);
  row_add_right(row, text, (int)width);
}

static void add_time(const struct table *table, struct row *row, double ticks,
                     size_t width) {
  if (ticks > 0)
    row_add_fixed(row, ticks / table->rate_hz, width, 2);
  else
    row_add_blanks(row, width);
}

static void add_number(const struct table *table, struct row *row,
                       const struct column *column,
                       const struct report_row *it) {
  const double whole = report_whole(table->report);
  const bool is_marked = it->is_estimate && has_measured(table);
  switch (column->field) {
  case FIELD_SHARE:
    add_share(row, column, it->self_ticks, whole);
    break;
  case FIELD_TOTAL_SHARE:
    if (is_marked && whole > 0) {
      add_estimate(row, 100 * it->total_ticks / whole, column->width - 2, 1);
      ROW_ADD(row, " %");
    } else {
      add_share(row, column, it->total_ticks, whole);
    }
    break;
  case FIELD_SELF:
    add_time(table, row, it->self_ticks, column->width);
    break;
  case FIELD_TOTAL:
    if (is_marked)
      add_estimate(row, it->total_ticks / table->rate_hz, column->width, 2);
    else
      add_time(table, row, it->total_ticks, column->width);
    break;
  case FIELD_PROPAGATED:
    add_time(table, row, it->propagated_ticks, column->width);
    break;
  case FIELD_MEASURED:
    add_time(table, row, it->measured_ticks, column->width - 2);
    row_add_text(row, it->is_off ? " *" : "  ");
    break;
  case FIELD_WAIT:
    add_time(table, row, it->wait_ticks, column->width);
    break;
  case FIELD_PER_CALL:
    if (it->n_calls > 0 && it->self_ticks > 0)
      row_add_fixed(row,
                    1e9 * it->self_ticks / table->rate_hz / (double)it->n_calls,
                    column->width, 1);
    else
      row_add_blanks(row, column->width);
    break;
  default:
    // Code that is not counted has an unknown number of calls, not 0.
    if (it->n_calls > 0)
      digits_add(row, it->n_calls, column->width);
    else
      row_add_blanks(row, column->width);
  }
}

static int print_row(const struct table *table, struct row *row,
                     const struct report_row *it, struct err *err) {
  const struct report *const report = table->report;
  const struct screen *const screen = &report->options->screen;
  const double whole = report_whole(report);
  const enum screen_style ink =
      whole > 0 ? report_highlight(it->self_ticks / whole) : INK_PLAIN;
  const struct symbol *const symbol =
      &report->program->graph.profile->symtab->symbols[it->i_symbol];
  for (size_t i = 0; i < table->n_columns; i++) {
    const struct column *const column = &table->columns[i];
    if (column->field == FIELD_NAME) {
      ROW_ADD(row, "  ");
      report_add_name(report, row, it->i_symbol, table->name_columns);
    } else if (column->field == FIELD_FILE || column->field == FIELD_OBJECT) {
      if (column->field == FIELD_FILE &&
          report_locate(report, it->i_symbol, err))
        return -1;
      screen_begin_style(screen, row, INK_FAINT);
      add_place(table, row, symbol, column->field);
      screen_end_style(screen, row, INK_FAINT);
    } else {
      const bool has_style =
          column->field == FIELD_SHARE || column->field == FIELD_SELF;
      if (has_style)
        screen_begin_style(screen, row, ink);
      add_number(table, row, column, it);
      if (has_style)
        screen_end_style(screen, row, ink);
    }
  }
  ROW_ADD(row, "\n");
  return 0;
}

/** Print the number of rows left out and the option that shows them, and
 * explain marks. */
static void print_foot(const struct table *table, struct row *row) {
  const struct report *const report = table->report;
  const struct report_rows *const rows = table->rows;
  const double whole = report_whole(report);
  bool is_off = false;
  for (size_t i = 0; i < rows->n_rows; i++)
    is_off |= rows->rows[i].is_off;
  if (rows->n_rows == 0)
    row_add_text(row, report->options->has_focus
                          ? "No function with time or calls matches.\n"
                          : "No function was called or took time.\n");
  if (rows->n_hidden) {
    ROW_ADD(row, "\n");
    digits_add(row, rows->n_hidden, 0);
    row_add_text(row,
                 rows->n_hidden == 1 ? " more function" : " more functions");
    if (whole > 0)
      row_add_format(row, " with %.1f %% of the time",
                     100 * rows->hidden_ticks / whole);
    row_add_text(row, report->options->min_percent > 0
                          ? ": --percent-limit=0 --top=0 shows all\n"
                          : ": --top=0 shows all\n");
  }
  if (has_estimates(table) && rows->n_rows)
    row_add_text(row, has_measured(table)
                          ? "\n"
                            "~ propagated to callers by calls, as if all calls "
                            "took equally long; the function\n"
                            "  is on no call stack\n"
                          : "\n"
                            "~ propagated to callers by calls, as if all calls "
                            "took equally long; call stacks\n"
                            "  (ARCLINE_OPTIONS=stacks=on) measure it\n");
  if (is_off && has_column(table, FIELD_MEASURED))
    ROW_ADD(row, "* calls do not take equally long: measured time differs from "
                 "propagated time by\n"
                 "  more than chance\n");
}

int report_print_functions(const struct report *report, FILE *out,
                           struct err *err) {
  struct report_rows rows;
  struct row row;
  if (report_rows_choose(report, report->options->top, &rows, err))
    return -1;
  struct table table = {.report = report, .rows = &rows};
  int rc = 0;
  choose_columns(&table);
  table.rate_hz = report_unit(&report->program->profile.unit, table.unit,
                              sizeof(table.unit));
  row_begin(&row, out);
  print_head(&table, &row);
  for (size_t i = 0; i < rows.n_rows && rc == 0; i++)
    rc = print_row(&table, &row, &rows.rows[i], err);
  print_foot(&table, &row);
  row_write(&row);
  report_rows_release(&rows);
  return rc;
}
