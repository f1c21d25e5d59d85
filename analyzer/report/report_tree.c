/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints callers and callees of functions. Their times are those of call
 * stacks if the function is on any. */
#include "base/digits.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/row.h"
#include "profile/graph_profile.h"
#include "report/report_rows.h"

#include <stdlib.h>

// Defaults: functions shown, and callers and callees of each.
enum { USUAL_TOP = 5, MAX_ARCS = 10, NUMBER_COLUMNS = 32 };

/** A caller or callee. */
struct end {
  uint32_t i_symbol;
  uint64_t n_calls;
  double ticks;
};

struct page {
  const struct report *report;
  struct row *row;
  struct end *ends; /* room for all */
  size_t n_ends;
};

static int compare_ends(const void *left, const void *right,
                        const void *context) {
  const struct end *const a = left, *const b = right;
  (void)context;
  if (a->ticks != b->ticks)
    return a->ticks < b->ticks ? 1 : -1;
  if (a->n_calls != b->n_calls)
    return a->n_calls < b->n_calls ? 1 : -1;
  return a->i_symbol < b->i_symbol ? -1 : a->i_symbol > b->i_symbol;
}

static void add_end(struct page *page, const struct profile_arc *arc,
                    bool is_callers, double ticks) {
  if (arc->count || ticks > 0)
    page->ends[page->n_ends++] =
        (struct end){.i_symbol = is_callers ? arc->parent : arc->child,
                     .n_calls = arc->count,
                     .ticks = ticks};
}

/** Collect the ends of a function's arcs on one side. */
static int collect(struct page *page, const struct report_row *it,
                   bool is_callers, struct err *err) {
  const struct callgraph *const graph = &page->report->program->graph;
  const struct cg_groups *groups =
      is_callers ? &graph->by_child : &graph->by_parent;
  const uint32_t *starts = &groups->starts[it->i_symbol];
  page->n_ends = 0;
  for (uint32_t i = starts[0]; i < starts[1]; i++) {
    const struct profile_arc *const arc =
        &graph->profile->arcs[groups->arcs[i]];
    const struct cg_arc *const shares = &graph->arcs[groups->arcs[i]];
    add_end(page, arc, is_callers,
            it->measured_ticks > 0 ? arc->inclusive
                                   : shares->self_share + shares->child_share);
  }
  groups = is_callers ? &graph->stacks_by_child : &graph->stacks_by_parent;
  starts = &groups->starts[it->i_symbol];
  for (uint32_t i = starts[0]; i < starts[1]; i++) {
    const struct profile_arc *const arc =
        &graph->profile->stack_arcs[groups->arcs[i]];
    add_end(page, arc, is_callers, arc->inclusive);
  }
  return merge_sort(page->ends, page->n_ends, sizeof(*page->ends), compare_ends,
                    NULL)
             ? err_no_memory(err)
             : 0;
}

static double rate_of(const struct page *page) {
  const uint32_t rate_hz = page->report->program->profile.unit.rate_hz;
  return rate_hz ? rate_hz : 1;
}

/** Time, its share and calls of one line below a function. */
static void add_numbers(const struct page *page, double ticks, double whole,
                        uint64_t n_calls) {
  struct row *const row = page->row;
  if (ticks > 0) {
    row_add_fixed(row, ticks / rate_of(page), 9, 2);
    row_add_fixed(row, whole > 0 ? 100 * ticks / whole : 0, 7, 1);
    ROW_ADD(row, " %");
  } else {
    row_add_blanks(row, 9 + 7 + 2);
  }
  if (n_calls)
    digits_add(row, n_calls, 14);
  else
    row_add_blanks(row, 14);
}

static void add_branch(const struct page *page, bool is_last) {
  const bool is_utf8 = page->report->options->screen.is_utf8;
  row_add_text(page->row, is_utf8   ? is_last ? "  \xe2\x94\x94\xe2\x94\x80"
                                              : "  \xe2\x94\x9c\xe2\x94\x80"
                          : is_last ? "  `-"
                                    : "  |-");
}

static void add_trunk(const struct page *page, bool is_last) {
  const bool is_utf8 = page->report->options->screen.is_utf8;
  row_add_text(page->row, is_last   ? "    "
                          : is_utf8 ? "  \xe2\x94\x82 "
                                    : "  | ");
}

