/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/flow_data.h"

#include "arcline/flow.h"
#include "base/err.h"
#include "image/const_data.h"

#include <stdlib.h>
#include <string.h>

/** What a struct arcline_func points to. */
struct func_record {
  struct const_record at;
  uint64_t id;
  uint32_t n_counters;
  const uint8_t *graph;
  uint32_t n_graph;
  const char *strings;
  uint32_t n_strings;
};

/** Read a function record and check the ranges that it names. */
static int read_func_record(struct const_data *data, struct func_record *out) {
  const struct const_record *at = &out->at;
  const unsigned version = (unsigned)const_data_number(
      data, at, offsetof(struct arcline_func, version), 2);

  if (version != ARCLINE_ABI_VERSION)
    return err_set(data->err, ERR_INPUT,
                   "%s: constant data of function record %zu has version "
                   "%u, this program reads version %d; rebuild the "
                   "image or use the arcline that belongs to its compiler",
                   data->image->path, at->i, version, ARCLINE_ABI_VERSION);
  out->id = const_data_number(data, at, offsetof(struct arcline_func, id), 8);
  out->n_counters =
      const_data_u32(data, at, offsetof(struct arcline_func, n_counters));
  out->n_graph =
      const_data_u32(data, at, offsetof(struct arcline_func, graph_bytes));
  out->n_strings =
      const_data_u32(data, at, offsetof(struct arcline_func, strings_bytes));
  out->graph = const_data_take(data, at, offsetof(struct arcline_func, graph),
                               out->n_graph, "its graph");
  if (!out->graph)
    return -1;
  out->strings = (const char *)const_data_find(
      data, const_data_target(data, at, offsetof(struct arcline_func, strings)),
      out->n_strings);
  if (!out->strings)
    return const_data_damaged(data, at,
                              "its strings lie outside of the section");
  if (out->n_strings == 0 || out->strings[out->n_strings - 1] != '\0')
    return const_data_damaged(data, at, "its strings do not end");
  return 0;
}

/** Make room for n_more elements. Returns 0 or -1 (no memory). */
static int reserve(void *array, size_t *max, size_t n, size_t n_more,
                   size_t size) {
  void *old;

  if (n_more <= *max - n)
    return 0;
  size_t new_max = *max + *max / 2 + n_more + 256;
  memcpy(&old, array, sizeof(old));
  void *new = reallocarray(old, new_max, size);
  if (!new)
    return -1;
  memcpy(array, &new, sizeof(new));
  *max = new_max;
  return 0;
}

/** Where decoding one function's graph stands. */
struct decoder {
  struct const_data *data;
  struct flow_data *flow;
  const struct func_record *record;
  struct arcline_cursor cursor;
  struct arcline_graph_head head;
  uint32_t file; /* string offset that i_file belongs to */
  uint32_t i_file;
};

static int damaged(const struct decoder *decoder, const char *what) {
  return const_data_damaged(decoder->data, &decoder->record->at, what);
}

/** Turn a string offset into the number of a file. */
static int decode_file(struct decoder *decoder, uint32_t file, uint32_t *out) {
  const struct func_record *record = decoder->record;

  if (file != decoder->file) {
    if (file >= record->n_strings)
      return damaged(decoder, "a file name lies outside of its strings");
    // A function without debug information lies in no file, which is named "".
    const char *name = record->strings + file;
    const char *comp_dir = record->strings + decoder->head.comp_dir;
    if (file_table_add(&decoder->flow->files, *name ? comp_dir : NULL, name,
                       &decoder->i_file, decoder->data->err) != 0)
      return err_prefix(decoder->data->err, "%s", decoder->data->image->path);
    decoder->file = file;
  }
  *out = decoder->i_file;
  return 0;
}

/** Add a signed distance to a line; false if it leaves the 32 bits. */
static bool move_line(uint32_t *line, int64_t distance) {
  if (distance < -(int64_t)*line || distance > (int64_t)(UINT32_MAX - *line))
    return false;
  *line = (uint32_t)((int64_t)*line + distance);
  return true;
}

