/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints the call graph. */
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/row.h"
#include "base/trace.h"
#include "gprof/entry_name.h"
#include "gprof/explain.h"
#include "gprof/gprof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Between entries.
#define DASHES "-----------------------------------------------"

/** State of printing the report. */
struct graph_page {
  const struct callgraph *graph;
  const struct gprof_layout *options;
  FILE *out;
  struct row *row; // text not yet in out
  struct names *names;
  double rate_hz;
  double total_ticks;    // never 0
  uint32_t *scratch;     // room for the arcs or members of one entry
  size_t children_width; // columns of the time of children
};

// First column of time, after the index and the percentage.
enum { TIME_COLUMN = 6 + 1 + 5 + 1 };

/** Append times, in samples, of a node itself and of its children. */
static void add_times(const struct graph_page *page, double self,
                      double children, struct row *row) {
  row_add_fixed(row, self / page->rate_hz, 7, 2);
  ROW_ADD(row, " ");
  row_add_fixed(row, children / page->rate_hz, page->children_width, 2);
}

/** End a row with a symbol's name. */
static void end_with_name(const struct graph_page *page, size_t i_symbol,
                          struct row *row) {
  entry_add_name(row, page->graph, i_symbol, page->names);
  ROW_ADD(row, "\n");
}

// --- Parents and children ---

/** Arcs to itself go lowest, then arcs within the cycle by count, then others
 * by time. */
static int compare_arcs(const void *left_ptr, const void *right_ptr,
                        const void *context) {
  const struct callgraph *graph = context;
  uint32_t i_left = *(const uint32_t *)left_ptr;
  uint32_t i_right = *(const uint32_t *)right_ptr;
  const struct profile_arc *left = &graph->profile->arcs[i_left];
  const struct profile_arc *right = &graph->profile->arcs[i_right];

  bool is_left_self = left->parent == left->child;
  bool is_right_self = right->parent == right->child;
  if (is_left_self || is_right_self)
    return is_right_self - is_left_self;
  bool is_left_internal = callgraph_is_internal(graph, left);
  bool is_right_internal = callgraph_is_internal(graph, right);
  if (is_left_internal != is_right_internal)
    return is_right_internal - is_left_internal;
  if (!is_left_internal) {
    double left_time =
        graph->arcs[i_left].self_share + graph->arcs[i_left].child_share;
    double right_time =
        graph->arcs[i_right].self_share + graph->arcs[i_right].child_share;
    if (left_time != right_time)
      return left_time < right_time ? -1 : 1;
  }
  if (left->count != right->count)
    return left->count < right->count ? -1 : 1;
  return 0;
}

static int compare_arcs_descending(const void *left, const void *right,
                                   const void *context) {
  return -compare_arcs(left, right, context);
}

/** Print an arc as a line of the entry of one of its ends. */
static void print_arc(const struct graph_page *page, uint32_t i_arc,
                      uint32_t i_shown) {
  const struct callgraph *graph = page->graph;
  const struct profile_arc *arc = &graph->profile->arcs[i_arc];

  struct row *const row = page->row;

  row_add_blanks(row, TIME_COLUMN);
  if (callgraph_is_internal(graph, arc)) {
    row_add_blanks(row, 7 + 1 + page->children_width + 1);
    row_add_number(row, arc->count, 7);
    row_add_blanks(row, 1 + 7);
  } else {
    const struct cg_arc *shares = &graph->arcs[i_arc];
    const struct cg_node *child =
        &graph->nodes[callgraph_head(graph, arc->child)];
    add_times(page, shares->self_share, shares->child_share, row);
    ROW_ADD(row, " ");
    if (arc->count == 0 && arc->weight > 0) {
      // Found in call stacks; the number of calls is unknown.
      row_add_blanks(row, 7 + 1 + 7);
    } else {
      row_add_number(row, arc->count, 7);
      ROW_ADD(row, "/");
      row_add_number_left(row, child->calls, 7);
    }
  }
  ROW_ADD(row, "     ");
  end_with_name(page, i_shown, row);
}

static void trace_arc(const struct callgraph *graph, uint32_t i_arc) {
  const struct profile *profile = graph->profile;
  const struct profile_arc *arc = &profile->arcs[i_arc];
  const struct cg_arc *shares = &graph->arcs[i_arc];

  trace_print(TRACE_SORT, "next is %s calls %s: %g samples, count %" PRIu64,
              profile->symtab->symbols[arc->parent].name,
              profile->symtab->symbols[arc->child].name,
              shares->self_share + shares->child_share, arc->count);
}

