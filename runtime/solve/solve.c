/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cells -> counts of nodes: solves each body's plan, adds up what its copies
   counted, and solves each function's graph. A function whose data does not add
   up is left out. */
#include <errno.h>

#include "os/os.h"
#include "os/scratch.h"
#include "solve/solve.h"

/* Not a difference of pointers: one day a linker will pad a section. */
static size_t n_records(const void *first, const void *end, size_t bytes) {
  return ((uintptr_t)end - (uintptr_t)first) / bytes;
}

/* Of the body at hand: counts of the edges of its plan. */
struct plan {
  const uint64_t *counts;
  uint32_t n_edges;
};

/* Returns false if the plan is damaged. A body without one has an edge per
   cell. */
static bool solve_plan(const struct rt_solver *s, size_t i_body,
                       struct plan *out) {
  const struct rt_image *image = &s->object->image;
  const struct arcline_body *record = &image->bodies[i_body];
  const uintptr_t off =
      (uintptr_t)rt_target(&record->cells) - (uintptr_t)image->cells;
  const uint64_t *cells = s->profile->cells + off / sizeof *cells;
  struct arcline_graph_head head;

  *out = (struct plan){.counts = cells, .n_edges = record->n_cells};
  if (!record->plan_bytes)
    return true;
  const uint8_t *plan = rt_find_data(image, &record->plan, record->plan_bytes);
  if (!plan)
    return false;
  struct arcline_cursor cursor = {plan, plan + record->plan_bytes, 0};
  *out = (struct plan){.counts = s->edge_counts};
  if (arcline_read_plan_head(&cursor, &head))
    return false;
  out->n_edges = head.n_edges;
  return arcline_plan_solve(cursor, &head, cells, record->n_cells, s->edges,
                            s->nodes, s->edge_counts) == 0;
}

static bool is_zero(const uint64_t *numbers, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (numbers[i])
      return false;
  return true;
}

/* Computes node counts from values of counters, and reads the calls. Returns
   false if that fails. */
static bool solve_graph(struct rt_solver *s, uint32_t i_func,
                        const uint64_t *values, uint64_t *counts,
                        uint64_t *n_entries) {
  const struct arcline_func *record = &s->object->image.funcs[i_func];
  struct rt_func *func = &s->funcs[i_func];
  struct arcline_cursor cursor = func->aliases;

  arcline_skip_numbers(&cursor, func->n_names - 1);
  if (arcline_graph_solve(&cursor, &func->head, values, record->n_counters,
                          s->nodes, counts, n_entries) ||
      !rt_calls_read(s, func, cursor))
    return false;
  func->is_leaf = s->n_calls == 0;
  // Cells that were read while the function ran may contradict one another and
  // give a count below zero.
  for (uint32_t i = 0; i < func->head.n_nodes; i++)
    if ((int64_t)counts[i] < 0)
      counts[i] = 0;
  return true;
}

/* Do calls have to be told apart by the copy that made them? */
static bool is_solved_by_copy(const struct rt_func *func) {
  return func->n_copies > 1 && !func->is_leaf &&
         (func->has_sites || !func->vaddr);
}

/* Adds a copy's values of the counters. Returns false if that fails. */
static bool add_terms(const struct rt_solver *s, uint32_t i_copy,
                      const struct plan *plan, uint64_t *values, uint32_t n) {
  const struct rt_image *image = &s->object->image;
  const struct arcline_copy *record = &image->copies[i_copy];

  if (!record->terms_bytes)
    return arcline_edges_add(record->first_edge, plan->counts, plan->n_edges,
                             values, n) == 0;
  const uint8_t *terms =
      rt_find_data(image, &record->terms, record->terms_bytes);
  const struct arcline_cursor cursor = {terms, terms + record->terms_bytes, 0};
  return terms &&
         arcline_terms_add(cursor, plan->counts, plan->n_edges, values, n) == 0;
}