static int decode_edges(struct decoder *decoder) {
  struct flow_data *flow = decoder->flow;
  const uint32_t n_edges = decoder->head.n_edges;

  if (reserve(&flow->edges, &flow->max_edges, flow->n_edges, n_edges,
              sizeof(*flow->edges)) != 0)
    return err_no_memory(decoder->data->err);
  for (uint32_t i = 0; i < n_edges; i++)
    if (arcline_read_edge(&decoder->cursor, &decoder->head,
                          decoder->record->n_counters,
                          &flow->edges[flow->n_edges++]) != 0)
      return damaged(decoder, "an edge is cut short or out of range");
  return 0;
}

/** Decode the lines of one node. */
static int decode_lines(struct decoder *decoder, struct flow_line *pos,
                        struct flow_node *out) {
  struct flow_data *flow = decoder->flow;
  struct arcline_cursor *cursor = &decoder->cursor;
  const uint32_t n_lines = arcline_read_length(cursor, 1);

  *out = (struct flow_node){.first_line = flow->n_lines, .n_lines = n_lines};
  if (cursor->bad)
    return damaged(decoder, "the lines of a node are cut short");
  if (reserve(&flow->lines, &flow->max_lines, flow->n_lines, n_lines,
              sizeof(*flow->lines)) != 0)
    return err_no_memory(decoder->data->err);
  for (uint32_t i = 0; i < n_lines; i++) {
    const uint64_t tag = arcline_read_uleb(cursor);
    if (!move_line(&pos->line, arcline_unzigzag(tag >> 1)))
      return damaged(decoder, "a line number is out of range");
    if (tag & 1 &&
        decode_file(decoder, arcline_read_u32(cursor), &pos->i_file) != 0)
      return -1;
    flow->lines[flow->n_lines++] = *pos;
  }
  if (cursor->bad)
    return damaged(decoder, "the lines of a node are cut short");
  return 0;
}

static int decode_nodes(struct decoder *decoder, struct flow_line pos) {
  struct flow_data *flow = decoder->flow;
  const uint32_t n_nodes = decoder->head.n_nodes;

  if (reserve(&flow->nodes, &flow->max_nodes, flow->n_nodes, n_nodes,
              sizeof(*flow->nodes)) != 0)
    return err_no_memory(decoder->data->err);
  for (uint32_t i = 0; i < n_nodes; i++)
    if (decode_lines(decoder, &pos, &flow->nodes[flow->n_nodes++]) != 0)
      return -1;
  return 0;
}

static int decode_calls(struct decoder *decoder, uint32_t *n_calls) {
  struct flow_data *flow = decoder->flow;
  struct arcline_cursor *cursor = &decoder->cursor;

  *n_calls = arcline_read_length(cursor, ARCLINE_CALL_BYTES);
  if (cursor->bad)
    return damaged(decoder, "its call sites are cut short");
  if (reserve(&flow->calls, &flow->max_calls, flow->n_calls, *n_calls,
              sizeof(*flow->calls)) != 0)
    return err_no_memory(decoder->data->err);
  for (uint32_t i = 0; i < *n_calls; i++) {
    struct arcline_call read;
    struct flow_call call = {.pos.line = decoder->head.line};
    if (arcline_read_call(cursor, &decoder->head, &read) != 0 ||
        read.callee >= decoder->record->n_strings ||
        !move_line(&call.pos.line, read.line))
      return damaged(decoder, "a call site is cut short or out of range");
    if (decode_file(decoder, read.file, &call.pos.i_file) != 0)
      return -1;
    call.node = read.node;
    call.callee = decoder->record->strings + read.callee;
    flow->calls[flow->n_calls++] = call;
  }
  return 0;
}

