/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the records of an object for the solver. The pass has made them, but a
   linker and other tools may have changed the file since: everything is
   checked. */
#include "solve/solver.h"

enum { PREFETCH = 8 }; /* records ahead; graphs are far from one another */

bool solve_damaged(struct solver *s, enum solve_section_id section, size_t i,
                   enum solve_reason reason) {
  if (s->damage.reason == SOLVE_FINE)
    s->damage = (struct solve_damage){section, i, reason};
  return false;
}

struct solve_damage solve_damage(const struct solver *s) {
  return s->damage;
}

const uint8_t *solve_find_data(const struct solve_image *image,
                               enum solve_section_id section,
                               const arcline_rel32 *field,
                               enum solve_section_id target, uint32_t n) {
  const struct solve_section *data = &image->sections[target];
  const uint64_t off =
      solve_target(&image->sections[section], field) - data->vaddr;

  return off > data->n_bytes || n > data->n_bytes - off ? NULL
                                                        : data->bytes + off;
}

enum solve_reason solve_read_body(const struct solve_image *image,
                                  const struct arcline_body *record,
                                  struct solve_body_data *out) {
  const uint8_t *data = solve_find_data(image, SOLVE_BODIES, &record->data,
                                        SOLVE_PLANS, record->data_bytes);

  if (!data)
    return SOLVE_DATA_OUTSIDE;
  struct arcline_cursor cursor = {data, data + record->data_bytes, 0};
  out->own = arcline_read_u32(&cursor);
  out->n_copies = arcline_read_length(&cursor, 1);
  out->copies = cursor;
  arcline_skip_numbers(&cursor, out->n_copies);
  const uint32_t plan_bytes = arcline_read_length(&cursor, 1);
  out->plan = (struct arcline_cursor){cursor.at, cursor.at + plan_bytes, 0};
  out->addrs = (struct arcline_cursor){cursor.at + plan_bytes, cursor.end, 0};
  return cursor.bad ? SOLVE_DATA_OPEN : SOLVE_FINE;
}

struct solve_slots solve_body_slots(const struct solve_image *image,
                                    const struct arcline_body *record) {
  const struct arcline_unit *unit = (const void *)solve_find_data(
      image, SOLVE_BODIES, &record->unit, SOLVE_DATA, sizeof(*unit));

  if (!unit || (uintptr_t)unit % _Alignof(struct arcline_unit))
    return (struct solve_slots){0};
  const struct solve_section *data = &image->sections[SOLVE_DATA];
  const size_t n_left =
      (size_t)(data->bytes + data->n_bytes - (const uint8_t *)(unit + 1));
  if (unit->n > n_left / sizeof(arcline_rel32))
    return (struct solve_slots){0};
  return (struct solve_slots){(const arcline_rel32 *)(unit + 1), unit->n};
}

enum solve_reason solve_read_func(const struct solve_image *image, size_t i,
                                  struct solve_func_record *out) {
  const struct arcline_func *record = &solve_func_records(image)[i];

  if (record->version != ARCLINE_ABI_VERSION)
    return SOLVE_VERSION;
  const uint8_t *graph = solve_find_data(image, SOLVE_FUNCS, &record->graph,
                                         SOLVE_DATA, record->graph_bytes);
  if (!graph)
    return SOLVE_GRAPH_OUTSIDE;
  const uint8_t *strings = solve_find_data(image, SOLVE_FUNCS, &record->strings,
                                           SOLVE_DATA, record->strings_bytes);
  if (!strings)
    return SOLVE_STRINGS_OUTSIDE;
  if (!record->strings_bytes || strings[record->strings_bytes - 1])
    return SOLVE_STRINGS_OPEN;
  struct arcline_cursor cursor = {graph, graph + record->graph_bytes, 0};
  if (arcline_read_graph_head(&cursor, &out->head))
    return SOLVE_GRAPH_HEAD;
  if (out->head.name >= record->strings_bytes)
    return SOLVE_NAME_OUTSIDE;
  // An edge has one counter, and its condition another one at most, which
  // limits the memory for counters.
  if (record->n_counters > 2 * (uint64_t)out->head.n_edges)
    return SOLVE_MANY_COUNTERS;
  out->strings = (const char *)strings;
  out->n_aliases = arcline_read_length(&cursor, 1);
  out->aliases = cursor;
  return cursor.bad ? SOLVE_ALIASES : SOLVE_FINE;
}

