/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints the index of functions. */
#include "base/err.h"
#include "base/row.h"
#include "gprof/entry_name.h"
#include "gprof/gprof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** State of printing the index. */
struct index_page {
  const struct callgraph *graph;
  const struct gprof_layout *options;
  struct row *row;
  struct names *names;
  bool *has_namesakes; // per symbol: in other objects
};

enum { CYCLE_BYTES = 32 };

/** Write "<cycle N>" to CYCLE_BYTES. Returns its length. */
static size_t format_cycle(const struct cg_node *cycle, char *buffer) {
  return (size_t)snprintf(buffer, CYCLE_BYTES, "<cycle %" PRIu32 ">",
                          cycle->cycle);
}

/** Append a text, and " (more)" if there is more. Returns the width of both. */
static int add_text(struct row *row, const char *text, size_t length,
                    const char *more) {
  const size_t more_length = more ? strlen(more) : 0;

  row_add(row, text, length);
  if (!more)
    return (int)length;
  ROW_ADD(row, " (");
  row_add(row, more, more_length);
  ROW_ADD(row, ")");
  return (int)(length + more_length + 3);
}

/** Append the name of a cell's node. Returns its width. */
static int add_cell(const struct index_page *page, uint32_t i_node,
                    struct row *row) {
  const struct callgraph *graph = page->graph;
  char cycle[CYCLE_BYTES];

  if (i_node >= graph->n_symbols)
    return add_text(row, cycle, format_cycle(&graph->nodes[i_node], cycle),
                    NULL);
  const struct symbol *symbol = &graph->profile->symtab->symbols[i_node];
  const char *more = NULL;
  // Static functions of several files may share a name.
  if (symbol->is_static && symbol->file && !page->options->is_by_line)
    more = names_file(&page->options->names, symbol->file);
  // So may functions of several objects.
  else if (page->has_namesakes[i_node])
    more = symbol->object->name;
  size_t length;
  const char *const name = names_text(page->names, i_node, &length);
  return add_text(row, name, length, more);
}

/** Print a row. Padding does not count the two blanks around numbers: GNU gprof
 * does not, either. */
static void print_row(const struct index_page *page, const uint32_t *cells,
                      size_t n_cells, size_t i_row, size_t n_rows) {
  enum { TAG_COLUMNS = 5 };
  int column = 0;
  int start = 0;
  struct row *const row = page->row;

  for (size_t i = i_row; i < n_cells; i += n_rows) {
    const struct cg_node *node = &page->graph->nodes[cells[i]];
    column += (int)entry_tag_length(node);
    int n_pad = column < start + TAG_COLUMNS ? start + TAG_COLUMNS - column : 0;
    row_add_blanks(row, (size_t)n_pad);
    ROW_ADD(row, " ");
    entry_add_tag(row, node);
    ROW_ADD(row, " ");
    column += n_pad + add_cell(page, cells[i], row);
    start += ((int)page->options->width - 1) / 3;
  }
  ROW_ADD(row, "\n");
}

/** The same in the form of BSD: cells of equal width, names cut to fit. */
static void print_bsd_row(const struct index_page *page, const uint32_t *cells,
                          size_t n_cells, size_t i_row, size_t n_rows) {
  enum { TAG_COLUMNS = 6, NAME_COLUMNS = 19 };
  const struct callgraph *graph = page->graph;
  struct row *const row = page->row;

  for (size_t i = i_row; i < n_cells; i += n_rows) {
    const struct cg_node *node = &graph->nodes[cells[i]];
    const size_t tag_length = entry_tag_length(node);
    char cycle[CYCLE_BYTES];
    const char *name = cycle;

    if (cells[i] < graph->n_symbols)
      name = graph->profile->symtab->symbols[cells[i]].name;
    else
      format_cycle(node, cycle);
    const size_t name_length = strnlen(name, NAME_COLUMNS);
    if (tag_length < TAG_COLUMNS)
      row_add_blanks(row, TAG_COLUMNS - tag_length);
    entry_add_cut_tag(row, node, TAG_COLUMNS);
    ROW_ADD(row, " ");
    row_add(row, name, name_length);
    row_add_blanks(row, NAME_COLUMNS - name_length);
  }
  ROW_ADD(row, "\n");
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

int gprof_index(const struct callgraph *graph,
                const struct gprof_layout *options, struct gprof_output *output,
                struct err *err) {
  struct row row;
  const struct index_page page = {
      .graph = graph,
      .options = options,
      .row = &row,
      .names = output->names,
      .has_namesakes =
          calloc(graph->n_symbols + 1, sizeof(*page.has_namesakes))};
  size_t n_cells = 0;

  uint32_t *cells = calloc(graph->n_nodes + 1, sizeof(*cells));
  if (!cells || !page.has_namesakes) {
    free(cells);
    free(page.has_namesakes);
    return err_no_memory(err);
  }
  for (size_t i = 0; i < graph->n_symbols; i++) {
    const uint32_t i_symbol = graph->by_name[i];
    const struct cg_node *const node = &graph->nodes[i_symbol];
    if (options->has_zero_rows || node->calls != 0 || node->ticks != 0)
      cells[n_cells++] = i_symbol;
  }
  mark_namesakes(&page, cells, n_cells);
  for (size_t i = graph->n_symbols; i < graph->n_nodes; i++)
    cells[n_cells++] = (uint32_t)i;
  output->has_text = true;
  row_begin(&row, output->stream);
  ROW_ADD(&row, "\f\nIndex by function name\n\n");
  size_t n_rows = (n_cells + 2) / 3;
  for (size_t i = 0; i < n_rows; i++) {
    if (options->is_bsd)
      print_bsd_row(&page, cells, n_cells, i, n_rows);
    else
      print_row(&page, cells, n_cells, i, n_rows);
  }
  row_write(&row);
  free(cells);
  free(page.has_namesakes);
  return 0;
}