/* Solves what one copy counted, or adds it to the function's values. */
static bool solve_copy(struct rt_solver *s, uint32_t i_copy, uint32_t i_func,
                       const struct plan *plan) {
  struct rt_func *func = &s->funcs[i_func];
  const uint32_t n = s->object->image.funcs[i_func].n_counters;
  uint64_t *sums = s->values + func->first_value;
  uint64_t n_entries;

  if (func->n_copies > 1 && !is_solved_by_copy(func))
    return add_terms(s, i_copy, plan, sums, n);
  uint64_t *values = s->copy_values;
  for (uint32_t i = 0; i < n; i++)
    values[i] = 0;
  if (!add_terms(s, i_copy, plan, values, n))
    return false;
  if (is_zero(values, n))
    return true;
  uint64_t *counts = s->copy_counts;
  if (func->n_copies > 1)
    for (uint32_t i = 0; i < n; i++)
      sums[i] += values[i];
  else
    counts = s->counts + func->first_count;
  if (!solve_graph(s, i_func, values, counts,
                   func->n_copies > 1 ? &n_entries : &func->n_entries))
    return false;
  rt_calls_visit(s, i_func, i_copy, counts);
  return true;
}

/* Copies of a body lie side by side, so that its plan is solved once. */
static void solve_copies(struct rt_solver *s) {
  const struct arcline_body *last = NULL;
  struct plan plan;
  bool has_run = false;
  bool is_solved = false;

  for (uint32_t i = 0; i < s->n_copies; i++) {
    const struct arcline_body *body =
        rt_target(&s->object->image.copies[i].body);
    if (i == 0 || body != last) {
      const uint32_t i_body = rt_copy_body(s, i);
      last = body;
      has_run = i_body != RT_NONE && s->bodies[i_body].has_run;
      is_solved = has_run && solve_plan(s, i_body, &plan);
    }
    const uint32_t i_func = has_run ? rt_copy_func(s, i) : RT_NONE;
    if (i_func == RT_NONE || s->funcs[i_func].is_bad)
      continue;
    if (!is_solved || !solve_copy(s, i, i_func, &plan))
      s->funcs[i_func].is_bad = true;
  }
}

/* Functions with several copies. */
static void solve_sums(struct rt_solver *s) {
  for (uint32_t i = 0; i < s->n_funcs; i++) {
    struct rt_func *func = &s->funcs[i];
    const uint64_t *values = s->values + func->first_value;
    if (func->is_bad || !func->has_run || func->n_copies < 2 ||
        is_zero(values, s->object->image.funcs[i].n_counters))
      continue;
    const bool is_visited = is_solved_by_copy(func);
    uint64_t *counts = s->counts + func->first_count;
    if (!solve_graph(s, i, values, counts, &func->n_entries))
      func->is_bad = true;
    else if (!is_visited)
      rt_calls_visit(s, i, RT_NONE, counts);
  }
}

static size_t power_of_two(size_t at_least) {
  size_t n = 1;

  while (n < at_least)
    n *= 2;
  return n;
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
  s->sites = cut(arena, s->n_sites, sizeof *s->sites);
  s->first_sites = NULL;
  if (s->n_sites)
    s->first_sites = cut(arena, s->n_copies, sizeof *s->first_sites);
}

/* Returns how many bytes of the arrays will be used from start to end. */
static size_t cut_arrays(struct rt_solver *s, const struct rt_sizes *sizes,
                         struct arena *arena) {
  const size_t n_by_name = power_of_two(2 * sizes->n_names + 1);
  const size_t n_by_vaddr = power_of_two(2 * s->n_bodies + 1);
  const size_t n_nodes =
      sizes->max_nodes > sizes->max_plan ? sizes->max_nodes : sizes->max_plan;

  s->by_address.mask = s->by_text.mask = (uint32_t)(n_by_name - 1);
  s->by_vaddr_mask = (uint32_t)(n_by_vaddr - 1);
  s->by_address.slots = cut(arena, n_by_name, sizeof *s->by_address.slots);
  s->by_text.slots = cut(arena, n_by_name, sizeof *s->by_text.slots);
  s->by_vaddr = cut(arena, n_by_vaddr, sizeof *s->by_vaddr);
  s->values = cut(arena, sizes->n_values, sizeof *s->values);
  s->counts = cut(arena, sizes->n_counts, sizeof *s->counts);
  s->node_at = cut(arena, sizes->n_counts, sizeof *s->node_at);
  s->is_listed = cut(arena, sizes->n_nodes, sizeof *s->is_listed);
  s->is_taken = cut(arena, s->text_bytes / 64 + 1, sizeof *s->is_taken);
  const size_t n_used = arena->n_bytes;
  // Of these, as much as the function at hand needs.
  s->resolved = cut(arena, RT_N_RESOLVED, sizeof *s->resolved);
  s->copy_values = cut(arena, sizes->max_counters, sizeof *s->copy_values);
  s->copy_counts = cut(arena, sizes->max_nodes + 1, sizeof *s->copy_counts);
  s->calls = cut(arena, sizes->max_calls, sizeof *s->calls);
  s->edges = cut(arena, sizes->max_plan, sizeof *s->edges);
  s->edge_counts = cut(arena, sizes->max_plan, sizeof *s->edge_counts);
  s->nodes = cut(arena, n_nodes + 1, sizeof *s->nodes);
  return n_used;
}