static void prefetch(const struct solver *s, size_t i) {
  const struct solve_image *image = s->image;
  const struct solve_section *data = &image->sections[SOLVE_DATA];

  if (i >= s->n_funcs)
    return;
  const uint64_t off = solve_target(&image->sections[SOLVE_FUNCS],
                                    &solve_func_records(image)[i].graph) -
                       data->vaddr;
  __builtin_prefetch((const void *)((uintptr_t)data->bytes + (uintptr_t)off));
}

/* The entries of other bodies stay zero, and are not read either: that would
   populate their pages. */
static bool is_wanted(const struct solve_input *input, size_t i_body) {
  return !input->bodies || input->bodies[i_body / 64] >> i_body % 64 & 1;
}

/* Any function may be called, so all have names. */
static void read_heads(struct solver *s) {
  const uint8_t *data = s->image->sections[SOLVE_DATA].bytes;

  for (size_t i = 0; i < s->n_funcs; i++) {
    struct solve_func_record record;
    prefetch(s, i + PREFETCH);
    s->heads[i].first_node = (uint32_t)s->n_nodes;
    const enum solve_reason reason = solve_read_func(s->image, i, &record);
    s->heads[i].name = SOLVE_NONE;
    if (reason != SOLVE_FINE) {
      solve_damaged(s, SOLVE_FUNCS, i, reason);
      continue;
    }
    const uint8_t *const name =
        (const uint8_t *)record.strings + record.head.name;
    if ((size_t)(name - data) < SOLVE_NONE)
      s->heads[i].name = (uint32_t)(name - data);
    s->n_aliases += record.n_aliases;
    s->n_nodes += record.head.n_nodes;
  }
  s->heads[s->n_funcs].first_node = (uint32_t)s->n_nodes;
}

uint64_t solve_own_vaddr(const struct solver *s, uint32_t i_func) {
  const uint32_t own_body = s->heads[i_func].own_body;

  return own_body ? s->bodies[own_body - 1].vaddr : 0;
}

struct solve_func *solve_func_open(struct solver *s, uint32_t i_func) {
  struct solve_func *func = solve_opened(s, i_func);

  if (func)
    return func;
  func = &s->funcs[s->n_open++];
  s->heads[i_func].opened = (uint32_t)s->n_open;
  *func = (struct solve_func){.i_func = i_func,
                              .first_count = SOLVE_NONE,
                              .vaddr = solve_own_vaddr(s, i_func)};
  func->is_bad = solve_read_func(s->image, i_func, &func->record) != SOLVE_FINE;
  if (func->is_bad)
    func->record = (struct solve_func_record){0};
  return func;
}

static bool is_zero(const uint64_t *numbers, size_t n) {
  for (; n >= 4; n -= 4, numbers += 4)
    if (numbers[0] | numbers[1] | numbers[2] | numbers[3])
      return false;
  for (; n; n--, numbers++)
    if (*numbers)
      return false;
  return true;
}

/* Checks the body's cells for counts. */
static enum solve_reason read_cells(struct solver *s,
                                    const struct arcline_body *record,
                                    struct solve_body *body) {
  const uint32_t first = solve_first_cell(s->image, record);

  if (!record->n_cells)
    return SOLVE_FINE;
  if (first == SOLVE_NONE || record->n_cells > s->n_cells - first)
    return SOLVE_CELLS_OUTSIDE;
  // No cell is checked twice.
  if (record->n_cells > s->n_cells_left)
    return SOLVE_CELLS_OVERLAP;
  s->n_cells_left -= record->n_cells;
  body->has_run =
      solve_is_touched(s->input.touched, first, first + record->n_cells - 1) &&
      !is_zero(s->input.cells + first, record->n_cells);
  return SOLVE_FINE;
}

/* Takes apart the data of a body, unless bodies share it: then it would be
   decoded over and over. n_left: bytes that no body before has. */
