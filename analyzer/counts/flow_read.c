/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/flow_read.h"

#include "base/err.h"
#include "debug/source.h"
#include "debug/source_names.h"
#include "image/const_data.h"
#include "image/line_data.h"
#include "solve/flow.h"

#include <stdlib.h>
#include <string.h>

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

/** State of decoding one function's graph. */
struct decoder {
  struct flow_data *flow;
  const struct const_data *data;
  size_t i_record;
  const struct arcline_func *record;
  struct solve_func_record head;
  struct arcline_cursor cursor; /* in the graph */
  const struct line_data *names;
  struct line_entry lines;
  struct arcline_cursor decisions;
  uint32_t line; /* of the definition */
  uint32_t file; /* string offset that i_file belongs to */
  uint32_t i_file;
  struct err *err;
};

static int damaged(const struct decoder *decoder, const char *what) {
  return err_set(decoder->err, ERR_INPUT,
                 "%s: constant data of function record %zu is corrupt: %s",
                 decoder->data->path, decoder->i_record, what);
}

/** The name at an offset in the function's strings; NULL with *err set. */
static const char *name_at(const struct decoder *decoder, uint32_t off) {
  return line_data_name(decoder->names, decoder->head.strings + off,
                        decoder->err);
}

/** Turn a string offset into the number of a file. */
static int decode_file(struct decoder *decoder, uint32_t file, uint32_t *out) {
  if (file != decoder->file) {
    if (file >= decoder->lines.files_bytes)
      return damaged(decoder, "file name is outside of the list");
    // A function without debug information is in the file named "".
    char *const name = source_map_name(decoder->flow->sources,
                                       strdup(decoder->lines.files + file));
    if (!name)
      return err_no_memory(decoder->err);
    const int rc = file_table_add(&decoder->flow->files, NULL, name,
                                  &decoder->i_file, decoder->err);
    free(name);
    if (rc != 0)
      return err_prefix(decoder->err, "%s", decoder->data->path);
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
  const uint32_t n_edges = decoder->head.head.n_edges;

  if (reserve(&flow->edges, &flow->max_edges, flow->n_edges, n_edges,
              sizeof(*flow->edges)) != 0)
    return err_no_memory(decoder->err);
  struct arcline_edge_place place = {decoder->head.head.n_nodes, 0};
  for (uint32_t i = 0; i < n_edges; i++)
    if (arcline_read_edge(&decoder->cursor, &decoder->head.head,
                          decoder->record->n_counters, &place,
                          &flow->edges[flow->n_edges++]) != 0)
      return damaged(decoder, "edge is truncated or out of range");
  return 0;
}

/** Decode a line, encoded as its distance from the one before. */
static int decode_line(struct decoder *decoder, struct flow_line *pos) {
  struct arcline_cursor *cursor = &decoder->lines.lines;
  const uint64_t tag = arcline_read_uleb(cursor);

  if (!move_line(&pos->line, arcline_unzigzag(tag >> 1)))
    return damaged(decoder, "line number is out of range");
  return tag & 1 ? decode_file(decoder, arcline_read_u32(cursor), &pos->i_file)
                 : 0;
}

/** Decode the lines of a node, which go after all others. */
static int decode_lines(struct decoder *decoder, struct flow_line *pos,
                        uint32_t *first_line, uint32_t *n_lines,
                        bool *is_continued) {
  struct flow_data *flow = decoder->flow;
  struct arcline_cursor *cursor = &decoder->lines.lines;
  const uint32_t head = arcline_read_u32(cursor);

  *n_lines = head >> 1;
  *is_continued = head & 1;
  if (cursor->bad || *n_lines > (size_t)(cursor->end - cursor->at))
    return damaged(decoder, "lines of a node are truncated");
  if (flow->n_lines > UINT32_MAX - *n_lines)
    return damaged(decoder, "too many lines");
  *first_line = (uint32_t)flow->n_lines;
  if (reserve(&flow->lines, &flow->max_lines, flow->n_lines, *n_lines,
              sizeof(*flow->lines)) != 0)
    return err_no_memory(decoder->err);
  for (size_t i = 0; i < *n_lines; i++) {
    if (decode_line(decoder, pos) != 0)
      return -1;
    flow->lines[flow->n_lines++] = *pos;
  }
  if (cursor->bad)
    return damaged(decoder, "lines of a node are truncated");
  return 0;
}

static int decode_nodes(struct decoder *decoder, struct flow_line *pos) {
  struct flow_data *flow = decoder->flow;
  const uint32_t n_nodes = decoder->head.head.n_nodes;

  if (reserve(&flow->nodes, &flow->max_nodes, flow->n_nodes, n_nodes,
              sizeof(*flow->nodes)) != 0)
    return err_no_memory(decoder->err);
  struct flow_node *nodes = flow->nodes + flow->n_nodes;
  flow->n_nodes += n_nodes;
  for (uint32_t i = 0; i < n_nodes; i++) {
    struct flow_node *const node = &nodes[i];
    *node = (struct flow_node){0};
    if (decode_lines(decoder, pos, &node->first_line, &node->n_lines,
                     &node->is_continued) != 0)
      return -1;
    node->first_code_line = node->first_line;
    node->n_code_lines = node->n_lines;
  }
  return 0;
}

/** Decode the lines of code that differ from those that count. */
static int decode_code_lines(struct decoder *decoder, struct flow_line pos,
                             const struct flow_func *func) {
  struct flow_data *flow = decoder->flow;
  const struct arcline_cursor *cursor = &decoder->lines.lines;
  struct flow_node *nodes = flow->nodes + func->first_node;
  uint64_t i_node = 0;
  bool is_continued;

  while (cursor->at != cursor->end) {
    i_node += arcline_read_u32(&decoder->lines.lines);
    if (i_node >= func->n_nodes)
      return damaged(decoder, "lines refer to a node that does not exist");
    struct flow_node *const node = &nodes[i_node];
    if (decode_lines(decoder, &pos, &node->first_code_line, &node->n_code_lines,
                     &is_continued) != 0)
      return -1;
  }
  return 0;
}

/** Decode the place of the choice in the source of each node that several ways
 * leave. */
static int decode_choices(struct decoder *decoder, struct flow_line *pos,
                          struct flow_func *func) {
  struct flow_data *flow = decoder->flow;
  const struct arcline_edge *edges = flow->edges;
  const size_t end = func->first_edge + func->n_edges;

  for (size_t i = func->first_edge; i < end;) {
    const uint32_t from = edges[i].from;
    struct flow_choice choice = {.n_ways = 0};
    for (; i < end && edges[i].from == from; i++) {
      if (edges[i].kind != ARCLINE_EDGE_BRANCH)
        continue;
      if (choice.n_ways++ == 0)
        choice.first_edge = i;
    }
    if (choice.n_ways < 2 || from >= func->n_nodes)
      continue;
    if (decode_line(decoder, pos) != 0)
      return -1;
    choice.pos = *pos;
    choice.column = arcline_read_u32(&decoder->lines.lines);
    if (decoder->lines.lines.bad)
      return damaged(decoder, "location of a branch is truncated");
    if (reserve(&flow->choices, &flow->max_choices, flow->n_choices, 1,
                sizeof(*flow->choices)) != 0)
      return err_no_memory(decoder->err);
    flow->choices[flow->n_choices++] = choice;
    func->n_choices++;
  }
  return 0;
}

static int decode_calls(struct decoder *decoder, uint32_t *n_calls) {
  struct flow_data *flow = decoder->flow;
  struct arcline_cursor *cursor = &decoder->cursor;

  *n_calls = arcline_read_length(cursor, ARCLINE_CALL_BYTES);
  if (cursor->bad)
    return damaged(decoder, "call sites are truncated");
  if (reserve(&flow->calls, &flow->max_calls, flow->n_calls, *n_calls,
              sizeof(*flow->calls)) != 0)
    return err_no_memory(decoder->err);
  for (uint32_t i = 0; i < *n_calls; i++) {
    struct arcline_call read;
    struct flow_call call = {.pos.line = decoder->line};
    const int rc = arcline_read_call(cursor, &decoder->head.head, &read);
    const int64_t line =
        arcline_unzigzag(arcline_read_uleb(&decoder->lines.lines));
    const uint32_t file = arcline_read_u32(&decoder->lines.lines);
    if (rc != 0 || read.callee >= decoder->record->strings_bytes ||
        decoder->lines.lines.bad || !move_line(&call.pos.line, line))
      return damaged(decoder, "call site is truncated or out of range");
    if (decode_file(decoder, file, &call.pos.i_file) != 0)
      return -1;
    call.node = read.node;
    call.callee = name_at(decoder, read.callee);
    if (!call.callee)
      return -1;
    flow->calls[flow->n_calls++] = call;
  }
  return 0;
}

/** Decode the place of the function's definition. */
static int decode_definition(struct decoder *decoder, struct flow_line *out) {
  struct arcline_cursor *cursor = &decoder->lines.lines;
  const uint32_t file = arcline_read_u32(cursor);

  decoder->line = arcline_read_u32(cursor);
  if (cursor->bad)
    return damaged(decoder, "location of the definition is truncated");
  out->line = decoder->line;
  return decode_file(decoder, file, &out->i_file);
}

/** Decode the function's further names. */
static int decode_aliases(struct decoder *decoder) {
  struct flow_data *flow = decoder->flow;
  struct arcline_cursor *cursor = &decoder->cursor;
  const uint32_t n = decoder->head.n_aliases;

  if (reserve(&flow->aliases, &flow->max_aliases, flow->n_aliases, n,
              sizeof(*flow->aliases)) != 0)
    return err_no_memory(decoder->err);
  for (uint32_t i = 0; i < n && !cursor->bad; i++) {
    const uint32_t alias = arcline_read_u32(cursor);
    if (alias >= decoder->record->strings_bytes)
      return damaged(decoder, "alias is outside of the strings");
    const char *const name = name_at(decoder, alias);
    if (!name)
      return -1;
    flow->aliases[flow->n_aliases++] = name;
  }
  return cursor->bad ? damaged(decoder, "aliases are truncated") : 0;
}

/** Does a function call another variant of itself? */
static bool calls_variant(const struct flow_data *flow,
                          const struct flow_func *func) {
  for (uint32_t i = 0; i < func->n_calls; i++)
    if (source_name_are_variants(func->name,
                                 flow->calls[func->first_call + i].callee))
      return true;
  return false;
}

static int decode_decisions(struct decoder *decoder, struct flow_func *func) {
  switch (flow_decisions_read(decoder->flow, func, &decoder->decisions)) {
  case FLOW_DECISIONS_DAMAGED:
    return damaged(decoder, "decision is truncated or out of range");
  case FLOW_DECISIONS_NO_MEMORY:
    return err_no_memory(decoder->err);
  default:
    return 0;
  }
}

/** Decode the graph of a function, which becomes the next one. */
static int decode_graph(struct decoder *decoder) {
  struct flow_data *flow = decoder->flow;
  const struct arcline_graph_head *head = &decoder->head.head;
  const char *const name = name_at(decoder, head->name);
  if (!name)
    return -1;
  struct flow_func func = {.name = name,
                           .id = decoder->record->id,
                           .first_node = flow->n_nodes,
                           .first_edge = flow->n_edges,
                           .first_call = flow->n_calls,
                           .first_counter = flow->n_counters,
                           .first_alias = flow->n_aliases,
                           .first_choice = flow->n_choices,
                           .first_decision = flow->n_decisions,
                           .n_nodes = head->n_nodes,
                           .n_edges = head->n_edges,
                           .n_counters = decoder->record->n_counters,
                           .n_aliases = decoder->head.n_aliases,
                           .is_made =
                               (decoder->record->flags & ARCLINE_FUNC_MADE) ||
                               source_name_is_made(name)};

  if (decode_definition(decoder, &func.pos) != 0)
    return -1;
  struct flow_line pos = func.pos;
  if (decode_aliases(decoder) != 0 || decode_edges(decoder) != 0 ||
      decode_calls(decoder, &func.n_calls) != 0 ||
      decode_nodes(decoder, &pos) != 0 ||
      decode_choices(decoder, &pos, &func) != 0 ||
      decode_code_lines(decoder, pos, &func) != 0 ||
      decode_decisions(decoder, &func) != 0)
    return -1;
  func.is_delegate = calls_variant(flow, &func);
  flow->n_counters += func.n_counters;
  flow->funcs[flow->n_funcs++] = func;
  return 0;
}

/** Bytes that no function before has; so a hostile image cannot make us decode
 * some over and over. */
struct bytes_left {
  uint64_t of_graphs, of_lines;
};

/** Read function number i. */
static int read_func(struct flow_data *flow, const struct const_data *data,
                     const struct line_data *lines, size_t i,
                     struct bytes_left *left, struct err *err) {
  struct decoder decoder = {.flow = flow,
                            .data = data,
                            .i_record = i,
                            .record = &solve_func_records(&data->image)[i],
                            .file = UINT32_MAX,
                            .names = lines,
                            .err = err};
  const struct solve_damage damage = {
      SOLVE_FUNCS, i, solve_read_func(&data->image, i, &decoder.head)};

  if (const_data_check(data, damage, err) != 0 ||
      line_data_find(lines, decoder.record->id, &decoder.lines, err) != 0)
    return -1;
  line_data_find_decisions(lines, decoder.record->id, &decoder.decisions);
  const uint64_t n_lines_bytes =
      (uint64_t)(decoder.lines.lines.end - decoder.lines.lines.at) +
      (uint64_t)(decoder.decisions.end - decoder.decisions.at);
  if (decoder.record->graph_bytes > left->of_graphs)
    return damaged(&decoder, "graph overlaps another one");
  if (n_lines_bytes > left->of_lines)
    return damaged(&decoder, "lines belong to another record, too");
  left->of_graphs -= decoder.record->graph_bytes;
  left->of_lines -= n_lines_bytes;
  decoder.cursor = decoder.head.aliases;
  return decode_graph(&decoder);
}

int flow_read_begin(struct flow_data *flow, const struct image *image,
                    struct err *err) {
  struct flow_image *images =
      reallocarray(flow->images, flow->n_images + 1, sizeof(*images));

  if (!images)
    return err_no_memory(err);
  flow->images = images;
  struct flow_image *part = &images[flow->n_images++];
  *part = (struct flow_image){.first_func = flow->n_funcs};
  if (const_data_find(image, &part->data, err) != 0)
    return -1;
  if (solve_n_func_records(&part->data.image) > 0)
    part->n_cells =
        part->data.image.sections[SOLVE_CELLS].n_bytes / sizeof(uint64_t);
  part->cells = calloc(part->n_cells + 1, sizeof(*part->cells));
  return part->cells ? 0 : err_no_memory(err);
}

int flow_read_graphs(struct flow_data *flow, const struct image *image,
                     struct err *err) {
  struct flow_image *part = &flow->images[flow->n_images - 1];
  const size_t n = solve_n_func_records(&part->data.image);
  struct bytes_left left = {.of_graphs =
                                part->data.image.sections[SOLVE_DATA].n_bytes};
  struct line_data lines = {0};
  int rc = n ? line_data_open(image, &lines, err) : 0;

  left.of_lines = lines.n_lines_bytes;
  if (rc == 0 && reserve(&flow->funcs, &flow->max_funcs, flow->n_funcs, n,
                         sizeof(*flow->funcs)) != 0)
    rc = err_no_memory(err);
  while (rc == 0 && part->n_funcs < n) {
    rc = read_func(flow, &part->data, &lines, part->n_funcs, &left, err);
    part->n_funcs += rc == 0;
  }
  if (rc == 0)
    rc = source_digests_add(&flow->digests, &lines, &flow->files, flow->sources,
                            err);
  line_data_release(&lines);
  return rc;
}
