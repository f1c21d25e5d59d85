/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/flow_data.h"

#include "base/array.h"
#include "base/err.h"
#include "debug/source.h"
#include "debug/source_names.h"
#include "image/const_data.h"
#include "image/line_data.h"
#include "measure/measure.h"
#include "model/model.h"
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

/** Where decoding one function's graph stands. */
struct decoder {
  struct flow_data *flow;
  const struct const_data *data;
  size_t i_record;
  const struct arcline_func *record;
  struct solve_func_record head;
  struct arcline_cursor cursor; /* in the graph */
  const struct line_data *names;
  struct line_entry lines;
  uint32_t line; /* of the definition */
  uint32_t file; /* string offset that i_file belongs to */
  uint32_t i_file;
  struct err *err;
};

static int damaged(const struct decoder *decoder, const char *what) {
  return err_set(decoder->err, ERR_INPUT,
                 "%s: constant data of function record %zu is damaged: %s",
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
      return damaged(decoder, "a file name lies outside of its list");
    // A function without debug information lies in no file, which is named "".
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
      return damaged(decoder, "an edge is cut short or out of range");
  return 0;
}

/** Decode a line, which is given by its distance from the one before. */
static int decode_line(struct decoder *decoder, struct flow_line *pos) {
  struct arcline_cursor *cursor = &decoder->lines.lines;
  const uint64_t tag = arcline_read_uleb(cursor);

  if (!move_line(&pos->line, arcline_unzigzag(tag >> 1)))
    return damaged(decoder, "a line number is out of range");
  return tag & 1 ? decode_file(decoder, arcline_read_u32(cursor), &pos->i_file)
                 : 0;
}

/** Decode the lines of a node, which go behind all others. */
static int decode_lines(struct decoder *decoder, struct flow_line *pos,
                        size_t *n_lines, bool *is_continued) {
  struct flow_data *flow = decoder->flow;
  struct arcline_cursor *cursor = &decoder->lines.lines;
  const uint32_t head = arcline_read_u32(cursor);

  *n_lines = head >> 1;
  *is_continued = head & 1;
  if (cursor->bad || *n_lines > (size_t)(cursor->end - cursor->at))
    return damaged(decoder, "the lines of a node are cut short");
  if (reserve(&flow->lines, &flow->max_lines, flow->n_lines, *n_lines,
              sizeof(*flow->lines)) != 0)
    return err_no_memory(decoder->err);
  for (size_t i = 0; i < *n_lines; i++) {
    if (decode_line(decoder, pos) != 0)
      return -1;
    flow->lines[flow->n_lines++] = *pos;
  }
  if (cursor->bad)
    return damaged(decoder, "the lines of a node are cut short");
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
    nodes[i] = (struct flow_node){.first_line = flow->n_lines,
                                  .first_code_line = flow->n_lines};
    if (decode_lines(decoder, pos, &nodes[i].n_lines, &nodes[i].is_continued) !=
        0)
      return -1;
    nodes[i].n_code_lines = nodes[i].n_lines;
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
      return damaged(decoder, "it has lines of a node that it does not have");
    nodes[i_node].first_code_line = flow->n_lines;
    if (decode_lines(decoder, &pos, &nodes[i_node].n_code_lines,
                     &is_continued) != 0)
      return -1;
  }
  return 0;
}

/** Decode where the source chooses between the ways from each node that several
 * of them leave. */
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
      return damaged(decoder, "the place of a choice is cut short");
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
    return damaged(decoder, "its call sites are cut short");
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
      return damaged(decoder, "a call site is cut short or out of range");
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

/** Decode where the function is defined. */
static int decode_definition(struct decoder *decoder, struct flow_line *out) {
  struct arcline_cursor *cursor = &decoder->lines.lines;
  const uint32_t file = arcline_read_u32(cursor);

  decoder->line = arcline_read_u32(cursor);
  if (cursor->bad)
    return damaged(decoder, "the place of its definition is cut short");
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
      return damaged(decoder, "an alias lies outside of its strings");
    const char *const name = name_at(decoder, alias);
    if (!name)
      return -1;
    flow->aliases[flow->n_aliases++] = name;
  }
  return cursor->bad ? damaged(decoder, "its aliases are cut short") : 0;
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
      decode_code_lines(decoder, pos, &func) != 0)
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
  const uint64_t n_lines_bytes =
      (uint64_t)(decoder.lines.lines.end - decoder.lines.lines.at);
  if (decoder.record->graph_bytes > left->of_graphs)
    return damaged(&decoder, "its graph overlaps another one");
  if (n_lines_bytes > left->of_lines)
    return damaged(&decoder, "its lines are those of another one, too");
  left->of_graphs -= decoder.record->graph_bytes;
  left->of_lines -= n_lines_bytes;
  decoder.cursor = decoder.head.aliases;
  return decode_graph(&decoder);
}

