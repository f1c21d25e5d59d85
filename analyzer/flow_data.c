/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "flow_data.h"

#include "arcline/flow.h"
#include "err.h"
#include "image.h"
#include "merge_sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** What reading needs to know. */
struct reader {
  const struct image *image;
  struct image_section funcs, data;
  // Bytes of the data section that are no graph yet. Graphs are not shared (as
  // strings are); so a hostile image cannot make us decode one over and over.
  uint64_t n_graph_left;
  struct err *err;
};

/** One struct arcline_func, in host byte order and with addresses. */
struct func_record {
  uint64_t id;
  uint64_t counters_vaddr;
  uint32_t n_counters;
  const uint8_t *graph;
  uint32_t n_graph;
  const char *strings;
  uint32_t n_strings;
};

static int damaged(const struct reader *reader, size_t i_func,
                   const char *what) {
  return err_set(reader->err, ERR_INPUT,
                 "%s: constant data of function record %zu is damaged: %s",
                 reader->image->path, i_func, what);
}

static uint64_t read_number(const struct reader *reader, const uint8_t *bytes,
                            unsigned n_bytes) {
  uint64_t value = 0;

  for (unsigned i = 0; i < n_bytes; i++)
    value =
        value << 8 | bytes[reader->image->is_big_endian ? i : n_bytes - 1 - i];
  return value;
}

static uint32_t read_u32(const struct reader *reader,
                         const struct image_section *section, size_t off) {
  return (uint32_t)read_number(reader, section->bytes + off, 4);
}

/** Read the field at an offset of a section and return what it points to. */
static uint64_t read_rel32(const struct reader *reader,
                           const struct image_section *section, size_t off) {
  int64_t distance = (int32_t)read_u32(reader, section, off);

  return section->vaddr + off + (uint64_t)distance;
}

/** Find n_bytes at an address in the data section, or NULL. */
static const uint8_t *find_data(const struct reader *reader, uint64_t vaddr,
                                uint64_t n_bytes) {
  uint64_t off = vaddr - reader->data.vaddr;

  if (vaddr < reader->data.vaddr || off > reader->data.n_bytes ||
      n_bytes > reader->data.n_bytes - off)
    return NULL;
  return reader->data.bytes + off;
}

/** Read function record number i_func and check the ranges that it names. */
static int read_func_record(struct reader *reader, size_t i_func,
                            struct func_record *out) {
  const struct image_section *section = &reader->funcs;
  const size_t base = i_func * sizeof(struct arcline_func);
  const uint32_t version =
      read_u32(reader, section, base + offsetof(struct arcline_func, version));

  if (version != ARCLINE_ABI_VERSION)
    return err_set(reader->err, ERR_INPUT,
                   "%s: constant data of function record %zu has version "
                   "%" PRIu32 ", this program reads version %d; rebuild the "
                   "image or use the arcline that belongs to its compiler",
                   reader->image->path, i_func, version, ARCLINE_ABI_VERSION);
  out->id = read_number(
      reader, section->bytes + base + offsetof(struct arcline_func, id), 8);
  out->counters_vaddr = read_rel32(
      reader, section, base + offsetof(struct arcline_func, counters));
  out->n_counters = read_u32(reader, section,
                             base + offsetof(struct arcline_func, n_counters));
  out->n_graph = read_u32(reader, section,
                          base + offsetof(struct arcline_func, graph_bytes));
  out->n_strings = read_u32(
      reader, section, base + offsetof(struct arcline_func, strings_bytes));
  out->graph = find_data(
      reader,
      read_rel32(reader, section, base + offsetof(struct arcline_func, graph)),
      out->n_graph);
  out->strings = (const char *)find_data(
      reader,
      read_rel32(reader, section,
                 base + offsetof(struct arcline_func, strings)),
      out->n_strings);
  if (!out->graph)
    return damaged(reader, i_func, "its graph lies outside of the section");
  if (!out->strings)
    return damaged(reader, i_func, "its strings lie outside of the section");
  if (out->n_strings == 0 || out->strings[out->n_strings - 1] != '\0')
    return damaged(reader, i_func, "its strings do not end");
  if (out->n_graph > reader->n_graph_left)
    return damaged(reader, i_func, "its graph overlaps another one");
  reader->n_graph_left -= out->n_graph;
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
  struct reader *reader;
  struct flow_data *flow;
  const struct func_record *record;
  struct arcline_cursor cursor;
  struct arcline_graph_head head;
  size_t i_func;
  uint32_t file; /* string offset that i_file belongs to */
  uint32_t i_file;
};