static void print_side(const struct page *page, double whole, bool is_last,
                       const char *title, bool has_unknown, uint64_t n_unknown,
                       double unknown_ticks) {
  const struct screen *const screen = &page->report->options->screen;
  const size_t n_taken = NUMBER_COLUMNS + 7;
  const size_t n_name = screen->width == 0             ? 0
                        : screen->width > n_taken + 20 ? screen->width - n_taken
                                                       : 20;
  struct row *const row = page->row;
  add_branch(page, is_last);
  screen_begin_style(screen, row, INK_NOTE);
  ROW_ADD(row, " ");
  row_add_text(row, title);
  screen_end_style(screen, row, INK_NOTE);
  ROW_ADD(row, "\n");
  const size_t max_ends = page->report->options->top ? MAX_ARCS : page->n_ends;
  for (size_t i = 0; i < page->n_ends && i < max_ends; i++) {
    add_trunk(page, is_last);
    add_numbers(page, page->ends[i].ticks, whole, page->ends[i].n_calls);
    ROW_ADD(row, "  ");
    report_add_name(page->report, row, page->ends[i].i_symbol, n_name);
    ROW_ADD(row, "\n");
  }
  if (page->n_ends > max_ends) {
    add_trunk(page, is_last);
    row_add_blanks(row, NUMBER_COLUMNS);
    row_add_format(row, "  (%zu more: --top=0 shows all)\n",
                   page->n_ends - max_ends);
  }
  if (has_unknown) {
    add_trunk(page, is_last);
    add_numbers(page, unknown_ticks, whole, n_unknown);
    ROW_ADD(row, "  (unknown)\n");
  }
}

static void print_title(const struct page *page, const struct report_row *it) {
  const struct screen *const screen = &page->report->options->screen;
  const double whole = report_whole(page->report);
  struct row *const row = page->row;
  screen_begin_style(screen, row, INK_TITLE);
  report_add_name(page->report, row, it->i_symbol,
                  screen->width > 60 ? screen->width - 44 : 0);
  screen_end_style(screen, row, INK_TITLE);
  if (whole > 0) {
    ROW_ADD(row, ": ");
    row_add_fixed(row, 100 * it->self_ticks / whole, 0, 1);
    row_add_text(row, it->is_estimate ? " % self, ~" : " % self, ");
    row_add_fixed(row, 100 * it->total_ticks / whole, 0, 1);
    ROW_ADD(row, " % total");
    if (it->wait_ticks > 0) {
      ROW_ADD(row, ", ");
      row_add_fixed(row, 100 * it->wait_ticks / whole, 0, 1);
      ROW_ADD(row, " % waiting");
    }
  }
  if (it->n_calls) {
    row_add_text(row, whole > 0 ? ", " : ": ");
    digits_add(row, it->n_calls, 0);
    row_add_text(row, it->n_calls == 1 ? " call" : " calls");
  }
  ROW_ADD(row, "\n");
}

/** The time that callers' parts are parts of: without stacks, the callers of a
 * function in a cycle share the time of the cycle. */
static double callers_whole(const struct page *page,
                            const struct report_row *it) {
  const struct callgraph *const graph = &page->report->program->graph;
  const struct cg_node *const head =
      &graph->nodes[callgraph_head(graph, it->i_symbol)];
  return it->measured_ticks > 0 ? it->total_ticks
                                : head->ticks + head->child_ticks;
}

static int print_callers(struct page *page, const struct report_row *it,
                         bool is_last, struct err *err) {
  const struct callgraph *const graph = &page->report->program->graph;
  const uint64_t n_unknown = graph->profile->counts[it->i_symbol].outside_calls;
  const double whole = callers_whole(page, it);
  if (collect(page, it, true, err))
    return -1;
  if (page->n_ends || n_unknown)
    print_side(page, whole, is_last, "called by", n_unknown > 0, n_unknown,
               measured_outside(graph, it->i_symbol));
  return 0;
}

static int print_function(struct page *page, const struct report_row *it,
                          struct err *err) {
  const struct callgraph *const graph = &page->report->program->graph;
  const uint32_t *const counted = &graph->by_parent.starts[it->i_symbol];
  const uint32_t *const others = &graph->stacks_by_parent.starts[it->i_symbol];
  const bool has_callees = counted[0] < counted[1] || others[0] < others[1];
  print_title(page, it);
  if (print_callers(page, it, !has_callees, err))
    return -1;
  if (has_callees) {
    if (collect(page, it, false, err))
      return -1;
    print_side(page,
               it->measured_ticks > 0 ? it->total_ticks : it->propagated_ticks,
               true, "calls", false, 0, 0);
  }
  return 0;
}

int report_print_tree(const struct report *report, FILE *out, struct err *err) {
  const struct callgraph *const graph = &report->program->graph;
  const bool has_choice = report->options->has_focus;
  size_t top = report->options->top;
  struct report_rows rows;
  struct row row;
  if (!has_choice && top > USUAL_TOP)
    top = USUAL_TOP;
  if (report_rows_choose(report, top, &rows, err))
    return -1;
  struct page page = {.report = report, .row = &row};
  page.ends = reallocarray(
      NULL, graph->profile->n_arcs + graph->profile->n_stack_arcs + 1,
      sizeof(*page.ends));
  int rc = page.ends ? 0 : err_no_memory(err);
  row_begin(&row, out);
  for (size_t i = 0; i < rows.n_rows && rc == 0; i++) {
    if (i > 0)
      ROW_ADD(&row, "\n");
    rc = print_function(&page, &rows.rows[i], err);
  }
  if (rc == 0 && rows.n_rows == 0)
    row_add_text(&row, "No function with time or calls matches.\n");
  row_write(&row);
  free(page.ends);
  report_rows_release(&rows);
  return rc;
}
