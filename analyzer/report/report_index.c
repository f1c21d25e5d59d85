/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/err.h"
#include "base/merge_sort.h"
#include "report/entry_name.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** What every part of the index needs. */
struct index_page {
  const struct callgraph *graph;
  const struct report_options *options;
  FILE *out;
  bool *has_namesakes; // per symbol: in other objects
};

static int compare_names(const void *left_ptr, const void *right_ptr,
                         const void *context) {
  const struct callgraph *graph = context;
  const struct symbol *symbols = graph->profile->symtab->symbols;

  return strcmp(symbols[*(const uint32_t *)left_ptr].name,
                symbols[*(const uint32_t *)right_ptr].name);
}

/** Print one cell of the index. Returns its width without the two blanks around
 * the number, which GNU gprof does not count either. */
static int print_cell(const struct index_page *page, uint32_t i_node,
                      int n_pad) {
  const struct callgraph *graph = page->graph;
  const struct cg_node *node = &graph->nodes[i_node];
  char tag[ENTRY_TAG_BYTES];

  entry_tag(node, tag);
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

static void print_row(const struct index_page *page, const uint32_t *cells,
                      size_t n_cells, size_t i_row, size_t n_rows) {
  enum { TAG_COLUMNS = 5 };
  int column = 0;
  int start = 0;

  for (size_t i = i_row; i < n_cells; i += n_rows) {
    char tag[ENTRY_TAG_BYTES];
    column += (int)strlen(entry_tag(&page->graph->nodes[cells[i]], tag));
    int n_pad = column < start + TAG_COLUMNS ? start + TAG_COLUMNS - column : 0;
    column += n_pad + print_cell(page, cells[i], n_pad);
    start += ((int)page->options->width - 1) / 3;
  }
  fputc('\n', page->out);
}

/** The same in the form of BSD: cells of equal width, names cut to fit. */
static void print_bsd_row(const struct index_page *page, const uint32_t *cells,
                          size_t n_cells, size_t i_row, size_t n_rows) {
  const struct callgraph *graph = page->graph;

  for (size_t i = i_row; i < n_cells; i += n_rows) {
    const struct cg_node *node = &graph->nodes[cells[i]];
    char tag[ENTRY_TAG_BYTES];
    char cycle[32];
    const char *name = cycle;

    if (cells[i] < graph->n_symbols)
      name = graph->profile->symtab->symbols[cells[i]].name;
    else
      snprintf(cycle, sizeof(cycle), "<cycle %" PRIu32 ">", node->cycle);
    fprintf(page->out, "%6.6s %-19.19s", entry_tag(node, tag), name);
  }
  fputc('\n', page->out);
}

/** Find the cells, which are sorted by name, whose names are also those of
 * functions in other objects. */
static void mark_namesakes(const struct index_page *page, const uint32_t *cells,
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
  const struct index_page page = {
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
  for (size_t i = 0; i < n_rows; i++) {
    if (options->is_bsd)
      print_bsd_row(&page, cells, n_cells, i, n_rows);
    else
      print_row(&page, cells, n_cells, i, n_rows);
  }
  free(cells);
  free(page.has_namesakes);
  return 0;
}