/* The memory is released with the profile. */
static bool map(struct arena *arena, size_t n_used, struct rt_memory *out) {
  *out = (struct rt_memory){rt_take(arena->n_bytes), arena->n_bytes};
  *arena = (struct arena){.base = out->base};
  if (out->base)
    rt_fill(out->base, n_used);
  return out->base != NULL;
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
  struct rt_arc *scratch = rt_take((s->n_arcs + 1) * sizeof *scratch);

  if (!scratch)
    return -ENOMEM;
  out->n_arcs = rt_arcs_merge(s->arcs, s->n_arcs, scratch);
  rt_give(scratch, (s->n_arcs + 1) * sizeof *scratch);
  rt_give(out->arcs, out->n_arcs_room * sizeof *out->arcs);
  out->arcs = s->arcs;
  out->n_arcs_room = s->n_arcs_room;
  s->arcs = NULL;
  return 0;
}

/* Solves with all memory at hand but that of the result. */
static int solve(struct rt_solver *s, struct rt_profile *out) {
  // It grows as calls come up.
  s->n_arcs_room = s->profile->n_arcs + s->n_sites + s->n_funcs + 1;
  s->arcs = rt_take(s->n_arcs_room * sizeof *s->arcs);
  if (!s->arcs)
    return -ENOMEM;
  if (!s->is_fixing_sites) {
    rt_names_prepare(s);
    rt_blocks_locate(s);
  }
  if (rt_calls_prepare(s))
    return -ENOMEM;
  keep_arcs(s);
  solve_copies(s);
  solve_sums(s);
  if (!s->is_fixing_sites) {
    rt_calls_finish(s);
    rt_blocks_begin(s);
    out->blocks = &s->blocks;
  }
  return s->is_out_of_memory ? -ENOMEM : replace_arcs(s, out);
}

static void describe(const struct rt_object *object, struct rt_solver *out) {
  const struct rt_image *image = &object->image;

  out->object = object;
  out->n_funcs =
      n_records(image->funcs, image->funcs_end, sizeof *image->funcs);
  out->n_bodies =
      n_records(image->bodies, image->bodies_end, sizeof *image->bodies);
  out->n_copies =
      n_records(image->copies, image->copies_end, sizeof *image->copies);
  out->n_sites =
      n_records(image->sites, image->sites_end, sizeof *image->sites);
  out->text_low = object->texts[0].low_vaddr;
  out->text_bytes =
      object->texts[object->n_texts - 1].high_vaddr - out->text_low;
}

static int solve_profile(const struct rt_object *object, bool is_fixing_sites,
                         struct rt_profile *out) {
  struct rt_solver measured = {0};
  struct arena arena = {0};
  struct rt_sizes sizes = {0};

  describe(object, &measured);
  if (is_fixing_sites ? !measured.n_sites
                      : !measured.n_funcs && !measured.n_sites)
    return 0;
  cut(&arena, 1, sizeof measured);
  cut_records(&measured, &arena);
  if (!map(&arena, arena.n_bytes, &out->solved[0]))
    return -ENOMEM;
  struct rt_solver *s = cut(&arena, 1, sizeof *s);
  describe(object, s);
  s->profile = out;
  s->is_fixing_sites = is_fixing_sites;
  cut_records(s, &arena);
  rt_records_read(s, &sizes);
  arena = (struct arena){0};
  const size_t n_used = cut_arrays(s, &sizes, &arena);
  if (!map(&arena, n_used, &out->solved[1]))
    return -ENOMEM;
  cut_arrays(s, &sizes, &arena);
  const int rc = solve(s, out);
  if (s->arcs)
    rt_give(s->arcs, s->n_arcs_room * sizeof *s->arcs);
  rt_calls_release(s);
  return rc;
}

int rt_profile_solve(const struct rt_object *object, struct rt_profile *out) {
  return solve_profile(object, false, out);
}

int rt_profile_fix_sites(const struct rt_object *object,
                         struct rt_profile *out) {
  return solve_profile(object, true, out);
}
