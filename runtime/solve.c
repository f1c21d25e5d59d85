/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cells -> counts of nodes: solves each body's plan, adds up what its copies
   counted, and solves each function's graph. The constant data comes from our
   own pass, but through a linker: all of it is checked, and a function that
   does not add up is left out. Nothing is decoded that has not run. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "image.h"
#include "os.h"
#include "solve.h"

static const void *target(const arcline_rel32 *field) {
  return (const void *)((uintptr_t)field + (uintptr_t)(intptr_t)*field);
}

/* Not a difference of pointers: one day a linker will pad a section. */
static size_t n_records(const void *first, const void *end, size_t bytes) {
  return ((uintptr_t)end - (uintptr_t)first) / bytes;
}

/* Returns the index of an element, or RT_NONE if the pointer is to none. */
static uint32_t index_of(const void *element, const void *first, size_t bytes,
                         size_t n) {
  const uintptr_t off = (uintptr_t)element - (uintptr_t)first;

  return off % bytes || off / bytes >= n ? RT_NONE : (uint32_t)(off / bytes);
}

/* Returns n bytes of the data section, or NULL if they are not all in it. */
static const uint8_t *find_data(const struct rt_image *image,
                                const arcline_rel32 *field, uint32_t n) {
  const uintptr_t off = (uintptr_t)target(field) - (uintptr_t)image->data;
  const size_t n_data = (size_t)(image->data_end - image->data);

  return off > n_data || n > n_data - off ? NULL : image->data + off;
}

/* Decodes what surrounds a graph's edges. Returns false if it is damaged. */
static bool survey_func(const struct rt_image *image, struct rt_func *func) {
  const struct arcline_func *record = func->record;

  if (record->version != ARCLINE_ABI_VERSION)
    return false;
  const uint8_t *graph = find_data(image, &record->graph, record->graph_bytes);
  const uint8_t *strings =
      find_data(image, &record->strings, record->strings_bytes);
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
  arcline_skip_numbers(&cursor, func->n_names - 1);
  func->edges = cursor;
  arcline_skip_numbers(&cursor, 3 * (uint64_t)func->head.n_edges);
  func->calls = cursor;
  func->n_calls = arcline_read_length(&cursor, ARCLINE_CALL_BYTES);
  arcline_skip_numbers(&cursor, ARCLINE_CALL_BYTES * (uint64_t)func->n_calls);
  return !cursor.bad;
}

static void survey_funcs(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;

  for (size_t i = 0; i < s->n_funcs; i++) {
    struct rt_func *func = &s->funcs[i];
    *func = (struct rt_func){.record = &image->funcs[i], .copy = RT_NONE};
    if (!survey_func(image, func))
      *func = (struct rt_func){
          .record = func->record, .copy = RT_NONE, .is_bad = true};
  }
}

static void survey_bodies(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;

  for (size_t i = 0; i < s->n_bodies; i++) {
    const struct arcline_body *record = &image->bodies[i];
    const uint64_t vaddr =
        (uintptr_t)target(&record->pc) - s->object->load_bias;
    struct rt_body *body = &s->bodies[i];
    *body = (struct rt_body){.first_copy = RT_NONE};
    body->i_func = index_of(target(&record->func), image->funcs,
                            sizeof *image->funcs, s->n_funcs);
    body->is_bad = record->func && body->i_func == RT_NONE;
    if (!rt_image_has_text(s->object, vaddr))
      continue;
    body->vaddr = vaddr;
    if (body->i_func == RT_NONE)
      continue;
    struct rt_func *func = &s->funcs[body->i_func];
    if (func->vaddr)
      continue;
    func->vaddr = vaddr;
    if (func->record->flags & ARCLINE_FUNC_ARCS)
      s->callees[body->i_func].vaddr = vaddr;
  }
}

