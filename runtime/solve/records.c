/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records of an object -> what the solver needs of them. The constant data
   comes from our own pass, but through a linker: all of it is checked. */
#include "objects/link_map.h"
#include "os/os.h"
#include "solve/solve.h"

enum { PREFETCH = 8 }; /* records ahead; graphs lie far from one another */

/* Returns the index of an element, or RT_NONE if the pointer is to none. */
static uint32_t index_of(const void *element, const void *first, size_t bytes,
                         size_t n) {
  const uintptr_t off = (uintptr_t)element - (uintptr_t)first;

  return off % bytes || off / bytes >= n ? RT_NONE : (uint32_t)(off / bytes);
}

const uint8_t *rt_find_data(const struct rt_image *image,
                            const arcline_rel32 *field, uint32_t n) {
  const uintptr_t off = (uintptr_t)rt_target(field) - (uintptr_t)image->data;
  const size_t n_data = (size_t)(image->data_end - image->data);

  return off > n_data || n > n_data - off ? NULL : image->data + off;
}

uint32_t rt_copy_body(const struct rt_solver *s, size_t i_copy) {
  const struct rt_image *image = &s->object->image;

  return index_of(rt_target(&image->copies[i_copy].body), image->bodies,
                  sizeof *image->bodies, s->n_bodies);
}

uint32_t rt_copy_func(const struct rt_solver *s, size_t i_copy) {
  const struct rt_image *image = &s->object->image;

  return index_of(rt_target(&image->copies[i_copy].func), image->funcs,
                  sizeof *image->funcs, s->n_funcs);
}

/* Decodes the head of a graph. Returns false if it is damaged. */
static bool read_func(const struct rt_image *image,
                      const struct arcline_func *record, struct rt_func *func) {
  if (record->version != ARCLINE_ABI_VERSION)
    return false;
  const uint8_t *graph =
      rt_find_data(image, &record->graph, record->graph_bytes);
  const uint8_t *strings =
      rt_find_data(image, &record->strings, record->strings_bytes);
  if (!graph || !strings || !record->strings_bytes ||
      strings[record->strings_bytes - 1])
    return false;
  struct arcline_cursor cursor = {graph, graph + record->graph_bytes, 0};
  if (arcline_read_graph_head(&cursor, &func->head) ||
      func->head.name >= record->strings_bytes ||
      record->n_counters > func->head.n_edges)
    return false;
  func->strings = (const char *)strings;
  func->n_names = 1 + arcline_read_length(&cursor, 1);
  func->aliases = cursor;
  return !cursor.bad;
}

