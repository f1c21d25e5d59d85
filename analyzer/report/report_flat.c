/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/err.h"
#include "base/merge_sort.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void report_begin(struct report_output *output) {
  if (output->has_text)
    fputs("\f\n", output->stream);
  output->has_text = true;
}

static int compare_rows(const void *left_ptr, const void *right_ptr,
                        const void *context) {
  const struct callgraph *graph = context;
  uint32_t i_left = *(const uint32_t *)left_ptr;
  uint32_t i_right = *(const uint32_t *)right_ptr;
  const struct cg_node *left = &graph->nodes[i_left];
  const struct cg_node *right = &graph->nodes[i_right];
  const struct symbol *symbols = graph->profile->symtab->symbols;

  if (left->ticks != right->ticks)
    return left->ticks > right->ticks ? -1 : 1;
  if (left->calls != right->calls)
    return left->calls > right->calls ? -1 : 1;
  return strcmp(symbols[i_left].name, symbols[i_right].name);
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
  longest /= graph->profile->rate_hz;
  for (size_t i = 0; i < N_UNITS; i++) {
    double scaled = units[i].per_second * longest;
    if (scaled >= 1 && scaled < 1000)
      return &units[i];
  }
  return &units[N_UNITS - 1];
}

/** Returns the total that percentages are of. */
static double print_header(const struct profile *profile,
                           const struct unit *unit, FILE *out) {
  double total = profile->total_ticks;
  const char per_call[] = {
      unit->prefix, profile->abbreviation, '/', 'c', 'a', 'l', 'l', '\0'};

  fprintf(out, "Flat profile:\n\nEach sample counts as %g %s.\n",
          1.0 / profile->rate_hz, profile->dimension);
  if (total <= 0) {
    fputs(" no time accumulated\n\n", out);
    total = 1;
  }
  fprintf(out, "%5.5s %10.10s %8.8s %8.8s %8.8s %8.8s  %-8.8s\n", "%  ",
          "cumulative", "self  ", "", "self  ", "total ", "");
  fprintf(out, "%5.5s %9.9s  %8.8s %8.8s %8.8s %8.8s  %-8.8s\n", "time",
          profile->dimension, profile->dimension, "calls", per_call, per_call,
          "name");
  return total;
}

static void print_explanation(FILE *out) {
  fputs("\n"
        "How to read the flat profile: one row per function, most expensive "
        "first.\n\n"
        "  %           self time, as a part of all time that was sampled\n"
        "  cumulative  self time of this row and of all rows above it\n"
        "  self        time spent in the function itself, not in what it "
        "calls\n"
        "  calls       how often it was called; blank if calls of it were not "
        "counted\n"
        "  self/call   self time divided by calls\n"
        "  total/call  the same with the time of everything it calls\n",
        out);
}

int report_flat(const struct callgraph *graph,
                const struct report_options *options,
                struct report_output *output, struct err *err) {
  const struct profile *profile = graph->profile;
  const struct symbol *symbols = profile->symtab->symbols;
  const double rate_hz = profile->rate_hz;
  FILE *out = output->stream;
  double cumulative = 0;

  uint32_t *rows = reallocarray(NULL, graph->n_symbols + 1, sizeof(*rows));
  if (!rows)
    return err_no_memory(err);
  for (size_t i = 0; i < graph->n_symbols; i++)
    rows[i] = (uint32_t)i;
  if (merge_sort(rows, graph->n_symbols, sizeof(*rows), compare_rows, graph)) {
    free(rows);
    return err_no_memory(err);
  }
  report_begin(output);
  const struct unit *unit = choose_unit(graph);
  double total = print_header(profile, unit, out);
  for (size_t i = 0; i < graph->n_symbols; i++) {
    const struct cg_node *node = &graph->nodes[rows[i]];
    const struct symbol *symbol = &symbols[rows[i]];
    if ((!options->has_zero_rows && node->calls == 0 && node->ticks == 0) ||
        !symspec_allows(profile->filters, SYMSPEC_FLAT, symbol->vaddr))
      continue;
    cumulative += node->ticks;
    fprintf(out, "%6.2f %9.2f %8.2f", 100 * node->ticks / total,
            cumulative / rate_hz, node->ticks / rate_hz);
    if (node->calls > 0) {
      double calls = (double)node->calls;
      double with_children = node->ticks + node->child_ticks;
      fprintf(out, " %8" PRIu64 " %8.2f %8.2f  ", node->calls,
              unit->per_second * node->ticks / rate_hz / calls,
              unit->per_second * with_children / rate_hz / calls);
    } else {
      fprintf(out, " %8.8s %8.8s %8.8s  ", "", "", "");
    }
    names_print(&options->names, symbol, out);
    fputc('\n', out);
  }
  free(rows);
  if (!options->is_brief)
    print_explanation(out);
  return 0;
}
