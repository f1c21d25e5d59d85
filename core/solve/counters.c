/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Computes counts for reports that are not in the profile. Not linked into
   programs. */
#include "solve/solver.h"

/* The sums of counters. */
struct totals {
  uint64_t *counters;
  const size_t *first_counter;
};

static bool add_copy(struct solver *s, uint32_t i_copy, uint32_t i_func,
                     const struct solve_plan *plan, void *context) {
  const struct totals *totals = context;

  return solve_copy_add(s, i_copy, plan,
                        totals->counters + totals->first_counter[i_func],
                        solve_func_records(s->image)[i_func].n_counters);
}

void solve_counters(struct solver *s, uint64_t *counters,
                    const size_t *first_counter) {
  struct totals totals = {counters, first_counter};

  solve_each_copy(s, add_copy, &totals);
}

/* A function to call for each copy. */
struct visitor {
  void (*visit)(void *context, const struct solve_copy_counts *copy);
  void *context;
};

static bool visit_copy(struct solver *s, uint32_t i_copy, uint32_t i_func,
                       const struct solve_plan *plan, void *context) {
  const struct visitor *visitor = context;
  const struct solve_body *body = &s->bodies[s->copies[i_copy].i_body];
  const struct solve_func *func = solve_opened(s, i_func);
  const uint32_t n_counters = solve_func_records(s->image)[i_func].n_counters;
  struct arcline_cursor cursor = func->record.aliases;
  struct solve_copy_counts copy = {.i_func = i_func,
                                   .body_vaddr = body->vaddr,
                                   .is_own = body->i_func == i_func,
                                   .counts = s->copy_counts};

  for (uint32_t i = 0; i < n_counters; i++)
    s->copy_values[i] = 0;
  if (!solve_copy_add(s, i_copy, plan, s->copy_values, n_counters))
    return true; // reported when counters were added up
  arcline_skip_numbers(&cursor, func->record.n_aliases);
  if (solve_flow_graph(&cursor, &func->record.head, s->copy_values, n_counters,
                       s->nodes, s->copy_counts, &copy.n_entries))
    return true;
  for (uint32_t i = 0; i < func->record.head.n_nodes; i++)
    if ((int64_t)s->copy_counts[i] < 0)
      s->copy_counts[i] = 0;
  if ((int64_t)copy.n_entries < 0)
    copy.n_entries = 0;
  visitor->visit(visitor->context, &copy);
  return true;
}

void solve_visit_copies(struct solver *s,
                        void (*visit)(void *context,
                                      const struct solve_copy_counts *copy),
                        void *context) {
  struct visitor visitor = {visit, context};

  solve_each_copy(s, visit_copy, &visitor);
}

uint64_t solve_func_vaddr(const struct solver *s, size_t i) {
  return solve_own_vaddr(s, (uint32_t)i);
}

uint64_t solve_node_vaddr(const struct solver *s, size_t i_func,
                          uint32_t node) {
  const struct solve_func *func = solve_opened(s, (uint32_t)i_func);
  const uint32_t at = !func || func->first_count == SOLVE_NONE ||
                              node >= func->record.head.n_nodes
                          ? 0
                          : s->node_at[func->first_count + node];

  return at ? s->text_low + at - 1 : 0;
}
