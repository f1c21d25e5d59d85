/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the format of graphviz. */
#include "export/export_program.h"

#include "profile/graph_profile.h"
#include "profile/names.h"

#include <inttypes.h>

/** Graphs of thousands of nodes are unreadable, and take graphviz hours. Nodes
 * and arcs with less of the time than this are left out; without any time,
 * those with less of the calls. */
static const double min_node = 0.005, min_arc = 0.001;

/** State of writing. */
struct page {
  const struct measured *measured;
  const struct callgraph *graph;
  FILE *out;
  double total_ticks;
  double total_calls;
  struct names names;
};

static double part(double value, double total) {
  return total > 0 ? value / total : 0;
}

static double node_part(const struct page *page, size_t i_node) {
  const struct cg_node *const node = &page->graph->nodes[i_node];
  return page->total_ticks > 0
             ? part(measured_total(page->measured, page->graph, i_node).ticks,
                    page->total_ticks)
             : part((double)node->calls, page->total_calls);
}

static double arc_part(const struct page *page, const struct profile_arc *arc) {
  return page->total_ticks > 0
             ? part(measured_arc(page->measured, page->graph, arc),
                    page->total_ticks)
             : part((double)arc->count, page->total_calls);
}

static void print_text(const char *text, FILE *out) {
  for (; *text; text++) {
    const unsigned char byte = (unsigned char)*text;
    if (byte == '"' || byte == '\\')
      fputc('\\', out);
    fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, out);
  }
}

/** White if it takes no time, red if it takes much. */
static void print_node(struct page *page, size_t i_symbol) {
  const struct cg_node *const node = &page->graph->nodes[i_symbol];
  size_t length;
  fprintf(page->out, "  n%zu [label=\"", i_symbol);
  print_text(names_text(&page->names, i_symbol, &length), page->out);
  if (page->total_ticks > 0)
    fprintf(page->out, "\\n%.1f%%\\n(%.1f%%)", 100 * node_part(page, i_symbol),
            100 * part(node->ticks, page->total_ticks));
  fprintf(page->out,
          "\\n%" PRIu64 " calls\", fillcolor=\"0.000 %.3f 1.000\"];\n",
          node->calls + node->self_calls, 0.7 * node_part(page, i_symbol));
}

static void print_arc(struct page *page, const struct profile_arc *arc) {
  const double share = arc_part(page, arc);
  // Without stacks, arcs within a cycle have no time, but make it a cycle:
  // they are never left out.
  if (node_part(page, arc->parent) < min_node ||
      node_part(page, arc->child) < min_node ||
      (arc->count == 0 && share <= 0) ||
      (!callgraph_is_internal(page->graph, arc) && share < min_arc))
    return;
  fprintf(page->out, "  n%" PRIu32 " -> n%" PRIu32 " [label=\"", arc->parent,
          arc->child);
  if (arc->count)
    fprintf(page->out, "%" PRIu64, arc->count);
  fprintf(page->out, "\", penwidth=%.2f];\n", 1 + 4 * share);
}

static void print_graph(struct page *page) {
  const struct callgraph *const graph = page->graph;
  size_t n_left_out = 0;
  fputs("digraph arcline {\n  node [shape=box, style=filled, "
        "fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n",
        page->out);
  for (size_t i = 0; i < graph->n_symbols; i++) {
    if (node_part(page, i) >= min_node)
      print_node(page, i);
    else
      n_left_out++;
  }
  for (size_t i = 0; i < graph->profile->n_arcs; i++)
    print_arc(page, &graph->profile->arcs[i]);
  for (size_t i = 0; i < graph->profile->n_stack_arcs; i++)
    print_arc(page, &graph->profile->stack_arcs[i]);
  fprintf(page->out, "  // %zu functions with less than %.1f %% left out\n}\n",
          n_left_out, 100 * min_node);
}

int export_dot(const struct graph_profile *program, FILE *out,
               struct err *err) {
  const struct name_style style = {.demangle = NAMES_ANY};
  struct page page = {.measured = &program->measured,
                      .graph = &program->graph,
                      .out = out,
                      .total_ticks = program->graph.total_ticks};
  for (size_t i = 0; i < page.graph->profile->n_arcs; i++)
    page.total_calls += (double)page.graph->profile->arcs[i].count;
  if (names_init(&page.names, &style, program->graph.profile->symtab, err))
    return -1;
  print_graph(&page);
  names_release(&page.names);
  return 0;
}
