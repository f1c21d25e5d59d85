/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counters -> counts of nodes: solves each function's graph. A function whose
   data does not add up is left out. */
#include "solve/solver.h"

enum { FIRST_ARCS = 16 }; /* room for arcs beside the input's */

static bool is_zero(const uint64_t *numbers, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (numbers[i])
      return false;
  return true;
}

/* Computes node counts from values of counters, and reads the calls. Returns
   false if that fails. */
static bool solve_graph(struct solver *s, uint32_t i_func,
                        const uint64_t *values, uint64_t *counts,
                        uint64_t *n_entries) {
  const uint32_t n_counters = solve_func_records(s->image)[i_func].n_counters;
  struct solve_func *func = solve_opened(s, i_func);
  struct arcline_cursor cursor = func->record.aliases;

  arcline_skip_numbers(&cursor, func->record.n_aliases);
  if (solve_flow_graph(&cursor, &func->record.head, values, n_counters,
                       s->nodes, counts, n_entries) ||
      !solve_calls_read(s, func, cursor))
    return solve_damaged(s, SOLVE_FUNCS, i_func, SOLVE_GRAPH);
  func->is_leaf = s->n_calls == 0;
  // Cells that were read while the function ran may contradict one another and
  // give a count below zero.
  for (uint32_t i = 0; i < func->record.head.n_nodes; i++)
    if ((int64_t)counts[i] < 0)
      counts[i] = 0;
  return true;
}

/* Do calls have to be distinguished by the copy that made them? */
static bool is_solved_by_copy(const struct solve_func *func) {
  return func->n_copies > 1 && !func->is_leaf &&
         (func->has_sites || !func->vaddr);
}

/* Solves what one copy counted, or adds it to the function's values. */
static bool solve_copy(struct solver *s, uint32_t i_copy, uint32_t i_func,
                       const struct solve_plan *plan, void *context) {
  struct solve_func *func = solve_opened(s, i_func);
  const uint32_t n = solve_func_records(s->image)[i_func].n_counters;
  uint64_t *sums = s->values + func->first_value;
  uint64_t n_entries;

  (void)context;
  if (func->n_copies > 1 && !is_solved_by_copy(func))
    return solve_copy_add(s, i_copy, plan, sums, n);
  uint64_t *values = s->copy_values;
  for (uint32_t i = 0; i < n; i++)
    values[i] = 0;
  if (!solve_copy_add(s, i_copy, plan, values, n))
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
  solve_calls_visit(s, i_func, i_copy, counts);
  return true;
}