static void read_funcs(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;

  for (size_t i = 0; i < s->n_funcs; i++) {
    struct rt_func *func = &s->funcs[i];
    if (i + PREFETCH < s->n_funcs)
      __builtin_prefetch(rt_target(&image->funcs[i + PREFETCH].graph));
    *func = (struct rt_func){0};
    if (!read_func(image, &image->funcs[i], func))
      *func = (struct rt_func){.is_bad = true};
  }
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

/* Looks at the body's cells. */
static void read_cells(const struct rt_solver *s,
                       const struct arcline_body *record,
                       struct rt_body *body) {
  const size_t n_cells = s->profile->n_cells;
  const uintptr_t off =
      (uintptr_t)rt_target(&record->cells) - (uintptr_t)s->object->image.cells;
  const size_t first = off / sizeof(uint64_t);

  if (!record->n_cells)
    return;
  if (off % sizeof(uint64_t) || first >= n_cells ||
      record->n_cells > n_cells - first)
    body->is_bad = true;
  else
    body->has_run = !is_zero(s->profile->cells + first, record->n_cells);
}

static void read_bodies(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;

  for (size_t i = 0; i < s->n_bodies; i++) {
    const struct arcline_body *record = &image->bodies[i];
    const uint64_t vaddr =
        (uintptr_t)rt_target(&record->pc) - s->object->load_bias;
    struct rt_body *body = &s->bodies[i];
    *body = (struct rt_body){0};
    body->i_func = index_of(rt_target(&record->func), image->funcs,
                            sizeof *image->funcs, s->n_funcs);
    body->is_bad = record->func && body->i_func == RT_NONE;
    read_cells(s, record, body);
    if (!rt_image_has_text(s->object, vaddr))
      continue;
    body->vaddr = vaddr;
    if (body->i_func == RT_NONE)
      continue;
    struct rt_func *func = &s->funcs[body->i_func];
    if (func->vaddr)
      continue;
    func->vaddr = vaddr;
    if (image->funcs[body->i_func].flags & ARCLINE_FUNC_ARCS)
      s->callees[body->i_func].vaddr = vaddr;
  }
}

static void read_copies(struct rt_solver *s) {
  const struct arcline_body *last = NULL;
  bool has_run = false;
  bool is_bad = false;

  for (uint32_t i = 0; i < s->n_copies; i++) {
    const struct arcline_body *body =
        rt_target(&s->object->image.copies[i].body);
    if (s->first_sites)
      s->first_sites[i] = RT_NONE;
    // Copies of a body lie side by side, and most bodies have not run.
    if (i == 0 || body != last) {
      const uint32_t i_body = rt_copy_body(s, i);
      last = body;
      is_bad = i_body == RT_NONE || s->bodies[i_body].is_bad;
      has_run = !is_bad && s->bodies[i_body].has_run;
    }
    const uint32_t i_func = has_run || is_bad ? rt_copy_func(s, i) : RT_NONE;
    if (i_func == RT_NONE)
      continue;
    struct rt_func *func = &s->funcs[i_func];
    func->n_copies++;
    func->is_bad |= is_bad;
    func->has_run |= has_run;
  }
}

static void read_sites(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;

  for (uint32_t i = 0; i < s->n_sites; i++) {
    const uint32_t i_copy =
        index_of(rt_target(&image->sites[i].copy), image->copies,
                 sizeof *image->copies, s->n_copies);
    const uint32_t i_func =
        i_copy == RT_NONE ? RT_NONE : rt_copy_func(s, i_copy);
    s->sites[i] = (struct rt_site){.next = RT_NONE};
    if (i_func == RT_NONE)
      continue;
    s->sites[i].next = s->first_sites[i_copy];
    s->first_sites[i_copy] = i;
    s->funcs[i_func].has_sites = true;
  }
}

static size_t max(size_t a, size_t b) { return a > b ? a : b; }

static void measure(struct rt_solver *s, struct rt_sizes *sizes) {
  const struct rt_image *image = &s->object->image;

  for (size_t i = 0; i < s->n_funcs; i++) {
    struct rt_func *func = &s->funcs[i];
    const struct arcline_func *record = &image->funcs[i];
    func->first_node = (uint32_t)sizes->n_nodes;
    func->first_count = RT_NONE;
    sizes->n_nodes += func->head.n_nodes;
    sizes->n_names += func->n_names;
    if (!func->has_run || func->is_bad)
      continue;
    func->first_count = (uint32_t)sizes->n_counts;
    sizes->n_counts += func->head.n_nodes + 1;
    func->first_value = (uint32_t)sizes->n_values;
    if (func->n_copies > 1)
      sizes->n_values += record->n_counters;
    sizes->max_nodes = max(sizes->max_nodes, func->head.n_nodes);
    sizes->max_counters = max(sizes->max_counters, record->n_counters);
    sizes->max_calls =
        max(sizes->max_calls, record->graph_bytes / ARCLINE_CALL_BYTES);
  }
  // A plan takes a byte at least per node and per edge, or has an edge per
  // cell.
  for (size_t i = 0; i < s->n_bodies; i++)
    if (s->bodies[i].has_run)
      sizes->max_plan = max(sizes->max_plan, max(image->bodies[i].plan_bytes,
                                                 image->bodies[i].n_cells));
}

void rt_records_read(struct rt_solver *s, struct rt_sizes *out) {
  read_funcs(s);
  read_bodies(s);
  read_copies(s);
  read_sites(s);
  measure(s, out);
}
