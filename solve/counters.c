/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What reports ask for besides the profile; no program is linked with it. */
#include "solve/solver.h"

/* Where counters go. */
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

uint64_t solve_func_vaddr(const struct solver *s, size_t i) {
  return s->funcs[i].vaddr;
}

uint64_t solve_node_vaddr(const struct solver *s, size_t i_func,
                          uint32_t node) {
  const struct solve_func *func = &s->funcs[i_func];
  const uint32_t at =
      func->first_count == SOLVE_NONE || node >= func->record.head.n_nodes
          ? 0
          : s->node_at[func->first_count + node];

  return at ? s->text_low + at - 1 : 0;
}