static void survey_copies(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;

  for (uint32_t i = 0; i < s->n_copies; i++) {
    const struct arcline_copy *record = &image->copies[i];
    struct rt_copy *copy = &s->copies[i];
    *copy = (struct rt_copy){.next = RT_NONE, .first_site = RT_NONE};
    copy->i_body = index_of(target(&record->body), image->bodies,
                            sizeof *image->bodies, s->n_bodies);
    copy->i_func = index_of(target(&record->func), image->funcs,
                            sizeof *image->funcs, s->n_funcs);
    if (copy->i_func == RT_NONE)
      continue;
    struct rt_func *func = &s->funcs[copy->i_func];
    func->n_copies++;
    func->copy = i;
    if (copy->i_body == RT_NONE) {
      func->is_bad = true;
      continue;
    }
    copy->next = s->bodies[copy->i_body].first_copy;
    s->bodies[copy->i_body].first_copy = i;
  }
}

static void survey_sites(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;

  for (uint32_t i = 0; i < s->n_sites; i++) {
    const uint32_t i_copy =
        index_of(target(&image->sites[i].copy), image->copies,
                 sizeof *image->copies, s->n_copies);
    s->sites[i] = (struct rt_site){.next = RT_NONE};
    if (i_copy == RT_NONE || s->copies[i_copy].i_func == RT_NONE)
      continue;
    s->sites[i].next = s->copies[i_copy].first_site;
    s->copies[i_copy].first_site = i;
    s->funcs[s->copies[i_copy].i_func].has_sites = true;
  }
}

/* A body's plan; without an encoded one, edges is empty. */
struct plan {
  const uint64_t *cells; /* in the profile */
  uint32_t n_cells;
  struct arcline_cursor edges;
  struct arcline_graph_head head;
};

/* Returns false if something is out of range. */
static bool open_plan(const struct rt_solver *s, size_t i_body,
                      struct plan *out) {
  const struct rt_image *image = &s->object->image;
  const struct arcline_body *record = &image->bodies[i_body];
  const size_t n_cells = s->profile->n_cells;
  const uintptr_t off =
      (uintptr_t)target(&record->cells) - (uintptr_t)image->cells;
  const size_t first = off / sizeof(uint64_t);

  *out = (struct plan){.n_cells = record->n_cells,
                       .head.n_edges = record->n_cells};
  if (record->n_cells) {
    if (off % sizeof(uint64_t) || first >= n_cells ||
        record->n_cells > n_cells - first)
      return false;
    out->cells = s->profile->cells + first;
  }
  if (!record->plan_bytes)
    return true;
  const uint8_t *plan = find_data(image, &record->plan, record->plan_bytes);
  if (!plan)
    return false;
  out->edges = (struct arcline_cursor){plan, plan + record->plan_bytes, 0};
  return arcline_read_plan_head(&out->edges, &out->head) == 0;
}

static bool is_zero(const uint64_t *numbers, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (numbers[i])
      return false;
  return true;
}

/* Computes node counts from values of counters. Returns false if that fails. */
static bool solve_graph(const struct rt_solver *s, const struct rt_func *func,
                        const uint64_t *values, uint64_t *counts,
                        uint64_t *n_entries) {
  const struct arcline_graph_head *head = &func->head;
  struct arcline_cursor cursor = func->edges;

  for (uint32_t i = 0; i < head->n_edges; i++) {
    struct arcline_edge *edge = &s->edges[i];
    if (arcline_read_edge(&cursor, head, func->record->n_counters, edge))
      return false;
    if (edge->counter != ARCLINE_NO_COUNTER)
      edge->count = values[edge->counter];
  }
  if (arcline_flow_solve(s->edges, head->n_edges, s->nodes, head->n_nodes))
    return false;
  for (uint32_t i = 0; i < head->n_nodes; i++)
    counts[i] = 0;
  *n_entries = 0;
  for (uint32_t i = 0; i < head->n_edges; i++) {
    const struct arcline_edge *edge = &s->edges[i];
    if (edge->to < head->n_nodes)
      counts[edge->to] += edge->count;
    if (edge->kind == ARCLINE_EDGE_ENTRY)
      *n_entries += edge->count;
  }
  // Cells that were read while the function ran may contradict one another and
  // give a count below zero.
  for (uint32_t i = 0; i < head->n_nodes; i++)
    if ((int64_t)counts[i] < 0)
      counts[i] = 0;
  return true;
}

/* Do calls have to be told apart by the copy that made them? */
static bool is_solved_by_copy(const struct rt_func *func) {
  return func->n_copies > 1 && func->n_calls &&
         (func->has_sites || !func->vaddr);
}

