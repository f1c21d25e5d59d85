/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints measured inclusive times beside propagated ones. */
#include "profile/measured.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/row.h"
#include "gprof/entry_name.h"
#include "gprof/explain.h"
#include "gprof/gprof.h"

#include <stdlib.h>

/** Sources of rows. */
struct page {
  const struct callgraph *graph;
  const struct measured *measured;
};

static double measured_ticks(const struct page *page, size_t i_symbol) {
  return page->graph->profile->counts[i_symbol].inclusive;
}

/** Time by gprof's assumption. */
static double propagated_ticks(const struct page *page, size_t i_symbol) {
  const struct cg_node *const node = &page->graph->nodes[i_symbol];
  return node->ticks + node->child_ticks;
}

/** A function without data in the call graph, such as the code that calls
 * main(), has no row. */
static bool has_row(const struct page *page, size_t i_symbol) {
  const struct cg_node *const node = &page->graph->nodes[i_symbol];
  return measured_ticks(page, i_symbol) > 0 && node->is_printed &&
         (node->calls > 0 || propagated_ticks(page, i_symbol) > 0);
}

static int compare_rows(const void *left, const void *right,
                        const void *context) {
  const uint32_t *const a = left, *const b = right;
  const double ticks_a = measured_ticks(context, *a);
  const double ticks_b = measured_ticks(context, *b);
  if (ticks_a != ticks_b)
    return ticks_a < ticks_b ? 1 : -1;
  return *a < *b ? -1 : *a > *b;
}

static void print_head(const struct page *page, FILE *out) {
  const struct measured *const measured = page->measured;
  const struct profile *const profile = page->graph->profile;
  const double whole = 100 * (1 - measured->cut_ticks / measured->total_ticks);
  fprintf(out,
          "Inclusive time:\n\n"
          "Call stacks of %.0f samples, from %.0f signals; %.1f %% complete.\n"
          "%10s %8s %10s    \n"
          "%10s %8s %10s    name\n",
          measured->total_ticks, measured->n_stack_signals, whole, "measured",
          "", "propagated", profile->unit.dimension, "+/-",
          profile->unit.dimension);
}

static void print_row(const struct page *page, size_t i_symbol,
                      struct names *names, struct row *row) {
  const double rate_hz = page->graph->profile->unit.rate_hz;
  const double ticks = measured_ticks(page, i_symbol);
  const double other = propagated_ticks(page, i_symbol);
  const double error = measured_error(page->measured, ticks);
  row_add_fixed(row, ticks / rate_hz, 10, 2);
  row_add_fixed(row, error / rate_hz, 9, 2);
  row_add_fixed(row, other / rate_hz, 11, 2);
  if (measured_differs(page->measured, ticks, other))
    ROW_ADD(row, "  * ");
  else
    ROW_ADD(row, "    ");
  entry_add_name(row, page->graph, i_symbol, names);
  ROW_ADD(row, "\n");
}

int gprof_measured(const struct callgraph *graph,
                   const struct measured *measured,
                   const struct gprof_layout *options,
                   struct gprof_output *output, struct err *err) {
  const struct page page = {graph, measured};
  size_t n_rows = 0;
  uint32_t *const rows =
      reallocarray(NULL, graph->n_symbols + 1, sizeof(*rows));
  if (!rows)
    return err_no_memory(err);
  for (size_t i = 0; i < graph->n_symbols; i++)
    if (has_row(&page, i))
      rows[n_rows++] = (uint32_t)i;
  if (merge_sort(rows, n_rows, sizeof(*rows), compare_rows, &page)) {
    free(rows);
    return err_no_memory(err);
  }
  struct row row;
  gprof_begin(output);
  print_head(&page, output->stream);
  row_begin(&row, output->stream);
  for (size_t i = 0; i < n_rows; i++)
    print_row(&page, rows[i], output->names, &row);
  row_write(&row);
  free(rows);
  if (!options->is_brief)
    explain_measured(output->stream);
  return 0;
}