/** Decode the function's further names. */
static int decode_aliases(struct decoder *decoder, uint32_t *n_aliases) {
  struct flow_data *flow = decoder->flow;
  struct arcline_cursor *cursor = &decoder->cursor;

  *n_aliases = arcline_read_length(cursor, 1);
  if (reserve(&flow->aliases, &flow->max_aliases, flow->n_aliases, *n_aliases,
              sizeof(*flow->aliases)) != 0)
    return err_no_memory(decoder->data->err);
  for (uint32_t i = 0; i < *n_aliases && !cursor->bad; i++) {
    const uint32_t alias = arcline_read_u32(cursor);
    if (alias >= decoder->record->n_strings)
      return damaged(decoder, "an alias lies outside of its strings");
    flow->aliases[flow->n_aliases++] = decoder->record->strings + alias;
  }
  return cursor->bad ? damaged(decoder, "its aliases are cut short") : 0;
}

/** Decode the graph of a record into the next function. */
static int decode_graph(struct const_data *data, struct flow_data *flow,
                        const struct func_record *record) {
  struct decoder decoder = {
      .data = data,
      .flow = flow,
      .record = record,
      .cursor = {record->graph, record->graph + record->n_graph, 0},
      .file = UINT32_MAX};
  struct arcline_graph_head *head = &decoder.head;
  struct flow_func func = {.id = record->id,
                           .first_node = flow->n_nodes,
                           .first_edge = flow->n_edges,
                           .first_call = flow->n_calls,
                           .first_counter = flow->n_counters,
                           .first_alias = flow->n_aliases,
                           .n_counters = record->n_counters};

  if (arcline_read_graph_head(&decoder.cursor, head) != 0)
    return damaged(&decoder, "the head of its graph is wrong");
  if (head->name >= record->n_strings || head->comp_dir >= record->n_strings)
    return damaged(&decoder, "its name lies outside of its strings");
  // Every counter counts an edge; this bounds what counters may take.
  if (record->n_counters > head->n_edges)
    return damaged(&decoder, "it has more counters than edges");
  func.name = record->strings + head->name;
  func.n_nodes = head->n_nodes;
  func.n_edges = head->n_edges;
  func.pos.line = head->line;
  if (decode_file(&decoder, head->file, &func.pos.i_file) != 0 ||
      decode_aliases(&decoder, &func.n_aliases) != 0 ||
      decode_edges(&decoder) != 0 ||
      decode_calls(&decoder, &func.n_calls) != 0 ||
      decode_nodes(&decoder, func.pos) != 0)
    return -1;
  flow->n_counters += record->n_counters;
  flow->funcs[flow->n_funcs++] = func;
  return 0;
}

/** One function's counts from its counters. Returns 0, or -1 as the solver. */
static int solve_func(struct flow_data *flow, struct flow_func *func) {
  struct arcline_edge *edges = flow->edges + func->first_edge;
  struct flow_node *nodes = flow->nodes + func->first_node;

  for (uint32_t i = 0; i < func->n_edges; i++)
    edges[i].count =
        edges[i].counter == ARCLINE_NO_COUNTER
            ? 0
            : flow->counters[func->first_counter + edges[i].counter];
  if (arcline_flow_solve(edges, func->n_edges, flow->scratch, func->n_nodes) !=
      0)
    return -1;
  func->n_entries = 0;
  for (uint32_t i = 0; i < func->n_nodes; i++)
    nodes[i].count = 0;
  for (uint32_t i = 0; i < func->n_edges; i++) {
    if ((int64_t)edges[i].count < 0)
      edges[i].count = 0;
    if (edges[i].to < func->n_nodes)
      nodes[edges[i].to].count += edges[i].count;
    if (edges[i].kind == ARCLINE_EDGE_ENTRY)
      func->n_entries += edges[i].count;
  }
  for (uint32_t i = 0; i < func->n_calls; i++) {
    struct flow_call *call = &flow->calls[func->first_call + i];
    call->count = nodes[call->node].count;
  }
  return 0;
}