/* Adds up what a copy counted. */
static void add_copy(struct rt_solver *s, uint32_t i_copy,
                     const uint64_t *edge_counts, uint32_t n_edges) {
  const struct rt_image *image = &s->object->image;
  const struct arcline_copy *record = &image->copies[i_copy];
  const uint32_t i_func = s->copies[i_copy].i_func;
  struct rt_func *func = &s->funcs[i_func];
  const uint32_t n = func->record->n_counters;
  uint64_t *sums = s->values + func->first_counter;
  uint64_t n_entries;
  int rc;

  if (func->is_bad)
    return;
  const bool is_alone = is_solved_by_copy(func);
  uint64_t *values = is_alone ? s->copy_values : sums;
  if (is_alone)
    for (uint32_t i = 0; i < n; i++)
      values[i] = 0;
  if (record->terms_bytes) {
    const uint8_t *terms =
        find_data(image, &record->terms, record->terms_bytes);
    const struct arcline_cursor cursor = {terms, terms + record->terms_bytes,
                                          0};
    rc = terms ? arcline_terms_add(cursor, edge_counts, n_edges, values, n)
               : -EINVAL;
  } else {
    rc = arcline_edges_add(record->first_edge, edge_counts, n_edges, values, n);
  }
  if (!rc && is_alone && !is_zero(values, n)) {
    for (uint32_t i = 0; i < n; i++)
      sums[i] += values[i];
    if (solve_graph(s, func, values, s->copy_counts, &n_entries))
      rt_calls_visit(s, i_func, i_copy, s->copy_counts);
    else
      rc = -EINVAL;
  }
  func->is_bad = rc != 0;
}

static void solve_bodies(struct rt_solver *s) {
  for (size_t i = 0; i < s->n_bodies; i++) {
    struct plan plan;
    bool is_bad = !open_plan(s, i, &plan) || s->bodies[i].is_bad;
    if (!is_bad && is_zero(plan.cells, plan.n_cells))
      continue;
    const uint64_t *edge_counts = plan.cells;
    if (!is_bad && plan.edges.at) {
      is_bad =
          arcline_plan_solve(plan.edges, &plan.head, plan.cells, plan.n_cells,
                             s->edges, s->nodes, s->edge_counts) != 0;
      edge_counts = s->edge_counts;
    }
    for (uint32_t k = s->bodies[i].first_copy; k != RT_NONE;
         k = s->copies[k].next) {
      if (is_bad)
        s->funcs[s->copies[k].i_func].is_bad = true;
      else
        add_copy(s, k, edge_counts, plan.head.n_edges);
    }
  }
}

static void solve_funcs(struct rt_solver *s) {
  for (uint32_t i = 0; i < s->n_funcs; i++) {
    struct rt_func *func = &s->funcs[i];
    const uint64_t *values = s->values + func->first_counter;
    uint64_t *counts = s->counts + func->first_node;
    if (func->is_bad || is_zero(values, func->record->n_counters))
      continue;
    if (!solve_graph(s, func, values, counts, &func->n_entries))
      func->is_bad = true;
    else if (!is_solved_by_copy(func))
      rt_calls_visit(s, i, func->n_copies == 1 ? func->copy : RT_NONE, counts);
  }
}

/* How much room the solver's arrays need. */
struct sizes {
  size_t n_nodes, n_counters, n_names, n_by_address;
  size_t max_nodes, max_edges, max_counters, max_calls, max_plan_edges;
};

static size_t max(size_t a, size_t b) { return a > b ? a : b; }

static size_t power_of_two(size_t at_least) {
  size_t n = 1;

  while (n < at_least)
    n *= 2;
  return n;
}

static struct sizes measure(struct rt_solver *s) {
  struct sizes sizes = {0};