/** Copy a group of arcs to the scratch and sort it. */
static int sort_arcs(const struct graph_page *page,
                     const struct cg_groups *groups, size_t i_group,
                     merge_sort_compare *compare, uint32_t *n_arcs,
                     struct err *err) {
  uint32_t first = groups->starts[i_group];

  *n_arcs = groups->starts[i_group + 1] - first;
  memcpy(page->scratch, &groups->arcs[first], *n_arcs * sizeof(*page->scratch));
  if (merge_sort(page->scratch, *n_arcs, sizeof(*page->scratch), compare,
                 page->graph))
    return err_no_memory(err);
  if (trace_is_on(TRACE_SORT)) {
    row_write(page->row);
    for (uint32_t i = 0; i < *n_arcs; i++)
      trace_arc(page->graph, page->scratch[i]);
  }
  return 0;
}

/** Print the calls by unknown callers, as by a caller without a name. */
static void print_outside_calls(const struct graph_page *page,
                                size_t i_symbol) {
  const struct callgraph *graph = page->graph;
  const struct cg_node *head = &graph->nodes[callgraph_head(graph, i_symbol)];
  const double part = callgraph_outside_part(graph, i_symbol);
  struct row *const row = page->row;

  row_add_blanks(row, TIME_COLUMN);
  add_times(page, head->ticks * part, head->child_ticks * part, row);
  ROW_ADD(row, " ");
  row_add_number(row, graph->profile->counts[i_symbol].outside_calls, 7);
  ROW_ADD(row, "/");
  row_add_number_left(row, head->calls, 7);
  ROW_ADD(row, "     <spontaneous>\n");
}

/** Print a line in place of callers if none are known. */
static void print_no_caller(const struct graph_page *page) {
  struct row *const row = page->row;

  row_add_blanks(row, TIME_COLUMN + 7 + 1 + page->children_width + 1 + 7 + 1 +
                          7 + 5);
  ROW_ADD(row, "<spontaneous>\n");
}

static int print_parents(const struct graph_page *page, size_t i_symbol,
                         struct err *err) {
  const struct profile *profile = page->graph->profile;
  const bool has_outside_calls = profile->counts[i_symbol].outside_calls != 0;
  uint32_t n_arcs;

  if (sort_arcs(page, &page->graph->by_child, i_symbol, compare_arcs, &n_arcs,
                err))
    return -1;
  if (has_outside_calls)
    print_outside_calls(page, i_symbol);
  else if (n_arcs == 0)
    print_no_caller(page);
  for (uint32_t i = 0; i < n_arcs; i++)
    print_arc(page, page->scratch[i], profile->arcs[page->scratch[i]].parent);
  return 0;
}

static int print_children(const struct graph_page *page, size_t i_symbol,
                          struct err *err) {
  const struct profile *profile = page->graph->profile;
  uint32_t n_arcs;

  if (sort_arcs(page, &page->graph->by_parent, i_symbol,
                compare_arcs_descending, &n_arcs, err))
    return -1;
  for (uint32_t i = 0; i < n_arcs; i++)
    print_arc(page, page->scratch[i], profile->arcs[page->scratch[i]].child);
  return 0;
}

// --- Entries ---

/** Append calls and, after a plus sign, recursive calls. */
static void add_calls(const struct cg_node *node, struct row *row) {
  ROW_ADD(row, " ");
  row_add_number(row, node->calls, 7);
  if (node->self_calls == 0) {
    row_add_blanks(row, 1 + 7);
    return;
  }
  ROW_ADD(row, "+");
  row_add_number_left(row, node->self_calls, 7);
}

/** Append the start of an entry's own line: number and times. */
static void add_numbers(const struct graph_page *page,
                        const struct cg_node *node, struct row *row) {
  enum { TAG_COLUMNS = 6 };
  const size_t tag_length = entry_tag_length(node);

  entry_add_cut_tag(row, node, TAG_COLUMNS);
  if (tag_length < TAG_COLUMNS)
    row_add_blanks(row, TAG_COLUMNS - tag_length);
  ROW_ADD(row, " ");
  row_add_fixed(
      row, 100 * (node->self_share + node->child_share) / page->total_ticks, 5,
      1);
  ROW_ADD(row, " ");
  add_times(page, node->self_share, node->child_share, row);
}

static int print_function(const struct graph_page *page, size_t i_symbol,
                          struct err *err) {
  const struct cg_node *node = &page->graph->nodes[i_symbol];
  struct row *const row = page->row;

  if (print_parents(page, i_symbol, err))
    return -1;
  add_numbers(page, node, row);
  if (node->calls + node->self_calls == 0)
    row_add_blanks(row, 1 + 7 + 1 + 7);
  else
    add_calls(node, row);
  ROW_ADD(row, " ");
  end_with_name(page, i_symbol, row);
  return print_children(page, i_symbol, err);
}

static int compare_members(const void *left_ptr, const void *right_ptr,
                           const void *context) {
  const struct callgraph *graph = context;
  const struct cg_node *left = &graph->nodes[*(const uint32_t *)left_ptr];
  const struct cg_node *right = &graph->nodes[*(const uint32_t *)right_ptr];
  double left_time = left->self_share + left->child_share;
  double right_time = right->self_share + right->child_share;
  uint64_t left_calls = left->calls + left->self_calls;
  uint64_t right_calls = right->calls + right->self_calls;

  if (left_time != right_time)
    return left_time > right_time ? -1 : 1;
  if (left_calls != right_calls)
    return left_calls > right_calls ? -1 : 1;
  return 0;
}

