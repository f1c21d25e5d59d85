/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/diff_report.h"

#include "base/digits.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "debug/func_names.h"
#include "debug/source.h"
#include "diff/diff_rank.h"
#include "report/diff_report_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// --- Tables ---

/** The numbers of a row, as text. */
struct cells {
  char a[CELL_BYTES], b[CELL_BYTES], change[CELL_BYTES], percent[CELL_BYTES];
};

static void set(char *cell, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void set(char *cell, const char *format, ...) {
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(cell, CELL_BYTES, format, arguments);
  va_end(arguments);
}

static void set_percent(char *cell, double a, double b) {
  if (a == 0)
    set(cell, "%s", b == 0 ? "" : "new");
  else if (b == 0)
    set(cell, "gone");
  else
    set(cell, "%+.1f %%", 100 * (b - a) / a);
}

static struct cells cells_of_counts(const uint64_t *counts) {
  struct cells cells;
  const uint64_t a = counts[DIFF_A], b = counts[DIFF_B];

  set(cells.a, "%" PRIu64, a);
  set(cells.b, "%" PRIu64, b);
  set(cells.change, "%c%" PRIu64, b < a ? '-' : '+', b < a ? a - b : b - a);
  set_percent(cells.percent, (double)a, (double)b);
  return cells;
}

static struct cells cells_of_times(const struct diff_time *times) {
  const struct diff_time *const a = &times[DIFF_A], *const b = &times[DIFF_B];
  struct cells cells;

  set(cells.a, "%.2f", a->time);
  set(cells.b, "%.2f", b->time);
  set(cells.change, "%+.2f ±%.2f", b->time - a->time,
      hypot(a->error, b->error));
  set_percent(cells.percent, a->time, b->time);
  return cells;
}

static void put_title(const struct diff_page *page, const char *title) {
  if (page->options->is_markdown)
    fprintf(page->out, "\n### %s\n\n", title);
  else
    fprintf(page->out,
            page->options->is_colored ? "\n\033[1m%s\033[0m\n" : "\n%s\n",
            title);
}

static void put_head(const struct diff_page *page, const char *what) {
  if (page->options->is_markdown)
    fprintf(page->out,
            "| A | B | change | | %s |\n| ---: | ---: | ---: | ---: | :--- "
            "|\n",
            what);
  else
    fprintf(page->out, "%14s %14s %15s %10s  %s\n", "A", "B", "change", "",
            what);
}

/** Print the numbers of a row; its name follows, and put_end(). */
static void put_cells(const struct diff_page *page, const struct cells *cells) {
  const char *color = cells->change[0] == '-' ? "\033[32m" : "\033[31m";

  if (page->options->is_markdown) {
    fprintf(page->out, "| %s | %s | %s | %s | ", cells->a, cells->b,
            cells->change, cells->percent);
    return;
  }
  // "±" has two bytes, but one column.
  const int n_more = strstr(cells->change, "±") ? 1 : 0;
  fprintf(page->out, "%14s %14s %s%*s %10s%s  ", cells->a, cells->b,
          page->options->is_colored ? color : "", 15 + n_more, cells->change,
          cells->percent, page->options->is_colored ? "\033[0m" : "");
}

static void put_end(const struct diff_page *page) {
  fputs(page->options->is_markdown ? " |\n" : "\n", page->out);
}

/** Print why a table is empty, or cut. */
static void put_note(const struct diff_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put_note(const struct diff_page *page, const char *format, ...) {
  va_list arguments;

  fputs(page->options->is_markdown ? "" : "  ", page->out);
  va_start(arguments, format);
  vfprintf(page->out, format, arguments);
  va_end(arguments);
  fputc('\n', page->out);
}

/** Print the rows that differ, the largest differences first. */
static int put_table(const struct diff_page *page, const char *title,
                     const char *what, enum diff_table table,
                     void (*put_row)(const struct diff_page *page, size_t i),
                     struct err *err) {
  struct diff_rank rank;

  if (diff_rank(page->diff, table, &rank, err) != 0)
    return -1;
  put_title(page, title);
  const size_t n_shown =
      page->options->max_rows && page->options->max_rows < rank.n
          ? page->options->max_rows
          : rank.n;
  if (rank.n > 0)
    put_head(page, what);
  for (size_t i = 0; i < n_shown; i++)
    put_row(page, rank.rows[i]);
  if (rank.n > 0 && page->options->is_markdown)
    fputc('\n', page->out); // the table ends
  if (rank.n == 0)
    put_note(page, "no difference");
  else if (n_shown < rank.n)
    put_note(page, "and %zu more; --top=0 shows all", rank.n - n_shown);
  free(rank.rows);
  return 0;
}

// --- Functions ---

/** Print a function's name, place and program, and end the row. */
static void end_func(const struct diff_page *page,
                     const struct diff_func *func) {
  diff_put_func(page, func->name);
  if (func->file && func->line > 0) {
    const char *const name = diff_short_name(page->options, func->file);
    const char *const slash = strrchr(name, '/');
    fputs("  ", page->out);
    diff_put_place(page, slash ? slash + 1 : name, func->line);
  }
  if (func->program) {
    fputs(" in ", page->out);
    diff_put_name(page, func->program);
  }
  put_end(page);
}

static void put_calls(const struct diff_page *page, size_t i) {
  const struct cells cells = cells_of_counts(page->diff->funcs[i].calls);

  put_cells(page, &cells);
  end_func(page, &page->diff->funcs[i]);
}

static void put_self(const struct diff_page *page, size_t i) {
  const struct cells cells = cells_of_times(page->diff->funcs[i].self);

  put_cells(page, &cells);
  end_func(page, &page->diff->funcs[i]);
}

static void put_total(const struct diff_page *page, size_t i) {
  const struct diff_func *const func = &page->diff->funcs[i];
  struct cells cells = cells_of_times(func->total);

  if (func->is_estimate[DIFF_A])
    set(cells.a, "~%.2f", func->total[DIFF_A].time);
  if (func->is_estimate[DIFF_B])
    set(cells.b, "~%.2f", func->total[DIFF_B].time);
  put_cells(page, &cells);
  end_func(page, &page->diff->funcs[i]);
}

// --- Lines and calls ---

static void put_line(const struct diff_page *page, size_t i) {
  const struct diff_line *const line = &page->diff->lines[i];
  const struct cells cells = cells_of_counts(line->count);

  const char *const file = diff_file_name(&page->diff->files[line->i_file]);

  put_cells(page, &cells);
  diff_put_place(page, file, line->line[DIFF_B]);
  diff_put_text(page, file, line->line[DIFF_B]);
  put_end(page);
}

static void put_call(const struct diff_page *page, size_t i) {
  const struct diff_call *const call = &page->diff->calls[i];
  const struct cells cells = cells_of_counts(call->count);

  put_cells(page, &cells);
  diff_put_func(page, *call->caller ? call->caller : "(unknown)");
  fputs(" -> ", page->out);
  diff_put_func(page, *call->callee ? call->callee : "(indirect call)");
  if (call->file) {
    fputs("  ", page->out);
    diff_put_name(page, call->file);
  }
  put_end(page);
}

// --- The whole ---

static void put_overview_row(const struct diff_page *page, const char *what,
                             const char *a, const char *b, const char *change) {
  if (page->options->is_markdown)
    fprintf(page->out,
            page->diff->n_sides == DIFF_SIDES ? "| %s | %s | %s | %s |\n"
                                              : "| %s | %s |\n",
            what, a, b, change);
  else if (page->diff->n_sides == DIFF_SIDES)
    fprintf(page->out, "%-18s %20s %20s %15s\n", what, a, b, change);
  else
    fprintf(page->out, "%-18s %20s\n", what, a);
}

static void set_coverage(char *cell, const struct diff_coverage *covered) {
  if (covered->n == 0)
    set(cell, "none");
  else
    set(cell, "%.1f %% of %zu", percent_of(covered->n_run, covered->n, 1),
        covered->n);
}

static void put_coverage(const struct diff_page *page) {
  static const char *const names[] = {"lines covered", "functions covered",
                                      "branches covered", "condition values",
                                      "conditions (MC/DC)"};
  static const char *const changed[] = {"changed lines", "changed functions",
                                        "changed branches", "changed values",
                                        "changed conditions"};
  const struct diff *const diff = page->diff;

  for (size_t i = 0; i < N_COVERED; i++) {
    const struct diff_coverage *const a = &diff->covered[DIFF_A][i];
    const struct diff_coverage *const b = &diff->covered[DIFF_B][i];
    struct cells cells = {.b = "", .change = ""};
    if (a->n + b->n == 0)
      continue;
    set_coverage(cells.a, a);
    if (diff->n_sides == DIFF_SIDES)
      set_coverage(cells.b, b);
    if (a->n > 0 && b->n > 0)
      set(cells.change, "%+.1f points",
          100 * ((double)b->n_run / (double)b->n -
                 (double)a->n_run / (double)a->n));
    put_overview_row(page, (diff->is_of_changes ? changed : names)[i], cells.a,
                     cells.b, cells.change);
  }
}

static void put_overview(const struct diff_page *page) {
  const struct diff *const diff = page->diff;
  const bool has_two = diff->n_sides == DIFF_SIDES;
  struct cells cells = {.b = "", .change = ""};

  if (page->options->is_markdown) {
    fprintf(page->out, has_two ? "| | A: " : "| | ");
    diff_put_name(page, page->options->names[DIFF_A]);
    if (has_two) {
      fputs(" | B: ", page->out);
      diff_put_name(page, page->options->names[DIFF_B]);
    }
    fputs(has_two ? " | change |\n| :--- | ---: | ---: | ---: |\n"
                  : " |\n| :--- | ---: |\n",
          page->out);
  } else if (has_two) {
    fputs("A: ", page->out);
    diff_put_name(page, page->options->names[DIFF_A]);
    fputs("\nB: ", page->out);
    diff_put_name(page, page->options->names[DIFF_B]);
    fputs("\n\n", page->out);
    put_overview_row(page, "", "A", "B", "change");
  }
  if (diff->has_time[DIFF_A] || (has_two && diff->has_time[DIFF_B])) {
    char name[CELL_BYTES];
    set(name, "time (%s)", diff->unit);
    set(cells.a, "%.2f", diff->time[DIFF_A]);
    if (has_two) {
      set(cells.b, "%.2f", diff->time[DIFF_B]);
      set_percent(cells.change, diff->time[DIFF_A], diff->time[DIFF_B]);
    }
    put_overview_row(page, name, cells.a, cells.b, cells.change);
  }
  set(cells.a, "%" PRIu64, diff->n_calls[DIFF_A]);
  if (has_two) {
    set(cells.b, "%" PRIu64, diff->n_calls[DIFF_B]);
    set_percent(cells.change, (double)diff->n_calls[DIFF_A],
                (double)diff->n_calls[DIFF_B]);
  }
  put_overview_row(page, "calls", cells.a, cells.b, cells.change);
  put_coverage(page);
}

static void put_uncovered(const struct diff_page *page) {
  const struct diff *const diff = page->diff;
  const size_t max = page->options->max_rows;

  if (!diff->is_of_changes)
    return;
  put_title(page, "Changed lines that never ran");
  for (size_t i = 0; i < diff->n_uncovered; i++) {
    if (max && i == max) {
      put_note(page, "and %zu more; --top=0 shows all", diff->n_uncovered - i);
      return;
    }
    fputs(page->options->is_markdown ? "- " : "  ", page->out);
    diff_put_place(page, diff->uncovered[i].file, diff->uncovered[i].line);
    diff_put_text(page, diff->uncovered[i].file, diff->uncovered[i].line);
    fputc('\n', page->out);
  }
  if (diff->n_uncovered == 0)
    put_note(page, "none");
}

// --- Files, in Markdown ---

/** Code of a file that never ran: of changed lines, if there are any. */
static size_t count_idle(const struct diff_covered *file) {
  const struct diff_coverage *const covered =
      file->changed[COVERED_LINES].n > 0 ? file->changed : file->all;

  return covered[COVERED_LINES].n - covered[COVERED_LINES].n_run;
}

static int compare_files(const void *left, const void *right,
                         const void *context) {
  const struct diff_covered *const a =
      *(const struct diff_covered *const *)left;
  const struct diff_covered *const b =
      *(const struct diff_covered *const *)right;
  const size_t n_a = count_idle(a), n_b = count_idle(b);

  (void)context;
  return (n_a < n_b) - (n_a > n_b);
}

static void put_file(const struct diff_page *page,
                     const struct diff_covered *file) {
  char cells[2 * N_COVERED][CELL_BYTES];

  for (size_t i = 0; i < N_COVERED; i++) {
    set_coverage(cells[i], &file->all[i]);
    set_coverage(cells[N_COVERED + i], &file->changed[i]);
  }
  fputs("| ", page->out);
  diff_put_name(page, diff_short_name(page->options, file->name));
  if (page->diff->is_of_changes)
    fprintf(page->out, " | %s", cells[N_COVERED + COVERED_LINES]);
  fprintf(page->out, " | %s | %s | %s |\n", cells[COVERED_LINES],
          cells[COVERED_FUNCTIONS], cells[COVERED_BRANCHES]);
}

/** Print a table of the files with the most code that never ran; with changed
 * lines, of files that have some. */
static int put_files(const struct diff_page *page, struct err *err) {
  const struct diff *const diff = page->diff;
  const struct diff_covered_list *const files = &diff->covered_files;
  const struct diff_covered **const rows =
      calloc(files->n_rows + 1, sizeof(*rows));
  size_t n_rows = 0;

  if (!rows)
    return err_no_memory(err);
  for (size_t i = 0; i < files->n_rows; i++)
    if (!diff->is_of_changes || files->rows[i].changed[COVERED_LINES].n > 0)
      rows[n_rows++] = &files->rows[i];
  if (merge_sort(rows, n_rows, sizeof(*rows), compare_files, NULL)) {
    free(rows);
    return err_no_memory(err);
  }
  const size_t max = page->options->max_rows;
  const size_t n_shown = max && max < n_rows ? max : n_rows;
  if (n_rows > 0) {
    put_title(page, "Files");
    fprintf(page->out,
            "| file |%s lines | functions | branches |\n"
            "| :--- |%s ---: | ---: | ---: |\n",
            diff->is_of_changes ? " changed lines |" : "",
            diff->is_of_changes ? " ---: |" : "");
  }
  for (size_t i = 0; i < n_shown; i++)
    put_file(page, rows[i]);
  if (n_shown < n_rows) {
    fputc('\n', page->out);
    put_note(page, "and %zu more; --top=0 shows all", n_rows - n_shown);
  }
  free(rows);
  return 0;
}

// --- The whole, in order ---

static int put_times(const struct diff_page *page, struct err *err) {
  const struct diff *const diff = page->diff;
  char title[128];

  if (!diff->has_time[DIFF_A] || !diff->has_time[DIFF_B])
    return 0;
  snprintf(title, sizeof(title),
           "Functions: self time (sampled, %s; differences within chance are "
           "omitted)",
           diff->unit);
  if (put_table(page, title, "function", DIFF_FUNC_SELF, put_self, err) != 0)
    return -1;
  snprintf(title, sizeof(title), "Functions: time with callees (%s, %s)",
           diff->is_measured ? "sampled; ~ propagated by calls"
                             : "propagated from samples by calls",
           diff->unit);
  return put_table(page, title, "function", DIFF_FUNC_TOTAL, put_total, err);
}

static int put_all(const struct diff_page *page, struct err *err) {
  const struct diff *const diff = page->diff;

  put_overview(page);
  if (page->options->is_markdown && put_files(page, err) != 0)
    return -1;
  put_uncovered(page);
  if (diff->n_sides < DIFF_SIDES)
    return 0;
  if (put_table(page, "Functions: calls (exact)", "function", DIFF_FUNC_CALLS,
                put_calls, err) != 0 ||
      put_table(page, "Calls from function to function (exact)", "call",
                DIFF_CALLS, put_call, err) != 0)
    return -1;
  if (diff->has_counts[DIFF_A] && diff->has_counts[DIFF_B]) {
    if (put_table(page, "Lines: executions (exact)", "line", DIFF_LINES,
                  put_line, err) != 0)
      return -1;
    if (diff->n_unmatched > 0)
      put_note(page, "lines of A that were deleted or changed in B: %zu",
               diff->n_unmatched);
  }
  return put_times(page, err);
}

int diff_report(const struct diff *diff,
                const struct diff_report_options *options, FILE *out,
                struct err *err) {
  struct diff_kept_text kept = {0};
  const struct diff_page page = {diff, options, out, &kept};
  const int rc = put_all(&page, err);

  source_release(&kept.text);
  return rc;
}