static enum solve_reason read_data(const struct solve_image *image,
                                   const struct arcline_body *record,
                                   uint64_t *n_left,
                                   struct solve_body_data *out) {
  if (!solve_find_data(image, SOLVE_BODIES, &record->data, SOLVE_PLANS,
                       record->data_bytes))
    return SOLVE_DATA_OUTSIDE;
  if (record->data_bytes > *n_left)
    return SOLVE_OVERLAP;
  *n_left -= record->data_bytes;
  return solve_read_body(image, record, out);
}

static enum solve_reason read_body(struct solver *s, size_t i) {
  const struct solve_image *image = s->image;
  const struct arcline_body *record = &solve_body_records(image)[i];
  const uint64_t vaddr =
      solve_target(&image->sections[SOLVE_BODIES], &record->pc);
  struct solve_body *body = &s->bodies[i];
  struct solve_body_data data;

  *body = (struct solve_body){.vaddr = solve_has_text(image, vaddr) ? vaddr : 0,
                              .i_func = SOLVE_NONE};
  enum solve_reason reason = read_data(image, record, &s->n_data_left, &data);
  if (reason != SOLVE_FINE)
    return reason;
  body->n_copies = data.n_copies;
  reason = read_cells(s, record, body);
  if (!data.own) // of a function that has no record
    return reason;
  const struct solve_slots slots = solve_body_slots(image, record);
  body->i_func = solve_slot_func(image, &slots, data.own - 1);
  if (body->i_func == SOLVE_NONE)
    return reason == SOLVE_FINE ? SOLVE_NO_FUNC : reason;
  if (body->vaddr && !s->heads[body->i_func].own_body)
    s->heads[body->i_func].own_body = (uint32_t)i + 1;
  return reason;
}

static void read_bodies(struct solver *s) {
  bool has_overlap = false;

  for (size_t i = 0; i < s->n_bodies; i++) {
    if (!is_wanted(&s->input, i))
      continue;
    const enum solve_reason reason = read_body(s, i);
    has_overlap |= reason == SOLVE_OVERLAP;
    s->bodies[i].is_bad = reason != SOLVE_FINE;
    if (s->bodies[i].is_bad)
      solve_damaged(s, SOLVE_BODIES, i, reason);
  }
  // Which of them the data belongs to is not known.
  for (size_t i = 0; i < s->n_bodies && has_overlap; i++)
    s->bodies[i].is_bad = true;
}

/* One copy of a body that has run, or is damaged. */
static void read_copy(struct solver *s, uint32_t i_body, uint32_t i_func) {
  const bool is_bad = s->bodies[i_body].is_bad;

  s->copies[s->n_copies++] = (struct solve_copy){i_body, i_func};
  if (i_func == SOLVE_NONE) {
    solve_damaged(s, SOLVE_BODIES, i_body, SOLVE_NO_COPY);
    return;
  }
  struct solve_func *func = solve_func_open(s, i_func);
  func->n_copies++;
  func->is_bad |= is_bad;
  func->has_run |= !is_bad;
}

static void read_copies_of(struct solver *s, uint32_t i_body) {
  const struct arcline_body *record = &solve_body_records(s->image)[i_body];
  const struct solve_slots slots = solve_body_slots(s->image, record);
  const uint32_t first = (uint32_t)s->n_copies;
  struct solve_body *body = &s->bodies[i_body];
  struct solve_body_data data;

  // Of a damaged one, they may be unknown.
  if (solve_read_body(s->image, record, &data) != SOLVE_FINE ||
      data.n_copies > s->max_copies - s->n_copies)
    return;
  for (uint32_t i = 0; i < data.n_copies; i++)
    read_copy(
        s, i_body,
        solve_slot_func(s->image, &slots, arcline_read_u32(&data.copies)));
  body->first_copy = first;
  if (!body->is_bad && data.n_copies)
    s->runs[s->n_runs++] =
        (struct solve_run){i_body, first, (uint32_t)s->n_copies};
}

/* Most bodies have not run, and have none. */
static bool has_copies(const struct solver *s, size_t i_body) {
  return is_wanted(&s->input, i_body) &&
         (s->bodies[i_body].has_run || s->bodies[i_body].is_bad);
}