static int print_cycle(const struct graph_page *page, size_t i_node,
                       struct err *err) {
  const struct callgraph *graph = page->graph;
  const struct cg_node *cycle = &graph->nodes[i_node];
  struct row *const row = page->row;

  add_numbers(page, cycle, row);
  add_calls(cycle, row);
  ROW_ADD(row, " <cycle ");
  row_add_number(row, cycle->cycle, 0);
  ROW_ADD(row, " as a whole> ");
  entry_add_tag(row, cycle);
  ROW_ADD(row, "\n");

  memcpy(page->scratch, &graph->members[cycle->first_member],
         cycle->n_members * sizeof(*page->scratch));
  if (merge_sort(page->scratch, cycle->n_members, sizeof(*page->scratch),
                 compare_members, graph))
    return err_no_memory(err);
  for (uint32_t i = 0; i < cycle->n_members; i++) {
    const struct cg_node *member = &graph->nodes[page->scratch[i]];
    row_add_blanks(row, TIME_COLUMN);
    add_times(page, member->self_share, member->child_share, row);
    add_calls(member, row);
    ROW_ADD(row, "     ");
    end_with_name(page, page->scratch[i], row);
  }
  return 0;
}

static bool is_entry_printed(const struct graph_page *page, size_t i_node) {
  const struct callgraph *graph = page->graph;
  const struct cg_node *node = &graph->nodes[i_node];
  bool is_zero = node->calls == 0 && node->self_calls == 0 &&
                 node->self_share == 0 && node->child_share == 0;
  // By line, only functions have entries: neither their lines nor cycles.
  bool is_line = page->options->is_by_line &&
                 (i_node >= graph->n_symbols ||
                  !graph->profile->symtab->symbols[i_node].is_func);

  return node->is_printed && !is_line &&
         (!is_zero || page->options->has_zero_rows);
}

static void print_granularity(struct graph_page *page) {
  fprintf(page->out, "\ngranularity: each sample hit covers %ld byte(s)",
          (long)page->graph->profile->scale * 2);
  if (page->total_ticks > 0) {
    fprintf(page->out, " for %.2f%% of %.2f seconds\n\n",
            100.0 / page->total_ticks, page->total_ticks / page->rate_hz);
  } else {
    fputs(" no time propagated\n\n", page->out);
    page->total_ticks = 1;
  }
}

static void print_header(struct graph_page *page) {
  const bool is_brief = page->options->is_brief;

  if (page->options->is_bsd) {
    if (!is_brief)
      explain_bsd_graph(page->out);
    print_granularity(page);
    fprintf(page->out,
            "%6.6s %5.5s %7.7s %11.11s %7.7s/%-7.7s     %-8.8s\n"
            "%-6.6s %5.5s %7.7s %11.11s %7.7s+%-7.7s %-8.8s\t%5.5s\n"
            "%6.6s %5.5s %7.7s %11.11s %7.7s/%-7.7s     %-8.8s\n\n",
            "", "", "", "", "called", "total", "parents", "index", "%time",
            "self", "descendants", "called", "self", "name", "index", "", "",
            "", "", "called", "total", "children");
    return;
  }
  fputs(is_brief ? "\t\t\tCall graph\n\n"
                 : "\t\t     Call graph (explanation follows)\n\n",
        page->out);
  print_granularity(page);
  fputs("index % time    self  children    called     name\n", page->out);
}

int gprof_graph(const struct callgraph *graph,
                const struct gprof_layout *options, struct gprof_output *output,
                struct err *err) {
  struct row row;
  struct graph_page page = {
      .row = &row,
      .graph = graph,
      .options = options,
      .out = output->stream,
      .names = output->names,
      .rate_hz = graph->profile->unit.rate_hz,
      .total_ticks = graph->total_ticks,
      .children_width = options->is_bsd ? 11 : 7,
  };
  int rc = 0;

  page.scratch = calloc(graph->profile->n_arcs + graph->n_symbols + 1,
                        sizeof(*page.scratch));
  if (!page.scratch)
    return err_no_memory(err);
  gprof_begin(output);
  print_header(&page);
  row_begin(&row, page.out);
  for (size_t i = 0; i < graph->n_nodes && rc == 0; i++) {
    uint32_t i_node = graph->listing[i];
    if (!is_entry_printed(&page, i_node))
      continue;
    rc = i_node < graph->n_symbols ? print_function(&page, i_node, err)
                                   : print_cycle(&page, i_node, err);
    if (options->is_bsd)
      ROW_ADD(&row, "\n" DASHES "\n\n");
    else
      ROW_ADD(&row, DASHES "\n");
  }
  row_write(&row);
  free(page.scratch);
  if (rc == 0 && !options->is_brief && !options->is_bsd)
    explain_graph(page.out);
  return rc;
}