/** Turn a string offset into the number of a file. */
static int decode_file(struct decoder *decoder, uint32_t file, uint32_t *out) {
  const struct func_record *record = decoder->record;

  if (file != decoder->file) {
    if (file >= record->n_strings)
      return damaged(decoder->reader, decoder->i_func,
                     "a file name lies outside of its strings");
    // A function without debug information lies in no file, which is named "".
    const char *name = record->strings + file;
    const char *comp_dir = record->strings + decoder->head.comp_dir;
    if (file_table_add(&decoder->flow->files, *name ? comp_dir : NULL, name,
                       &decoder->i_file, decoder->reader->err) != 0)
      return err_prefix(decoder->reader->err, "%s",
                        decoder->reader->image->path);
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
    return err_no_memory(decoder->reader->err);
  for (uint32_t i = 0; i < n_edges; i++)
    if (arcline_read_edge(&decoder->cursor, &decoder->head,
                          decoder->record->n_counters,
                          &flow->edges[flow->n_edges++]) != 0)
      return damaged(decoder->reader, decoder->i_func,
                     "an edge is cut short or out of range");
  return 0;
}

/** Decode the lines of one node. */
static int decode_lines(struct decoder *decoder, struct flow_line *pos,
                        struct flow_node *out) {
  struct flow_data *flow = decoder->flow;
  struct arcline_cursor *cursor = &decoder->cursor;
  const uint32_t n_lines = arcline_read_u32(cursor);

  *out = (struct flow_node){.first_line = flow->n_lines, .n_lines = n_lines};
  if (cursor->bad || n_lines > (size_t)(cursor->end - cursor->at))
    return damaged(decoder->reader, decoder->i_func,
                   "the lines of a node are cut short");
  if (reserve(&flow->lines, &flow->max_lines, flow->n_lines, n_lines,
              sizeof(*flow->lines)) != 0)
    return err_no_memory(decoder->reader->err);
  for (uint32_t i = 0; i < n_lines; i++) {
    const uint64_t tag = arcline_read_uleb(cursor);
    if (!move_line(&pos->line, arcline_unzigzag(tag >> 1)))
      return damaged(decoder->reader, decoder->i_func,
                     "a line number is out of range");
    if (tag & 1 &&
        decode_file(decoder, arcline_read_u32(cursor), &pos->i_file) != 0)
      return -1;
    flow->lines[flow->n_lines++] = *pos;
  }
  if (cursor->bad)
    return damaged(decoder->reader, decoder->i_func,
                   "the lines of a node are cut short");
  return 0;
}

static int decode_nodes(struct decoder *decoder, struct flow_line pos) {
  struct flow_data *flow = decoder->flow;
  const uint32_t n_nodes = decoder->head.n_nodes;

  if (reserve(&flow->nodes, &flow->max_nodes, flow->n_nodes, n_nodes,
              sizeof(*flow->nodes)) != 0)
    return err_no_memory(decoder->reader->err);
  for (uint32_t i = 0; i < n_nodes; i++)
    if (decode_lines(decoder, &pos, &flow->nodes[flow->n_nodes++]) != 0)
      return -1;
  return 0;
}

static int decode_calls(struct decoder *decoder, uint32_t *n_calls) {
  struct flow_data *flow = decoder->flow;
  struct arcline_cursor *cursor = &decoder->cursor;

  *n_calls = arcline_read_u32(cursor);
  if (cursor->bad || *n_calls > (size_t)(cursor->end - cursor->at))
    return damaged(decoder->reader, decoder->i_func,
                   "its call sites are cut short");
  if (reserve(&flow->calls, &flow->max_calls, flow->n_calls, *n_calls,
              sizeof(*flow->calls)) != 0)
    return err_no_memory(decoder->reader->err);
  for (uint32_t i = 0; i < *n_calls; i++) {
    struct flow_call call = {.node = arcline_read_u32(cursor),
                             .pos.line = decoder->head.line};
    const int64_t distance = arcline_unzigzag(arcline_read_uleb(cursor));
    const uint32_t file = arcline_read_u32(cursor);
    const uint32_t callee = arcline_read_u32(cursor);
    if (cursor->bad || call.node >= decoder->head.n_nodes ||
        callee >= decoder->record->n_strings ||
        !move_line(&call.pos.line, distance))
      return damaged(decoder->reader, decoder->i_func,
                     "a call site is cut short or out of range");
    if (decode_file(decoder, file, &call.pos.i_file) != 0)
      return -1;
    call.callee = decoder->record->strings + callee;
    flow->calls[flow->n_calls++] = call;
  }
  return 0;
}

/** Decode the graph of a record into the next function. */
static int decode_graph(struct reader *reader, struct flow_data *flow,
                        const struct func_record *record) {
  struct decoder decoder = {
      .reader = reader,
      .flow = flow,
      .record = record,
      .cursor = {record->graph, record->graph + record->n_graph, 0},
      .i_func = flow->n_funcs,
      .file = UINT32_MAX};
  struct arcline_graph_head *head = &decoder.head;
  struct flow_func func = {.id = record->id,
                           .first_node = flow->n_nodes,
                           .first_edge = flow->n_edges,
                           .first_call = flow->n_calls,
                           .first_counter = flow->n_counters,
                           .n_counters = record->n_counters,
                           .counters_vaddr = record->counters_vaddr};

  if (arcline_read_graph_head(&decoder.cursor, head) != 0)
    return damaged(reader, decoder.i_func, "the head of its graph is wrong");
  if (head->name >= record->n_strings || head->comp_dir >= record->n_strings)
    return damaged(reader, decoder.i_func,
                   "its name lies outside of its strings");
  // Every counter counts an edge; this bounds what counters may take.
  if (record->n_counters > head->n_edges)
    return damaged(reader, decoder.i_func, "it has more counters than edges");
  func.name = record->strings + head->name;
  func.n_nodes = head->n_nodes;
  func.n_edges = head->n_edges;
  func.pos.line = head->line;
  if (decode_file(&decoder, head->file, &func.pos.i_file) != 0 ||
      decode_edges(&decoder) != 0 || decode_nodes(&decoder, func.pos) != 0 ||
      decode_calls(&decoder, &func.n_calls) != 0)
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

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_counters(const void *a, const void *b, const void *context) {
  const struct flow_data *flow = context;
  const size_t i_a = *(const size_t *)a, i_b = *(const size_t *)b;
  int order = compare_u64(flow->funcs[i_a].counters_vaddr,
                          flow->funcs[i_b].counters_vaddr);

  // A function without counters has no stretch of its own: sort it first, so
  // that the search, which takes the last one, does not end on it.
  if (order == 0)
    order =
        (flow->funcs[i_a].n_counters != 0) - (flow->funcs[i_b].n_counters != 0);
  return order;
}

/** Allocate what counting and solving need; check that solving works. */
static int prepare(struct reader *reader, struct flow_data *flow) {
  uint32_t max_nodes = 0;

  for (size_t i = 0; i < flow->n_funcs; i++)
    if (flow->funcs[i].n_nodes > max_nodes)
      max_nodes = flow->funcs[i].n_nodes;
  flow->counters = calloc(flow->n_counters + 1, sizeof(*flow->counters));
  flow->by_vaddr = reallocarray(NULL, flow->n_funcs, sizeof(*flow->by_vaddr));
  flow->scratch = reallocarray(NULL, (size_t)max_nodes + 1,
                               sizeof(struct arcline_flow_node));
  if (!flow->counters || !flow->by_vaddr || !flow->scratch)
    return err_no_memory(reader->err);
  for (size_t i = 0; i < flow->n_funcs; i++)
    flow->by_vaddr[i] = i;
  if (merge_sort(flow->by_vaddr, flow->n_funcs, sizeof(*flow->by_vaddr),
                 compare_counters, flow) != 0)
    return err_no_memory(reader->err);
  // Whether the equations can be solved does not depend on the values.
  for (size_t i = 0; i < flow->n_funcs; i++)
    if (solve_func(flow, &flow->funcs[i]) != 0)
      return damaged(reader, i, "its counters do not determine all counts");
  return 0;
}

static int read_all(struct reader *reader, struct flow_data *flow) {
  const size_t n_bytes = reader->funcs.n_bytes;
  struct func_record record;

  if (n_bytes % sizeof(struct arcline_func) != 0)
    return err_set(reader->err, ERR_INPUT,
                   "%s: section " ARCLINE_SECTION_FUNCS
                   " has %zu bytes, not a multiple of %zu",
                   reader->image->path, n_bytes, sizeof(struct arcline_func));
  const size_t n_funcs = n_bytes / sizeof(struct arcline_func);
  flow->funcs = calloc(n_funcs, sizeof(*flow->funcs));
  if (!flow->funcs)
    return err_no_memory(reader->err);
  for (size_t i = 0; i < n_funcs; i++)
    if (read_func_record(reader, i, &record) != 0 ||
        decode_graph(reader, flow, &record) != 0)
      return -1;
  return prepare(reader, flow);
}

int flow_data_read(const struct image *image, struct flow_data *out,
                   struct err *err) {
  struct reader reader = {.image = image, .err = err};

  *out = (struct flow_data){0};
  // Stripped of its contents (as in a file of debug information) is as good
  // as absent.
  if (!image_find_section(image, ARCLINE_SECTION_FUNCS, &reader.funcs) ||
      !reader.funcs.bytes || reader.funcs.n_bytes == 0)
    return 0;
  if (!image_find_section(image, ARCLINE_SECTION_DATA, &reader.data) ||
      !reader.data.bytes)
    return err_set(err, ERR_INPUT,
                   "%s: has a section " ARCLINE_SECTION_FUNCS
                   " but no section " ARCLINE_SECTION_DATA,
                   image->path);
  reader.n_graph_left = reader.data.n_bytes;
  if (read_all(&reader, out) != 0) {
    flow_data_release(out);
    return -1;
  }
  return 0;
}

bool flow_data_count(struct flow_data *flow, uint64_t vaddr, uint64_t value) {
  size_t low = 0, high = flow->n_funcs;

  // The last function whose counters begin at or before the address.
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (flow->funcs[flow->by_vaddr[middle]].counters_vaddr <= vaddr)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return false;
  const struct flow_func *func = &flow->funcs[flow->by_vaddr[low - 1]];
  const uint64_t off = vaddr - func->counters_vaddr;
  if (off % sizeof(uint64_t) != 0 || off / sizeof(uint64_t) >= func->n_counters)
    return false;
  flow->counters[func->first_counter + off / sizeof(uint64_t)] += value;
  flow->has_counts = true;
  return true;
}

void flow_data_solve(struct flow_data *flow) {
  for (size_t i = 0; i < flow->n_funcs; i++)
    solve_func(flow, &flow->funcs[i]);
}

void flow_data_release(struct flow_data *flow) {
  free(flow->funcs);
  free(flow->nodes);
  free(flow->edges);
  free(flow->lines);
  free(flow->calls);
  free(flow->counters);
  free(flow->by_vaddr);
  free(flow->scratch);
  file_table_release(&flow->files);
  *flow = (struct flow_data){0};
}