/** Make room for the counters and for solving. All counters become 0. */
static int allocate(struct flow_data *flow) {
  uint32_t max_nodes = 0;

  for (size_t i = 0; i < flow->n_funcs; i++)
    if (flow->funcs[i].n_nodes > max_nodes)
      max_nodes = flow->funcs[i].n_nodes;
  free(flow->counters);
  free(flow->scratch);
  flow->counters = calloc(flow->n_counters + 1, sizeof(*flow->counters));
  flow->scratch = reallocarray(NULL, (size_t)max_nodes + 1,
                               sizeof(struct arcline_flow_node));
  return flow->counters && flow->scratch ? 0 : -1;
}

/** Read an image's functions and cells; check that they can be solved. */
static int read_image(struct const_data *data, struct flow_data *flow,
                      struct flow_image *image) {
  struct const_records records;

  if (const_data_records(data, &data->funcs, ARCLINE_SECTION_FUNCS,
                         sizeof(struct arcline_func), "function",
                         &records) != 0)
    return -1;
  if (reserve(&flow->funcs, &flow->max_funcs, flow->n_funcs, records.n,
              sizeof(*flow->funcs)) != 0)
    return err_no_memory(data->err);
  for (size_t i = 0; i < records.n; i++) {
    struct func_record record = {.at = {&records, i}};
    if (read_func_record(data, &record) != 0 ||
        decode_graph(data, flow, &record) != 0)
      return -1;
    image->n_funcs++;
  }
  if (allocate(flow) != 0)
    return err_no_memory(data->err);
  struct flow_func *funcs = flow->funcs + image->first_func;
  // Whether the equations can be solved does not depend on the values.
  for (size_t i = 0; i < image->n_funcs; i++)
    if (solve_func(flow, &funcs[i]) != 0)
      return const_data_damaged(data, &(struct const_record){&records, i},
                                "its counters do not determine all counts");
  return flow_cells_read(data, &records, funcs, flow->counters, &image->cells);
}

int flow_data_add(struct flow_data *flow, const struct image *image,
                  struct err *err) {
  struct flow_image *images =
      reallocarray(flow->images, flow->n_images + 1, sizeof(*images));
  struct const_data data;

  if (!images)
    return err_no_memory(err);
  flow->images = images;
  images[flow->n_images] = (struct flow_image){.first_func = flow->n_funcs};
  flow->n_images++;
  const_data_init(&data, image, err);
  // Stripped of its contents (as in a file of debug information) is as good
  // as absent.
  if (!data.funcs.bytes || data.funcs.n_bytes == 0)
    return 0;
  if (!data.data.bytes)
    return err_set(err, ERR_INPUT,
                   "%s: has a section " ARCLINE_SECTION_FUNCS
                   " but no section " ARCLINE_SECTION_DATA,
                   image->path);
  return read_image(&data, flow, &images[flow->n_images - 1]);
}

bool flow_data_count(struct flow_data *flow, size_t i_image, uint64_t vaddr,
                     uint64_t value) {
  struct flow_image *image = &flow->images[i_image];

  if (!flow_cells_count(&image->cells, vaddr, value))
    return false;
  image->has_counts = true;
  return true;
}

void flow_data_solve(struct flow_data *flow) {
  if (flow->n_counters)
    memset(flow->counters, 0, flow->n_counters * sizeof(*flow->counters));
  for (size_t i = 0; i < flow->n_images; i++)
    flow_cells_sum(&flow->images[i].cells, flow->counters);
  for (size_t i = 0; i < flow->n_funcs; i++)
    solve_func(flow, &flow->funcs[i]);
}

void flow_data_release(struct flow_data *flow) {
  for (size_t i = 0; i < flow->n_images; i++)
    flow_cells_release(&flow->images[i].cells);
  free(flow->images);
  free(flow->funcs);
  free(flow->nodes);
  free(flow->edges);
  free(flow->lines);
  free(flow->calls);
  free(flow->aliases);
  free(flow->counters);
  free(flow->scratch);
  file_table_release(&flow->files);
  *flow = (struct flow_data){0};
}
