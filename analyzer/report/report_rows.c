/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/report_rows.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/row.h"
#include "base/short_name.h"
#include "counts/inlined.h"
#include "profile/graph_profile.h"
#include "profile/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Shares of all time at which a function is hot or warm.
static const double hot_share = 0.10;
static const double warm_share = 0.01;

static const struct {
  const char *name;
  enum report_field field;
} field_names[] = {
    {"share", FIELD_SHARE},
    {"self", FIELD_SELF},
    {"total-share", FIELD_TOTAL_SHARE},
    {"total", FIELD_TOTAL},
    {"propagated", FIELD_PROPAGATED},
    {"measured", FIELD_MEASURED},
    {"wait", FIELD_WAIT},
    {"calls", FIELD_CALLS},
    {"per-call", FIELD_PER_CALL},
    {"file", FIELD_FILE},
    {"object", FIELD_OBJECT},
    {"name", FIELD_NAME},
};

enum { N_FIELD_NAMES = sizeof(field_names) / sizeof(*field_names) };

const char *report_field_at(size_t i) {
  return i < N_FIELD_NAMES ? field_names[i].name : NULL;
}

int report_parse_field(const char *option, const char *name, size_t n_name,
                       enum report_field *out, struct err *err) {
  for (size_t i = 0; i < N_FIELD_NAMES; i++)
    if (strlen(field_names[i].name) == n_name &&
        strncmp(field_names[i].name, name, n_name) == 0) {
      *out = field_names[i].field;
      return 0;
    }
  return err_set(
      err, ERR_USAGE,
      "--%s=%.*s: unknown field; use share, self, total-share, total, "
      "propagated, measured, wait, calls, per-call, file, object or name",
      option, (int)(n_name < 80 ? n_name : 80), name);
}

double report_whole(const struct report *report) {
  return report->program->profile.total_ticks;
}

double report_unit(const struct measure_unit *unit, char *sign, size_t n_sign) {
  *sign = '\0';
  if (unit->rate_hz)
    snprintf(sign, n_sign, " %c",
             strcmp(unit->dimension, "seconds") == 0 ? 's'
                                                     : unit->abbreviation);
  return unit->rate_hz ? unit->rate_hz : 1;
}

enum screen_style report_highlight(double share) {
  return share >= hot_share    ? INK_HOT
         : share >= warm_share ? INK_WARM
                               : INK_PLAIN;
}

/** The numbers of one function. */
static struct report_row row_of(const struct report *report, size_t i_symbol) {
  const struct callgraph *const graph = &report->program->graph;
  const struct measured *const measured = &report->program->measured;
  const struct cg_node *const node = &graph->nodes[i_symbol];
  const struct total_time total = measured_total(measured, graph, i_symbol);
  struct report_row row = {
      .i_symbol = (uint32_t)i_symbol,
      .self_ticks = node->ticks,
      .total_ticks = total.ticks,
      .is_estimate = total.is_estimate,
      .propagated_ticks = node->ticks + node->child_ticks,
      .n_calls = node->calls + node->self_calls,
  };
  if (measured->total_ticks <= 0)
    return row;
  row.measured_ticks = graph->profile->counts[i_symbol].inclusive;
  row.wait_ticks = graph->profile->counts[i_symbol].waiting;
  row.is_off =
      row.measured_ticks > 0 &&
      measured_differs(measured, row.measured_ticks, row.propagated_ticks);
  return row;
}

// --- Choice ---

static bool matches(const regex_t *pattern, const char *name) {
  return regexec(pattern, name, 0, NULL, 0) == 0;
}

static bool is_wanted(const struct report *report, size_t i_symbol) {
  const struct report_options *const options = report->options;
  size_t length;
  if (!options->has_focus && !options->has_ignore)
    return true;
  const char *const name = names_text(report->names, i_symbol, &length);
  return (!options->has_focus || matches(&options->focus, name)) &&
         !(options->has_ignore && matches(&options->ignore, name));
}

/** Does it have calls or time? */
static bool has_row(const struct report_row *row) {
  return row->n_calls > 0 || fmax(row->total_ticks, row->propagated_ticks) > 0;
}

static double share_of(const struct report_row *row, double whole) {
  return whole > 0 ? 100 * fmax(row->total_ticks, row->propagated_ticks) / whole
                   : 0;
}

struct order {
  const struct report *report;
  enum report_field sort;
};

static double key_of(const struct report_row *row, enum report_field sort) {
  switch (sort) {
  case FIELD_TOTAL:
  case FIELD_TOTAL_SHARE:
    return row->total_ticks;
  case FIELD_PROPAGATED:
    return row->propagated_ticks;
  case FIELD_MEASURED:
    return row->measured_ticks;
  case FIELD_WAIT:
    return row->wait_ticks;
  case FIELD_CALLS:
    return (double)row->n_calls;
  case FIELD_PER_CALL:
    return row->n_calls ? row->self_ticks / (double)row->n_calls : 0;
  case FIELD_SHARE:
  case FIELD_SELF:
    return row->self_ticks;
  default:
    return 0;
  }
}

