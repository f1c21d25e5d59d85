/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints the flat profile. */
#include "base/err.h"
#include "base/row.h"
#include "base/sort_u64.h"
#include "gprof/entry_name.h"
#include "gprof/explain.h"
#include "gprof/gprof.h"

#include <stdlib.h>

void gprof_begin(struct gprof_output *output) {
  if (output->has_text)
    fputs("\f\n", output->stream);
  output->has_text = true;
}

struct unit {
  char prefix;
  double per_second;
};

/** Prefixes of the time per call, largest unit first. */
static const struct unit units[] = {
    {'T', 1e-12}, {'G', 1e-9}, {'M', 1e-6}, {'K', 1e-3},
    {' ', 1},     {'m', 1e3},  {'u', 1e6},  {'n', 1e9},
    {'p', 1e12},  {'f', 1e15}, {'a', 1e18},
};

/** The unit that the form of BSD always uses. */
static const struct unit *const milli = &units[5];

enum { N_UNITS = sizeof(units) / sizeof(units[0]) };

/** The unit in which the longest time per call has one to three digits. */
static const struct unit *choose_unit(const struct callgraph *graph) {
  double longest = 0;

  for (size_t i = 0; i < graph->n_symbols; i++) {
    const struct cg_node *node = &graph->nodes[i];
    if (node->calls == 0)
      continue;
    double ticks = (node->ticks + node->child_ticks) / (double)node->calls;
    if (ticks > longest)
      longest = ticks;
  }
  if (longest <= 0)
    return &units[0];
  longest /= graph->profile->unit.rate_hz;
  for (size_t i = 0; i < N_UNITS; i++) {
    double scaled = units[i].per_second * longest;
    if (scaled >= 1 && scaled < 1000)
      return &units[i];
  }
  return &units[N_UNITS - 1];
}

/** Print the text before the table. Returns the total for percentages. */
static double print_head(const struct profile *profile, FILE *out) {
  fprintf(out, "Flat profile:\n\nEach sample counts as %g %s.\n",
          1.0 / profile->unit.rate_hz, profile->unit.dimension);
  if (profile->total_ticks > 0)
    return profile->total_ticks;
  fputs(" no time accumulated\n\n", out);
  return 1;
}

/** The same in the form of BSD, in which the explanation comes first. */
static double print_bsd_head(const struct profile *profile, bool is_brief,
                             FILE *out) {
  const double total = profile->total_ticks;

  if (!is_brief) {
    fputs("\n\n\nflat profile:\n", out);
    explain_flat(out);
  }
  fprintf(out, "\ngranularity: each sample hit covers %ld byte(s)",
          (long)profile->scale * 2);
  if (total > 0) {
    fprintf(out, " for %.2f%% of %.2f %s\n\n", 100.0 / total,
            total / profile->unit.rate_hz, profile->unit.dimension);
    return total;
  }
  fputs(" no time accumulated\n\n", out);
  return 1;
}

static void print_columns(const struct profile *profile,
                          const struct unit *unit, FILE *out) {
  const char per_call[] = {
      unit->prefix, profile->unit.abbreviation, '/', 'c', 'a', 'l', 'l', '\0'};

  fprintf(out, "%5.5s %10.10s %8.8s %8.8s %8.8s %8.8s  %-8.8s\n", "%  ",
          "cumulative", "self  ", "", "self  ", "total ", "");
  fprintf(out, "%5.5s %9.9s  %8.8s %8.8s %8.8s %8.8s  %-8.8s\n", "time",
          profile->unit.dimension, profile->unit.dimension, "calls", per_call,
          per_call, "name");
}

/** Is a symbol selected, and does it have calls or time, unless zero rows are
 * printed, too? */
static bool is_row_printed(const struct callgraph *graph, size_t i_symbol,
                           bool has_zero_rows) {
  const struct profile *profile = graph->profile;
  const struct cg_node *node = &graph->nodes[i_symbol];

  return (has_zero_rows || node->calls != 0 || node->ticks != 0) &&
         symspec_allows(profile->filters, SYMSPEC_FLAT,
                        profile->symtab->symbols[i_symbol].vaddr);
}