  s->n_arcs_room = s->profile->n_arcs + s->n_sites + s->n_funcs;
  for (size_t i = 0; i < s->n_funcs; i++) {
    struct rt_func *func = &s->funcs[i];
    const size_t n_counters = func->is_bad ? 0 : func->record->n_counters;
    func->first_node = (uint32_t)sizes.n_nodes;
    func->first_counter = (uint32_t)sizes.n_counters;
    sizes.n_nodes += func->head.n_nodes;
    sizes.n_counters += n_counters;
    sizes.n_names += func->n_names;
    sizes.n_by_address += func->n_names + func->n_calls;
    sizes.max_nodes = max(sizes.max_nodes, func->head.n_nodes);
    sizes.max_edges = max(sizes.max_edges, func->head.n_edges);
    sizes.max_counters = max(sizes.max_counters, n_counters);
    sizes.max_calls = max(sizes.max_calls, func->n_calls);
    s->n_arcs_room +=
        (is_solved_by_copy(func) ? func->n_copies : 1) * (size_t)func->n_calls;
  }
  for (size_t i = 0; i < s->n_bodies; i++) {
    struct plan plan;
    if (!open_plan(s, i, &plan) || !plan.edges.at)
      continue;
    sizes.max_nodes = max(sizes.max_nodes, plan.head.n_nodes);
    sizes.max_plan_edges = max(sizes.max_plan_edges, plan.head.n_edges);
  }
  sizes.max_edges = max(sizes.max_edges, sizes.max_plan_edges);
  return sizes;
}

/* Memory that is cut into arrays: measured with base NULL, then cut. */
struct arena {
  char *base;
  size_t n_bytes;
};

static void *cut(struct arena *arena, size_t n, size_t size) {
  char *at = arena->base ? arena->base + arena->n_bytes : NULL;

  arena->n_bytes += (n * size + 15) & ~(size_t)15;
  return at;
}

static void cut_records(struct rt_solver *s, struct arena *arena) {
  s->funcs = cut(arena, s->n_funcs, sizeof *s->funcs);
  s->callees = cut(arena, s->n_funcs, sizeof *s->callees);
  s->bodies = cut(arena, s->n_bodies, sizeof *s->bodies);
  s->copies = cut(arena, s->n_copies, sizeof *s->copies);
  s->sites = cut(arena, s->n_sites, sizeof *s->sites);
}

static void cut_arrays(struct rt_solver *s, const struct sizes *sizes,
                       struct arena *arena) {
  const size_t n_by_address = power_of_two(2 * sizes->n_by_address + 1);
  const size_t n_by_text = power_of_two(2 * sizes->n_names + 1);
  const size_t n_by_vaddr = power_of_two(2 * s->n_bodies + 1);

  s->by_address.mask = (uint32_t)(n_by_address - 1);
  s->by_text.mask = (uint32_t)(n_by_text - 1);
  s->by_vaddr_mask = (uint32_t)(n_by_vaddr - 1);
  s->by_address.slots = cut(arena, n_by_address, sizeof *s->by_address.slots);
  s->by_text.slots = cut(arena, n_by_text, sizeof *s->by_text.slots);
  s->by_vaddr = cut(arena, n_by_vaddr, sizeof *s->by_vaddr);
  s->values = cut(arena, sizes->n_counters, sizeof *s->values);
  s->counts = cut(arena, sizes->n_nodes, sizeof *s->counts);
  s->node_at = cut(arena, sizes->n_nodes, sizeof *s->node_at);
  s->copy_values = cut(arena, sizes->max_counters, sizeof *s->copy_values);
  s->copy_counts = cut(arena, sizes->max_nodes, sizeof *s->copy_counts);
  s->call_nodes = cut(arena, sizes->max_calls, sizeof *s->call_nodes);
  s->edges = cut(arena, sizes->max_edges, sizeof *s->edges);
  s->nodes = cut(arena, sizes->max_nodes + 1, sizeof *s->nodes);
  s->edge_counts = cut(arena, sizes->max_plan_edges, sizeof *s->edge_counts);
  s->is_taken = cut(arena, s->text_bytes / 8 + 1, 1);
}

static bool map(struct arena *arena) {
  arena->base = rt_map(arena->n_bytes + 1);
  // A failure costs time only.
  rt_sys(SYS_madvise, (long)arena->base, (long)arena->n_bytes, MADV_HUGEPAGE, 0,
         0);
  return arena->base != NULL;
}

static void unmap(const struct arena *arena) {
  if (arena->base)
    rt_unmap(arena->base, arena->n_bytes + 1);
}

