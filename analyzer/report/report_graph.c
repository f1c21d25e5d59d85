/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/err.h"
#include "base/merge_sort.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** What every part of the report needs. */
struct graph_page {
  const struct callgraph *graph;
  const struct report_options *options;
  FILE *out;
  double rate_hz;
  double total_ticks;  // never 0
  uint32_t *scratch;   // room for the arcs or members of one entry
  bool *has_namesakes; // per symbol, of the index: in other objects
};

enum { TAG_BYTES = 16 };

/** The number by which an entry is referred to. */
static const char *format_index(const struct cg_node *node, char *buffer) {
  snprintf(buffer, TAG_BYTES,
           node->is_printed ? "[%" PRIu32 "]" : "(%" PRIu32 ")", node->index);
  return buffer;
}

static void print_name(const struct graph_page *page, size_t i_symbol) {
  const struct cg_node *node = &page->graph->nodes[i_symbol];
  char tag[TAG_BYTES];

  names_print(&page->options->names,
              &page->graph->profile->symtab->symbols[i_symbol], page->out);
  if (node->cycle)
    fprintf(page->out, " <cycle %" PRIu32 ">", node->cycle);
  fprintf(page->out, " %s", format_index(node, tag));
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

  if (callgraph_is_internal(graph, arc)) {
    fprintf(page->out, "%6.6s %5.5s %7.7s %7.7s %7" PRIu64 " %7.7s     ", "",
            "", "", "", arc->count, "");
  } else {
    const struct cg_arc *shares = &graph->arcs[i_arc];
    const struct cg_node *child =
        &graph->nodes[callgraph_head(graph, arc->child)];
    fprintf(page->out,
            "%6.6s %5.5s %7.2f %7.2f %7" PRIu64 "/%-7" PRIu64 "     ", "", "",
            shares->self_share / page->rate_hz,
            shares->child_share / page->rate_hz, arc->count, child->calls);
  }
  print_name(page, i_shown);
  fputc('\n', page->out);
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
  return 0;
}