/** Compare by a field that is text. */
static int compare_texts(const struct report_row *a, const struct report_row *b,
                         const struct order *order) {
  struct names *const names = order->report->names;
  const struct symtab *const symtab =
      order->report->program->graph.profile->symtab;
  const struct symbol *const x = &symtab->symbols[a->i_symbol];
  const struct symbol *const y = &symtab->symbols[b->i_symbol];
  size_t length;
  if (order->sort == FIELD_OBJECT && x->object && y->object)
    return strcmp(x->object->name, y->object->name);
  if (order->sort == FIELD_FILE) {
    const int rc = strcmp(x->file ? x->file : "", y->file ? y->file : "");
    return rc ? rc : (x->line > y->line) - (x->line < y->line);
  }
  if (order->sort != FIELD_NAME)
    return 0;
  char *const name = strdup(names_text(names, a->i_symbol, &length));
  const int rc =
      name ? strcmp(name, names_text(names, b->i_symbol, &length)) : 0;
  free(name);
  return rc;
}

static int compare_rows(const void *left, const void *right,
                        const void *context) {
  const struct report_row *const a = left, *const b = right;
  const struct order *const order = context;
  const double x = key_of(a, order->sort), y = key_of(b, order->sort);
  if (x != y)
    return x < y ? 1 : -1;
  const int rc = compare_texts(a, b, order);
  if (rc)
    return rc;
  if (a->self_ticks != b->self_ticks)
    return a->self_ticks < b->self_ticks ? 1 : -1;
  if (a->n_calls != b->n_calls)
    return a->n_calls < b->n_calls ? 1 : -1;
  return a->i_symbol < b->i_symbol ? -1 : a->i_symbol > b->i_symbol;
}

static enum report_field choose_order(const struct report *report) {
  const struct report_options *const options = report->options;
  return options->has_sort          ? options->sort
         : report_whole(report) > 0 ? FIELD_SELF
                                    : FIELD_CALLS;
}

int report_rows_choose(const struct report *report, size_t top,
                       struct report_rows *out, struct err *err) {
  const struct callgraph *const graph = &report->program->graph;
  const double whole = report_whole(report);
  const struct order order = {report, choose_order(report)};
  *out = (struct report_rows){
      .rows = reallocarray(NULL, graph->n_symbols + 1, sizeof(*out->rows))};
  if (!out->rows)
    return err_no_memory(err);
  for (size_t i = 0; i < graph->n_symbols; i++) {
    const struct report_row row = row_of(report, i);
    if (!graph->nodes[i].is_printed || !has_row(&row) || !is_wanted(report, i))
      continue;
    if (share_of(&row, whole) < report->options->min_percent) {
      out->n_hidden++;
      out->hidden_ticks += row.self_ticks;
      continue;
    }
    if (order.sort == FIELD_FILE && report_locate(report, i, err)) {
      report_rows_release(out);
      return -1;
    }
    out->rows[out->n_rows++] = row;
  }
  if (merge_sort(out->rows, out->n_rows, sizeof(*out->rows), compare_rows,
                 &order)) {
    report_rows_release(out);
    return err_no_memory(err);
  }
  while (top && out->n_rows > top) {
    out->n_hidden++;
    out->hidden_ticks += out->rows[--out->n_rows].self_ticks;
  }
  return 0;
}

void report_rows_release(struct report_rows *rows) {
  free(rows->rows);
  *rows = (struct report_rows){0};
}

// --- Names ---

void report_add_name(const struct report *report, struct row *row,
                     size_t i_symbol, size_t max_columns) {
  const struct screen *const screen = &report->options->screen;
  const struct callgraph *const graph = &report->program->graph;
  const struct cg_node *const node = &graph->nodes[i_symbol];
  static const char *const kinds[] = {[INLINED_NOWHERE] = "",
                                      [INLINED_PARTLY] = " (partly inlined)",
                                      [INLINED_ALWAYS] = " (inlined)"};
  char mark[64];
  size_t length;
  strcpy(mark, kinds[inlined_kind_of(report->inlined, graph, i_symbol)]);
  if (node->cycle)
    snprintf(mark + strlen(mark), sizeof(mark) - strlen(mark), " <cycle %u>",
             node->cycle);
  const size_t n_mark = strlen(mark);
  size_t n_left = max_columns;
  if (max_columns)
    n_left = max_columns > n_mark + 8 ? max_columns - n_mark : 8;
  const char *const name = names_text(report->names, i_symbol, &length);
  char *const shorter = short_name(name, n_left, screen->is_utf8);
  screen_add_text(screen, row, shorter ? shorter : name, n_left);
  free(shorter);
  if (!*mark)
    return;
  screen_begin_style(screen, row, INK_NOTE);
  row_add_text(row, mark);
  screen_end_style(screen, row, INK_NOTE);
}

int report_locate(const struct report *report, size_t i_symbol,
                  struct err *err) {
  struct graph_profile *const program = report->program;
  struct symbol *const symbols = program->graph.used
                                     ? program->graph.used->symtab.symbols
                                     : program->model->symtab.symbols;
  return symbols[i_symbol].file
             ? 0
             : model_locate_symbol(program->model, &symbols[i_symbol], true,
                                   err);
}