/* Arcs from sites were needed to solve; they are no arcs for a file. */
static void keep_arcs(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;
  const uint64_t first = (uintptr_t)image->sites - s->object->load_bias;
  const uint64_t n_bytes =
      (uintptr_t)image->sites_end - (uintptr_t)image->sites;

  for (size_t i = 0; i < s->profile->n_arcs; i++) {
    const struct rt_arc *arc = &s->profile->arcs[i];
    if (s->is_fixing_sites || arc->from - first >= n_bytes)
      s->arcs[s->n_arcs++] = *arc;
  }
}

static int replace_arcs(struct rt_solver *s, struct rt_profile *out) {
  struct rt_arc *scratch = rt_map((s->n_arcs + 1) * sizeof *scratch);

  if (!scratch)
    return -ENOMEM;
  out->n_arcs = rt_arcs_merge(s->arcs, s->n_arcs, scratch);
  rt_unmap(scratch, (s->n_arcs + 1) * sizeof *scratch);
  rt_unmap(out->arcs, out->n_arcs_room * sizeof *out->arcs);
  out->arcs = s->arcs;
  out->n_arcs_room = s->n_arcs_room;
  s->arcs = NULL;
  return 0;
}

/* Solves with all memory at hand but that of the result. */
static int solve(struct rt_solver *s, struct rt_profile *out) {
  const struct rt_image *image = &s->object->image;
  const size_t n_addrs =
      n_records(image->addrs, image->addrs_end, sizeof *image->addrs);

  s->n_arcs_room += 1; // never empty
  s->arcs = rt_map(s->n_arcs_room * sizeof *s->arcs);
  if (!s->arcs)
    return -ENOMEM;
  if (!s->is_fixing_sites) {
    out->blocks = rt_map((n_addrs + 1) * sizeof *out->blocks);
    if (!out->blocks)
      return -ENOMEM;
    out->n_blocks_room = n_addrs + 1;
  }
  if (rt_calls_prepare(s))
    return -ENOMEM;
  rt_blocks_locate(s);
  keep_arcs(s);
  solve_bodies(s);
  solve_funcs(s);
  if (!s->is_fixing_sites) {
    rt_calls_finish(s);
    rt_blocks_list(s, out);
  }
  return replace_arcs(s, out);
}

static int solve_profile(const struct rt_object *object, bool is_fixing_sites,
                         struct rt_profile *out) {
  const struct rt_image *image = &object->image;
  struct rt_solver s = {
      .object = object,
      .profile = out,
      .is_fixing_sites = is_fixing_sites,
      .n_funcs =
          n_records(image->funcs, image->funcs_end, sizeof *image->funcs),
      .n_bodies =
          n_records(image->bodies, image->bodies_end, sizeof *image->bodies),
      .n_copies =
          n_records(image->copies, image->copies_end, sizeof *image->copies),
      .n_sites =
          n_records(image->sites, image->sites_end, sizeof *image->sites),
      .text_low = object->texts[0].low_vaddr,
      .text_bytes = object->texts[object->n_texts - 1].high_vaddr -
                    object->texts[0].low_vaddr,
  };
  struct arena records = {0};
  struct arena arrays = {0};
  int rc = -ENOMEM;

  if (is_fixing_sites ? !s.n_sites : !s.n_funcs && !s.n_sites)
    return 0;
  cut_records(&s, &records);
  if (!map(&records))
    return rc;
  cut_records(&s, &(struct arena){.base = records.base});
  survey_funcs(&s);
  survey_bodies(&s);
  survey_copies(&s);
  survey_sites(&s);
  const struct sizes sizes = measure(&s);
  cut_arrays(&s, &sizes, &arrays);
  if (map(&arrays)) {
    cut_arrays(&s, &sizes, &(struct arena){.base = arrays.base});
    rc = solve(&s, out);
  }
  if (s.arcs)
    rt_unmap(s.arcs, s.n_arcs_room * sizeof *s.arcs);
  rt_calls_release(&s);
  unmap(&arrays);
  unmap(&records);
  return rc;
}

int rt_profile_solve(const struct rt_object *object, struct rt_profile *out) {
  return solve_profile(object, false, out);
}

int rt_profile_fix_sites(const struct rt_object *object,
                         struct rt_profile *out) {
  return solve_profile(object, true, out);
}