static void read_copies(struct solver *s) {
  for (uint32_t i = 0; i < s->n_bodies; i++)
    if (has_copies(s, i))
      read_copies_of(s, i);
}

static void count_copies(struct solver *s) {
  for (size_t i = 0; i < s->n_bodies; i++)
    if (has_copies(s, i)) {
      s->max_runs++;
      s->max_copies += s->bodies[i].n_copies;
    }
}

/* Index of the copy that a site belongs to, or SOLVE_NONE: it has not run. */
static uint32_t site_copy(const struct solver *s,
                          const struct arcline_site *record) {
  const uint32_t i_body = solve_site_body(s->image, record);
  const struct solve_body *body =
      i_body == SOLVE_NONE || !is_wanted(&s->input, i_body)
          ? NULL
          : &s->bodies[i_body];

  return !body || body->is_bad || !body->has_run ||
                 record->copy >= body->n_copies
             ? SOLVE_NONE
             : body->first_copy + record->copy;
}

static void read_sites(struct solver *s) {
  const struct arcline_site *records = solve_site_records(s->image);

  for (uint32_t i = 0; i < s->n_sites; i++) {
    const uint32_t i_copy = site_copy(s, &records[i]);
    const uint32_t i_func =
        i_copy == SOLVE_NONE ? SOLVE_NONE : s->copies[i_copy].i_func;
    struct solve_func *func =
        i_func == SOLVE_NONE ? NULL : solve_opened(s, i_func);
    if (!func)
      continue;
    s->sites[i].next = s->first_sites[i_copy];
    s->first_sites[i_copy] = i + 1;
    func->has_sites = true;
  }
}

static size_t max(size_t a, size_t b) { return a > b ? a : b; }

/* Of a plan that is damaged, nothing will be solved. */
static void measure_plan(const struct solver *s, uint32_t i_body,
                         struct solve_sizes *sizes) {
  const struct arcline_body *record = &solve_body_records(s->image)[i_body];
  struct solve_body_data data;
  struct arcline_plan_head head;

  if (solve_read_body(s->image, record, &data) != SOLVE_FINE ||
      arcline_read_plan_head(&data.plan, record->n_cells, &head))
    return;
  sizes->max_plan_edges = max(sizes->max_plan_edges, head.n_edges);
  sizes->max_nodes = max(sizes->max_nodes, head.n_nodes);
}

static void measure(struct solver *s, struct solve_sizes *sizes) {
  for (size_t i = 0; i < s->n_open; i++) {
    struct solve_func *func = &s->funcs[i];
    const struct arcline_func *record =
        &solve_func_records(s->image)[func->i_func];
    if (func->is_bad || !(func->has_run || s->input.has_all_blocks))
      continue;
    func->first_count = (uint32_t)sizes->n_counts;
    sizes->n_counts += func->record.head.n_nodes + 1;
    func->first_value = (uint32_t)sizes->n_values;
    if (func->n_copies > 1)
      sizes->n_values += record->n_counters;
    sizes->max_graph_nodes =
        max(sizes->max_graph_nodes, func->record.head.n_nodes);
    sizes->max_counters = max(sizes->max_counters, record->n_counters);
    sizes->max_calls =
        max(sizes->max_calls, record->graph_bytes / ARCLINE_CALL_BYTES);
  }
  sizes->max_nodes = sizes->max_graph_nodes;
  for (size_t i = 0; i < s->n_runs; i++)
    measure_plan(s, s->runs[i].i_body, sizes);
}

/* Those that have not run get counts of 0. */
static void open_all(struct solver *s) {
  for (uint32_t i = 0; i < s->n_funcs; i++)
    solve_func_open(s, i);
}

void solve_bodies_read(struct solver *s) {
  if (!s->input.bodies) // for names of callees
    read_heads(s);
  read_bodies(s);
  count_copies(s);
}

void solve_copies_read(struct solver *s, struct solve_sizes *out) {
  read_copies(s);
  read_sites(s);
  if (s->input.has_all_blocks)
    open_all(s);
  measure(s, out);
}