/** Print the calls by nobody known, as by a caller without a name. */
static void print_outside_calls(const struct graph_page *page,
                                size_t i_symbol) {
  const struct callgraph *graph = page->graph;
  const struct cg_node *head = &graph->nodes[callgraph_head(graph, i_symbol)];
  const double part = callgraph_outside_part(graph, i_symbol);

  fprintf(page->out,
          "%6.6s %5.5s %7.2f %7.2f %7" PRIu64 "/%-7" PRIu64
          "     <spontaneous>\n",
          "", "", head->ticks * part / page->rate_hz,
          head->child_ticks * part / page->rate_hz,
          graph->profile->counts[i_symbol].outside_calls, head->calls);
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
    fprintf(page->out,
            "%6.6s %5.5s %7.7s %7.7s %7.7s %7.7s     <spontaneous>\n", "", "",
            "", "", "", "");
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

static int print_function(const struct graph_page *page, size_t i_symbol,
                          struct err *err) {
  const struct cg_node *node = &page->graph->nodes[i_symbol];
  char tag[TAG_BYTES];

  if (print_parents(page, i_symbol, err))
    return -1;
  fprintf(page->out, "%-6.6s %5.1f %7.2f %7.2f", format_index(node, tag),
          100 * (node->self_share + node->child_share) / page->total_ticks,
          node->self_share / page->rate_hz, node->child_share / page->rate_hz);
  if (node->calls + node->self_calls == 0)
    fprintf(page->out, " %7.7s %7.7s ", "", "");
  else if (node->self_calls != 0)
    fprintf(page->out, " %7" PRIu64 "+%-7" PRIu64 " ", node->calls,
            node->self_calls);
  else
    fprintf(page->out, " %7" PRIu64 " %7.7s ", node->calls, "");
  print_name(page, i_symbol);
  fputc('\n', page->out);
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

/** Print calls and, after a plus sign, recursive calls of a cycle's line. */
static void print_cycle_calls(const struct graph_page *page,
                              const struct cg_node *node) {
  fprintf(page->out, " %7" PRIu64, node->calls);
  if (node->self_calls != 0)
    fprintf(page->out, "+%-7" PRIu64, node->self_calls);
  else
    fprintf(page->out, " %7.7s", "");
}

static int print_cycle(const struct graph_page *page, size_t i_node,
                       struct err *err) {
  const struct callgraph *graph = page->graph;
  const struct cg_node *cycle = &graph->nodes[i_node];
  char tag[TAG_BYTES];

  format_index(cycle, tag);
  fprintf(page->out, "%-6.6s %5.1f %7.2f %7.2f", tag,
          100 * (cycle->self_share + cycle->child_share) / page->total_ticks,
          cycle->self_share / page->rate_hz,
          cycle->child_share / page->rate_hz);
  print_cycle_calls(page, cycle);
  fprintf(page->out, " <cycle %" PRIu32 " as a whole> %s\n", cycle->cycle, tag);

  memcpy(page->scratch, &graph->members[cycle->first_member],
         cycle->n_members * sizeof(*page->scratch));
  if (merge_sort(page->scratch, cycle->n_members, sizeof(*page->scratch),
                 compare_members, graph))
    return err_no_memory(err);
  for (uint32_t i = 0; i < cycle->n_members; i++) {
    const struct cg_node *member = &graph->nodes[page->scratch[i]];
    fprintf(page->out, "%6.6s %5.5s %7.2f %7.2f", "", "",
            member->self_share / page->rate_hz,
            member->child_share / page->rate_hz);
    print_cycle_calls(page, member);
    fputs("     ", page->out);
    print_name(page, page->scratch[i]);
    fputc('\n', page->out);
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

static void print_header(struct graph_page *page) {
  const struct profile *profile = page->graph->profile;

  fputs(page->options->is_brief
            ? "\t\t\tCall graph\n\n"
            : "\t\t     Call graph (explanation follows)\n\n",
        page->out);
  fprintf(page->out, "\ngranularity: each sample hit covers %ld byte(s)",
          (long)profile->scale * 2);
  if (page->total_ticks > 0) {
    fprintf(page->out, " for %.2f%% of %.2f seconds\n\n",
            100.0 / page->total_ticks, page->total_ticks / page->rate_hz);
  } else {
    fputs(" no time propagated\n\n", page->out);
    page->total_ticks = 1;
  }
  fputs("index % time    self  children    called     name\n", page->out);
}

static void print_explanation(FILE *out) {
  fputs(
      "\n"
      "How to read the call graph: each entry, between two lines of dashes, is "
      "about\none function, the one whose line begins with a number in "
      "brackets. Entries are\nsorted by the time of the function and "
      "everything "
      "it called.\n\n"
      "The function's own line:\n"
      "  index     number of the entry; it stands after every mention of the "
      "function\n"
      "  % time    time of the function and what it called, as a part of the "
      "total\n"
      "  self      seconds in the function itself\n"
      "  children  seconds in what it called\n"
      "  called    calls from others, then \"+\" and recursive calls, if "
      "any\n\n"
      "Lines above it are its callers, lines below it what it called:\n"
      "  self      seconds of the callee itself that belong to these calls\n"
      "  children  seconds of the callee's own children that belong to them\n"
      "  called    these calls / all calls of the callee; recursive ones are "
      "left out\n\n"
      "Time is shared out in proportion to calls: that is an estimate. "
      "\"<spontaneous>\"\nmeans that no caller is known. Functions that call "
      "each other in a circle are\na cycle: it has an entry of its own, \"as a "
      "whole\", that lists its members, and\ncalls within it show a count "
      "only. A number in parentheses has no entry here.\n",
      out);
}

int report_graph(const struct callgraph *graph,
                 const struct report_options *options,
                 struct report_output *output, struct err *err) {
  struct graph_page page = {
      .graph = graph,
      .options = options,
      .out = output->stream,
      .rate_hz = graph->profile->rate_hz,
      .total_ticks = graph->total_ticks,
  };
  int rc = 0;

  page.scratch = calloc(graph->profile->n_arcs + graph->n_symbols + 1,
                        sizeof(*page.scratch));
  if (!page.scratch)
    return err_no_memory(err);
  report_begin(output);
  print_header(&page);
  for (size_t i = 0; i < graph->n_nodes && rc == 0; i++) {
    uint32_t i_node = graph->listing[i];
    if (!is_entry_printed(&page, i_node))
      continue;
    rc = i_node < graph->n_symbols ? print_function(&page, i_node, err)
                                   : print_cycle(&page, i_node, err);
    fputs("-----------------------------------------------\n", page.out);
  }
  free(page.scratch);
  if (rc == 0 && !options->is_brief)
    print_explanation(page.out);
  return rc;
}

// --- Index ---

static int compare_names(const void *left_ptr, const void *right_ptr,
                         const void *context) {
  const struct callgraph *graph = context;
  const struct symbol *symbols = graph->profile->symtab->symbols;

  return strcmp(symbols[*(const uint32_t *)left_ptr].name,
                symbols[*(const uint32_t *)right_ptr].name);
}

/** Print one cell of the index. Returns its width without the two blanks around
 * the number, which GNU gprof does not count either. */
static int print_cell(const struct graph_page *page, uint32_t i_node,
                      int n_pad) {
  const struct callgraph *graph = page->graph;
  const struct cg_node *node = &graph->nodes[i_node];
  char tag[TAG_BYTES];

  format_index(node, tag);
  fprintf(page->out, "%*s %s ", n_pad, "", tag);
  if (i_node >= graph->n_symbols)
    return fprintf(page->out, "<cycle %" PRIu32 ">", node->cycle);
  const struct symbol *symbol = &graph->profile->symtab->symbols[i_node];
  int n_bytes = names_print(&page->options->names, symbol, page->out);
  // Static functions of several files may share a name.
  if (symbol->is_static && symbol->file && !page->options->is_by_line)
    n_bytes += fprintf(page->out, " (%s)",
                       names_file(&page->options->names, symbol->file));
  // So may functions of several objects.
  else if (page->has_namesakes[i_node])
    n_bytes += fprintf(page->out, " (%s)", symbol->object->name);
  return n_bytes;
}

static void print_index_row(const struct graph_page *page,
                            const uint32_t *cells, size_t n_cells, size_t i_row,
                            size_t n_rows) {
  enum { TAG_COLUMNS = 5 };
  int column = 0;
  int start = 0;

  for (size_t i = i_row; i < n_cells; i += n_rows) {
    char tag[TAG_BYTES];
    column += (int)strlen(format_index(&page->graph->nodes[cells[i]], tag));
    int n_pad = column < start + TAG_COLUMNS ? start + TAG_COLUMNS - column : 0;
    column += n_pad + print_cell(page, cells[i], n_pad);
    start += ((int)page->options->width - 1) / 3;
  }
  fputc('\n', page->out);
}

/** Find the cells, which are sorted by name, whose names are also those of
 * functions in other objects. */
static void mark_namesakes(const struct graph_page *page, const uint32_t *cells,
                           size_t n_cells) {
  const struct symbol *symbols = page->graph->profile->symtab->symbols;

  for (size_t i = 1; i < n_cells; i++) {
    const struct symbol *left = &symbols[cells[i - 1]];
    const struct symbol *right = &symbols[cells[i]];
    if (!left->object || !right->object || left->object == right->object ||
        strcmp(left->name, right->name) != 0)
      continue;
    page->has_namesakes[cells[i - 1]] = true;
    page->has_namesakes[cells[i]] = true;
  }
}

int report_index(const struct callgraph *graph,
                 const struct report_options *options,
                 struct report_output *output, struct err *err) {
  const struct graph_page page = {
      .graph = graph,
      .options = options,
      .out = output->stream,
      .has_namesakes =
          calloc(graph->n_symbols + 1, sizeof(*page.has_namesakes))};
  size_t n_cells = 0;

  uint32_t *cells = calloc(graph->n_nodes + 1, sizeof(*cells));
  if (!cells || !page.has_namesakes) {
    free(cells);
    free(page.has_namesakes);
    return err_no_memory(err);
  }
  for (size_t i = 0; i < graph->n_symbols; i++)
    if (options->has_zero_rows || graph->nodes[i].calls != 0 ||
        graph->nodes[i].ticks != 0)
      cells[n_cells++] = (uint32_t)i;
  if (merge_sort(cells, n_cells, sizeof(*cells), compare_names, graph)) {
    free(cells);
    free(page.has_namesakes);
    return err_no_memory(err);
  }
  mark_namesakes(&page, cells, n_cells);
  for (size_t i = graph->n_symbols; i < graph->n_nodes; i++)
    cells[n_cells++] = (uint32_t)i;
  output->has_text = true;
  fputs("\f\nIndex by function name\n\n", page.out);
  size_t n_rows = (n_cells + 2) / 3;
  for (size_t i = 0; i < n_rows; i++)
    print_index_row(&page, cells, n_cells, i, n_rows);
  free(cells);
  free(page.has_namesakes);
  return 0;
}