/** Data of all rows, besides their symbols. */
struct flat_page {
  const struct callgraph *graph;
  const struct unit *unit;
  double total_ticks; // that percentages are of
  double rate_hz;
  bool is_bsd;
  struct row *row;
  struct names *names;
};

/** Print a symbol's row. */
static void print_row(const struct flat_page *page, size_t i_symbol,
                      double cumulative) {
  const struct cg_node *node = &page->graph->nodes[i_symbol];
  const double rate_hz = page->rate_hz;
  struct row *const row = page->row;

  row_add_fixed(row, 100 * node->ticks / page->total_ticks,
                page->is_bsd ? 5 : 6, page->is_bsd ? 1 : 2);
  ROW_ADD(row, " ");
  row_add_fixed(row, cumulative / rate_hz, page->is_bsd ? 10 : 9, 2);
  ROW_ADD(row, " ");
  row_add_fixed(row, node->ticks / rate_hz, 8, 2);
  ROW_ADD(row, " ");
  if (node->calls > 0) {
    const double calls = (double)node->calls;
    const double with_children = node->ticks + node->child_ticks;
    const double per_second = page->unit->per_second;
    row_add_number(row, node->calls, 8);
    ROW_ADD(row, " ");
    row_add_fixed(row, per_second * node->ticks / rate_hz / calls, 8, 2);
    ROW_ADD(row, " ");
    row_add_fixed(row, per_second * with_children / rate_hz / calls, 8, 2);
    ROW_ADD(row, "  ");
  } else {
    row_add_blanks(row, 28);
  }
  // Without arcs there is no call graph to point to.
  if (page->is_bsd && page->graph->profile->has_arcs) {
    entry_add_name(row, page->graph, i_symbol, page->names);
  } else {
    size_t length;
    const char *const name = names_text(page->names, i_symbol, &length);
    row_add(row, name, length);
  }
  ROW_ADD(row, "\n");
}

/** List the symbols that have rows, those with the most time first, then those
 * with the most calls, then by name. */
static int list_rows(const struct callgraph *graph, bool has_zero_rows,
                     struct sort_pair *rows, size_t *n_rows) {
  size_t n = 0;

  for (size_t i = 0; i < graph->n_symbols; i++) {
    const uint32_t i_symbol = graph->by_name[i];
    if (is_row_printed(graph, i_symbol, has_zero_rows))
      rows[n++] = (struct sort_pair){.key = ~graph->nodes[i_symbol].calls,
                                     .value = i_symbol};
  }
  *n_rows = n;
  if (sort_pairs(rows, n))
    return -1;
  for (size_t i = 0; i < n; i++)
    rows[i].key = ~sort_key_of(graph->nodes[rows[i].value].ticks);
  return sort_pairs(rows, n);
}

int gprof_flat(const struct callgraph *graph,
               const struct gprof_layout *options, struct gprof_output *output,
               struct err *err) {
  const struct profile *profile = graph->profile;
  FILE *out = output->stream;
  size_t n_rows;
  double cumulative = 0;

  struct sort_pair *const rows =
      reallocarray(NULL, graph->n_symbols + 1, sizeof(*rows));
  if (!rows || list_rows(graph, options->has_zero_rows, rows, &n_rows)) {
    free(rows);
    return err_no_memory(err);
  }
  gprof_begin(output);
  struct row row;
  const struct flat_page page = {
      .row = &row,
      .names = output->names,
      .graph = graph,
      .unit = options->is_bsd ? milli : choose_unit(graph),
      .total_ticks = options->is_bsd
                         ? print_bsd_head(profile, options->is_brief, out)
                         : print_head(profile, out),
      .rate_hz = profile->unit.rate_hz,
      .is_bsd = options->is_bsd,
  };
  print_columns(profile, page.unit, out);
  row_begin(&row, out);
  for (size_t i = 0; i < n_rows; i++) {
    cumulative += graph->nodes[rows[i].value].ticks;
    print_row(&page, rows[i].value, cumulative);
  }
  row_write(&row);
  free(rows);
  if (!options->is_brief && !options->is_bsd)
    explain_flat(out);
  return 0;
}