/* Functions with several copies. */
static void solve_sums(struct solver *s) {
  // Calls open functions, which have not run.
  const size_t n = s->n_open;

  for (size_t i = 0; i < n; i++) {
    struct solve_func *func = &s->funcs[i];
    const uint32_t i_func = func->i_func;
    const uint64_t *values = s->values + func->first_value;
    if (func->is_bad || !func->has_run || func->n_copies < 2 ||
        is_zero(values, solve_func_records(s->image)[i_func].n_counters))
      continue;
    const bool is_visited = is_solved_by_copy(func);
    uint64_t *counts = s->counts + func->first_count;
    if (!solve_graph(s, i_func, values, counts, &func->n_entries))
      func->is_bad = true;
    else if (!is_visited)
      solve_calls_visit(s, i_func, SOLVE_NONE, counts);
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

static void cut_records(struct solver *s, struct arena *arena) {
  s->heads = cut(arena, s->n_funcs + 1, sizeof(*s->heads));
  s->bodies = cut(arena, s->n_bodies, sizeof(*s->bodies));
}

/* Returns how many bytes will be used from start to end. */
static size_t cut_copies(struct solver *s, struct arena *arena) {
  s->runs = cut(arena, s->max_runs, sizeof(*s->runs));
  s->copies = cut(arena, s->max_copies, sizeof(*s->copies));
  if (s->n_sites)
    s->first_sites = cut(arena, s->max_copies, sizeof(*s->first_sites));
  const size_t n_used = arena->n_bytes;
  // Of these, as much as is needed.
  s->sites = cut(arena, s->n_sites, sizeof(*s->sites));
  s->funcs = cut(arena, s->n_funcs, sizeof(*s->funcs));
  return n_used;
}

/* Returns how many bytes of the arrays will be used from start to end. */
static size_t cut_arrays(struct solver *s, const struct solve_sizes *sizes,
                         struct arena *arena) {
  const size_t n_names = s->n_funcs + s->n_aliases;
  const size_t n_by_name = power_of_two(n_names + n_names / 2 + 1);
  const size_t n_by_vaddr = power_of_two(2 * s->n_bodies + 1);
  const size_t n_resolved =
      n_by_name < SOLVE_MAX_RESOLVED ? n_by_name : SOLVE_MAX_RESOLVED;

  s->resolved_mask = (uint32_t)(n_resolved - 1);
  s->by_address.mask = s->by_text.mask = (uint32_t)(n_by_name - 1);
  s->by_vaddr_mask = (uint32_t)(n_by_vaddr - 1);
  s->by_address.slots = cut(arena, n_by_name, sizeof(*s->by_address.slots));
  s->by_vaddr = cut(arena, n_by_vaddr, sizeof(*s->by_vaddr));
  s->values = cut(arena, sizes->n_values, sizeof(*s->values));
  s->counts = cut(arena, sizes->n_counts, sizeof(*s->counts));
  s->node_at = cut(arena, sizes->n_counts, sizeof(*s->node_at));
  s->pair_at = cut(arena, sizes->n_counts, sizeof(*s->pair_at));
  const size_t n_used = arena->n_bytes;
  // Of these, as much as is needed. Arrays that are larger than what is used
  // of them come last, so that the others are on few pages.
  s->copy_values = cut(arena, sizes->max_counters, sizeof(*s->copy_values));
  s->edges = cut(arena, sizes->max_plan_edges, sizeof(*s->edges));
  s->edge_counts = cut(arena, sizes->max_plan_edges, sizeof(*s->edge_counts));
  s->nodes = cut(arena, sizes->max_nodes + 1, sizeof(*s->nodes));
  s->by_text.slots = cut(arena, n_by_name, sizeof(*s->by_text.slots));
  s->resolved = cut(arena, n_resolved, sizeof(*s->resolved));
  s->calls = cut(arena, sizes->max_calls, sizeof(*s->calls));
  s->copy_counts =
      cut(arena, sizes->max_graph_nodes + 1, sizeof(*s->copy_counts));
  return n_used;
}

static void *allocate(struct solver *s, size_t n_bytes) {
  return s->input.alloc(n_bytes, 0);
}

/* A few bodies use little of the arrays. */
static bool map(const struct solve_input *input, struct arena *arena,
                size_t n_used, struct solve_memory *out) {
  const size_t n_bytes = arena->n_bytes ? arena->n_bytes : 1; // not NULL

  *out = (struct solve_memory){
      input->alloc(n_bytes, input->bodies ? 0 : n_used), n_bytes};
  *arena = (struct arena){.base = out->base};
  return out->base != NULL;
}

static void describe(const struct solve_input *input, struct solver *out) {
  const struct solve_image *image = input->image;

  out->input = *input;
  out->image = image;
  out->n_cells = image->sections[SOLVE_CELLS].n_bytes / sizeof(uint64_t);
  out->n_cells_left = out->n_cells;
  out->n_data_left = image->sections[SOLVE_PLANS].n_bytes;
  out->work_left = 8 * ((uint64_t)image->sections[SOLVE_PLANS].n_bytes +
                        image->sections[SOLVE_CELLS].n_bytes);
  out->n_funcs = solve_n_func_records(image);
  out->n_bodies = solve_n_body_records(image);
  out->n_sites = solve_n_site_records(image);
  out->text_low = image->texts[0].low;
  out->text_bytes = image->texts[image->n_texts - 1].high - out->text_low;
}

/* Apart from the records of functions and bodies, since the size depends on
   which bodies have run. */
static bool map_copies(struct solver *s) {
  struct arena arena = {0};
  const size_t n_used = cut_copies(s, &arena);

  if (!map(&s->input, &arena, n_used, &s->copies_memory))
    return false;
  cut_copies(s, &arena);
  return true;
}

static bool map_arrays(struct solver *s, const struct solve_sizes *sizes) {
  struct arena arena = {0};
  const size_t n_used = cut_arrays(s, sizes, &arena);

  if (!map(&s->input, &arena, n_used, &s->arrays))
    return false;
  cut_arrays(s, sizes, &arena);
  return true;
}

static bool read_records(struct solver *s) {
  struct solve_sizes sizes = {0};

  solve_bodies_read(s);
  if (!map_copies(s))
    return false;
  solve_copies_read(s, &sizes);
  return map_arrays(s, &sizes);
}

struct solver *solve_open(const struct solve_input *input) {
  struct solver measured = {0};
  struct solve_memory memory;
  struct arena arena = {0};

  describe(input, &measured);
  cut(&arena, 1, sizeof(measured));
  cut_records(&measured, &arena);
  if (!map(input, &arena, arena.n_bytes, &memory))
    return NULL;
  struct solver *s = cut(&arena, 1, sizeof(*s));
  describe(input, s);
  s->records = memory;
  cut_records(s, &arena);
  if (read_records(s))
    return s;
  solve_close(s);
  return NULL;
}

void solve_close(struct solver *s) {
  if (!s)
    return;
  const struct solve_memory records = s->records;
  void (*const free_memory)(void *memory, size_t n_bytes) = s->input.free;
  free_memory(s->arrays.base, s->arrays.n_bytes);
  free_memory(s->copies_memory.base, s->copies_memory.n_bytes);
  free_memory(records.base, records.n_bytes);
}

/* Arcs from sites were needed to solve; they are no arcs for a file. */
static void keep_arcs(struct solver *s) {
  for (size_t i = 0; i < s->input.n_arcs; i++) {
    const struct solve_arc *arc = &s->input.arcs[i];
    if (s->is_fixing_sites ||
        arc->from - s->image->sections[SOLVE_SITES].vaddr >=
            s->image->sections[SOLVE_SITES].n_bytes)
      s->out.arcs[s->out.n++] = *arc;
  }
}

static int merge_arcs(struct solver *s) {
  const size_t n_bytes = (s->out.n + 1) * sizeof(struct solve_arc);
  struct solve_arc *scratch = allocate(s, n_bytes);

  if (!scratch)
    return -1;
  s->out.n = solve_arcs_merge(s->out.arcs, s->out.n, scratch);
  s->input.free(scratch, n_bytes);
  return 0;
}

static int solve_all(struct solver *s) {
  // It grows as calls come up.
  s->out.n_room = s->input.n_arcs + s->n_open + FIRST_ARCS;
  s->out.arcs = allocate(s, s->out.n_room * sizeof(*s->out.arcs));
  if (!s->out.arcs)
    return -1;
  if (!s->is_fixing_sites) {
    solve_names_prepare(s);
    if (solve_locate(s))
      return -1;
  }
  if (solve_calls_prepare(s))
    return -1;
  keep_arcs(s);
  solve_each_copy(s, solve_copy, NULL);
  solve_sums(s);
  if (!s->is_fixing_sites)
    solve_calls_finish(s);
  return s->is_out_of_memory || merge_arcs(s) ? -1 : 0;
}

static int solve(struct solver *s, struct solve_arcs *out) {
  const int rc = solve_all(s);

  s->input.free(s->mcounted, s->n_mcounted_room * sizeof(*s->mcounted));
  if (rc)
    s->input.free(s->out.arcs, s->out.n_room * sizeof(*s->out.arcs));
  *out = rc ? (struct solve_arcs){0} : s->out;
  return rc;
}

int solve_profile(struct solver *s, struct solve_arcs *out) {
  return solve(s, out);
}

int solve_sites(struct solver *s, struct solve_arcs *out) {
  s->is_fixing_sites = true;
  return solve(s, out);
}