/** One function's counts from its counters. Returns 0, or -1 as the solver. */
static int solve_func(struct flow_data *flow, struct flow_func *func,
                      struct arcline_flow_node *scratch) {
  const uint64_t *counters = flow->counters + func->first_counter;
  struct arcline_edge *edges = flow->edges + func->first_edge;
  struct flow_node *nodes = flow->nodes + func->first_node;

  for (uint32_t i = 0; i < func->n_edges; i++)
    edges[i].count =
        edges[i].counter == ARCLINE_NO_COUNTER ? 0 : counters[edges[i].counter];
  if (solve_flow_edges(edges, func->n_edges, scratch, func->n_nodes) != 0)
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

static bool has_run(const struct flow_data *flow,
                    const struct flow_func *func) {
  for (uint32_t i = 0; i < func->n_counters; i++)
    if (flow->counters[func->first_counter + i] != 0)
      return true;
  return false;
}

int flow_data_add(struct flow_data *flow, const struct image *image,
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
  const struct solve_section *sections = part->data.image.sections;
  const size_t n = solve_n_func_records(&part->data.image);
  struct bytes_left left = {.of_graphs = sections[SOLVE_DATA].n_bytes};
  struct line_data lines = {0};
  int rc = n ? line_data_open(image, &lines, err) : 0;

  left.of_lines = lines.n_lines_bytes;
  part->n_cells = n ? sections[SOLVE_CELLS].n_bytes / sizeof(uint64_t) : 0;
  part->cells = calloc(part->n_cells + 1, sizeof(*part->cells));
  if (rc == 0 &&
      (!part->cells || reserve(&flow->funcs, &flow->max_funcs, flow->n_funcs, n,
                               sizeof(*flow->funcs)) != 0))
    rc = err_no_memory(err);
  while (rc == 0 && part->n_funcs < n) {
    rc = read_func(flow, &part->data, &lines, part->n_funcs, &left, err);
    part->n_funcs += rc == 0;
  }
  line_data_release(&lines);
  return rc;
}

bool flow_data_count(struct flow_data *flow, size_t i_image, uint64_t vaddr,
                     uint64_t value) {
  struct flow_image *image = &flow->images[i_image];
  const uint64_t off = vaddr - image->data.image.sections[SOLVE_CELLS].vaddr;

  if (off % sizeof(uint64_t) != 0 || off / sizeof(uint64_t) >= image->n_cells)
    return false;
  image->cells[off / sizeof(uint64_t)] += value;
  image->has_counts = true;
  return true;
}

void flow_data_take(struct flow_data *flow, size_t i_image,
                    const struct measure *measure) {
  struct flow_image *image = &flow->images[i_image];
  bool has_block = false;

  for (size_t i = 0; i < measure->n_blocks; i++)
    if (!flow_data_count(flow, i_image, measure->blocks[i].vaddr,
                         measure->blocks[i].count))
      has_block |= measure->blocks[i].count > 0;
  image->has_blocks = measure->n_blocks > 0;
  // Counters are written unless they are 0. So if there are none, either
  // nothing was run, or the profile went through a tool that dropped them.
  image->is_exact = image->n_funcs > 0 && image->has_blocks &&
                    (image->has_counts || !has_block);
}

/** Add what the cells of an image tell to the counters of its functions. */
static int add_counters(struct flow_data *flow, struct flow_image *part,
                        struct err *err) {
  const struct solve_input input = {.image = &part->data.image,
                                    .cells = part->cells,
                                    .alloc = const_data_alloc,
                                    .free = const_data_free};
  size_t *first_counters =
      reallocarray(NULL, part->n_funcs + 1, sizeof(*first_counters));

  solve_close(part->solver);
  part->solver = solve_open(&input);
  if (!part->solver || !first_counters) {
    free(first_counters);
    return err_no_memory(err);
  }
  for (size_t i = 0; i < part->n_funcs; i++)
    first_counters[i] = flow->funcs[part->first_func + i].first_counter;
  solve_counters(part->solver, flow->counters, first_counters);
  free(first_counters);
  return const_data_check(&part->data, solve_damage(part->solver), err);
}

static int solve_funcs(struct flow_data *flow, const struct flow_image *part,
                       struct arcline_flow_node *scratch, struct err *err) {
  for (size_t i = 0; i < part->n_funcs; i++) {
    struct flow_func *func = &flow->funcs[part->first_func + i];
    const struct solve_damage damage = {SOLVE_FUNCS, i, SOLVE_GRAPH};
    if (has_run(flow, func) && solve_func(flow, func, scratch) != 0)
      return const_data_check(&part->data, damage, err);
  }
  return 0;
}

int flow_data_solve(struct flow_data *flow, struct err *err) {
  uint32_t max_nodes = 0;
  int rc = 0;

  for (size_t i = 0; i < flow->n_funcs; i++)
    if (flow->funcs[i].n_nodes > max_nodes)
      max_nodes = flow->funcs[i].n_nodes;
  struct arcline_flow_node *scratch =
      reallocarray(NULL, (size_t)max_nodes + 1, sizeof(*scratch));
  free(flow->counters);
  flow->counters = calloc(flow->n_counters + 1, sizeof(*flow->counters));
  if (!flow->counters || !scratch)
    rc = err_no_memory(err);
  for (size_t i = 0; rc == 0 && i < flow->n_images; i++)
    if (flow->images[i].n_funcs > 0) {
      rc = add_counters(flow, &flow->images[i], err);
      if (rc == 0)
        rc = solve_funcs(flow, &flow->images[i], scratch, err);
    }
  free(scratch);
  return rc;
}

/** Nothing is added any more. */
static void trim(struct flow_data *flow) {
  flow->funcs = array_trim(flow->funcs, flow->n_funcs, sizeof(*flow->funcs));
  flow->nodes = array_trim(flow->nodes, flow->n_nodes, sizeof(*flow->nodes));
  flow->edges = array_trim(flow->edges, flow->n_edges, sizeof(*flow->edges));
  flow->lines = array_trim(flow->lines, flow->n_lines, sizeof(*flow->lines));
  flow->calls = array_trim(flow->calls, flow->n_calls, sizeof(*flow->calls));
  flow->choices =
      array_trim(flow->choices, flow->n_choices, sizeof(*flow->choices));
  flow->aliases =
      array_trim(flow->aliases, flow->n_aliases, sizeof(*flow->aliases));
}

static int load(struct model *model, struct flow_data *flow, struct err *err) {
  bool is_exact = false;

  for (size_t i = 0; i < model->n_objects; i++) {
    struct model_object *const object = &model->objects[i];
    if (flow_data_add(flow, &object->image, err) != 0)
      return -1;
    flow_data_take(flow, i, &object->measure);
    if (flow->images[i].is_exact && !model->keeps_blocks)
      measure_drop_blocks(&object->measure);
    is_exact = is_exact || flow->images[i].is_exact;
  }
  trim(flow);
  return is_exact ? flow_data_solve(flow, err) : 0;
}

int flow_data_load(struct model *model, struct flow_data *out,
                   struct err *err) {
  *out = (struct flow_data){.sources = model->inputs.sources};
  if (load(model, out, err) == 0)
    return 0;
  flow_data_release(out);
  return -1;
}

void flow_data_drop_graphs(struct flow_data *flow) {
  for (size_t i = 0; i < flow->n_images; i++) {
    struct flow_image *const image = &flow->images[i];
    solve_close(image->solver);
    free(image->cells);
    image->solver = NULL;
    image->cells = NULL;
    image->n_cells = 0;
  }
  free(flow->nodes);
  free(flow->edges);
  free(flow->lines);
  free(flow->calls);
  free(flow->choices);
  free(flow->aliases);
  free(flow->counters);
  *flow = (struct flow_data){.funcs = flow->funcs,
                             .n_funcs = flow->n_funcs,
                             .files = flow->files,
                             .images = flow->images,
                             .n_images = flow->n_images};
}

void flow_data_release(struct flow_data *flow) {
  flow_data_drop_graphs(flow);
  free(flow->images);
  free(flow->funcs);
  file_table_release(&flow->files);
  *flow = (struct flow_data){0};
}
