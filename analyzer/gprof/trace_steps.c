/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gprof/trace_steps.h"

#include "base/trace.h"
#include "model/model.h"
#include "profile/callgraph.h"
#include "profile/symspec.h"

#include <inttypes.h>

// --- Symbols ---

void trace_step_symbols(const struct model *model) {
  const struct symtab *const symtab = &model->symtab;

  TRACE(TRACE_RUN, "%zu symbols", symtab->n_symbols);
  if (!trace_is_on(TRACE_SYMBOLS))
    return;
  for (size_t i = 0; i < symtab->n_symbols; i++) {
    const struct symbol *const symbol = &symtab->symbols[i];
    trace_print(
        TRACE_SYMBOLS, "0x%" PRIx64 " to 0x%" PRIx64 " %s%s%s%s%s",
        symtab_vaddr(symbol, symbol->vaddr), symtab_vaddr(symbol, symbol->last),
        symbol->name, symbol->is_func ? ", function" : "",
        symbol->is_static ? ", local" : "", symbol->object ? ", of " : "",
        symbol->object ? symbol->object->name : "");
    if (symbol->file)
      trace_print(TRACE_SYMBOLS, "0x%" PRIx64 " is at %s:%" PRIu32,
                  symtab_vaddr(symbol, symbol->vaddr), symbol->file,
                  symbol->line);
  }
}

// --- Selections ---

/** Purposes of selections, in the order of enum symspec_use. */
static const char *const use_names[SYMSPEC_N_USES] = {
    "flat profile",     "call graph",       "time",
    "annotated source", "execution counts", "arcs",
};

static void trace_table(enum symspec_use use, const char *what,
                        const struct symtab *table) {
  for (size_t i = 0; i < table->n_symbols; i++) {
    const struct symbol *const range = &table->symbols[i];
    trace_print(TRACE_SPECS,
                "%s: %s 0x%" PRIx64 " to 0x%" PRIx64 ", from %s on",
                use_names[use], what, symtab_vaddr(range, range->vaddr),
                symtab_vaddr(range, range->last), range->name);
  }
}

void trace_step_selections(const struct symspec *specs, size_t n_specs,
                           const struct symspec_tables *tables) {
  if (!trace_is_on(TRACE_SPECS))
    return;
  for (size_t i = 0; i < n_specs; i++)
    trace_print(TRACE_SPECS, "%s: selected %s%s", use_names[specs[i].use],
                specs[i].is_exclude ? "all but " : "", specs[i].text);
  for (enum symspec_use use = 0; use < SYMSPEC_N_USES; use++) {
    trace_table(use, "only", &tables->filters[use].include);
    trace_table(use, "without", &tables->filters[use].exclude);
  }
}

// --- Call graph ---

/** Name of a symbol; cycles have none. */
static const char *name_of(const struct callgraph *graph, size_t i_symbol) {
  return graph->profile->symtab->symbols[i_symbol].name;
}

static void trace_arcs(const struct callgraph *graph) {
  for (size_t i = 0; i < graph->profile->n_arcs; i++) {
    const struct profile_arc *const arc = &graph->profile->arcs[i];
    trace_print(TRACE_ARCS, "%s calls %s, count %" PRIu64,
                name_of(graph, arc->parent), name_of(graph, arc->child),
                arc->count);
  }
}

static void trace_cycles(const struct callgraph *graph) {
  for (size_t i = graph->n_symbols; i < graph->n_nodes; i++) {
    const struct cg_node *const cycle = &graph->nodes[i];
    trace_print(TRACE_CYCLES,
                "cycle %" PRIu32 ": %" PRIu32 " members, %" PRIu64
                " calls from outside, %" PRIu64 " within",
                cycle->cycle, cycle->n_members, cycle->calls,
                cycle->self_calls);
    for (uint32_t j = 0; j < cycle->n_members; j++)
      trace_print(TRACE_CYCLES, "cycle %" PRIu32 ": %s", cycle->cycle,
                  name_of(graph, graph->members[cycle->first_member + j]));
  }
}

static void trace_time(const struct callgraph *graph) {
  for (size_t i = 0; i < graph->profile->n_arcs; i++) {
    const struct profile_arc *const arc = &graph->profile->arcs[i];
    const struct cg_arc *const share = &graph->arcs[i];
    if (callgraph_is_internal(graph, arc))
      continue;
    trace_print(TRACE_PROPAGATE,
                "%s propagates to %s %g of its samples and %g of its children, "
                "for %" PRIu64 " of %" PRIu64 " calls",
                name_of(graph, arc->child), name_of(graph, arc->parent),
                share->self_share, share->child_share, arc->count,
                graph->nodes[callgraph_head(graph, arc->child)].calls);
  }
  for (size_t i = 0; i < graph->n_symbols; i++) {
    const struct cg_node *const node = &graph->nodes[i];
    if (node->ticks != 0 || node->child_ticks != 0)
      trace_print(TRACE_PROPAGATE,
                  "%s has %g samples and %g of its children, of which a "
                  "fraction of %g counts",
                  name_of(graph, i), node->ticks, node->child_ticks,
                  node->fraction);
  }
}

static void trace_listing(const struct callgraph *graph) {
  for (size_t i = 0; i < graph->n_nodes; i++) {
    const struct cg_node *const node = &graph->nodes[graph->listing[i]];
    const char *const hidden = node->is_printed ? "" : ", not selected";
    if (graph->listing[i] < graph->n_symbols)
      trace_print(TRACE_SORT, "entry %" PRIu32 ": %s, %g samples%s",
                  node->index, name_of(graph, graph->listing[i]),
                  node->self_share + node->child_share, hidden);
    else
      trace_print(TRACE_SORT,
                  "entry %" PRIu32 ": cycle %" PRIu32 ", %g samples%s",
                  node->index, node->cycle,
                  node->self_share + node->child_share, hidden);
  }
}

void trace_step_graph(const struct callgraph *graph) {
  TRACE(TRACE_RUN, "%zu arcs, %zu cycles, %g samples in the call graph",
        graph->profile->n_arcs, graph->n_cycles, graph->total_ticks);
  if (trace_is_on(TRACE_ARCS))
    trace_arcs(graph);
  if (trace_is_on(TRACE_CYCLES))
    trace_cycles(graph);
  if (trace_is_on(TRACE_PROPAGATE))
    trace_time(graph);
  if (trace_is_on(TRACE_SORT))
    trace_listing(graph);
}
