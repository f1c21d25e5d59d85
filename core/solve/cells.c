/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Computes the values of counters from cells: solves each body's plan, and adds
   up the counts of its copies of source functions. */
#include "solve/solver.h"

/* Limits decoding to the bytes of the data, plus the parts that valid data has
   decoded twice. */
static bool may_work(struct solver *s, uint64_t n) {
  const bool is_allowed = n <= s->work_left;

  s->work_left -= is_allowed ? n : 0;
  return is_allowed;
}

static enum solve_reason read_plan(struct solver *s, size_t i_body,
                                   struct solve_plan *out) {
  const struct arcline_body *record = &solve_body_records(s->image)[i_body];
  const uint64_t *cells = s->input.cells + solve_first_cell(s->image, record);
  struct arcline_plan_head head;

  // Without a plan, each cell is an edge.
  *out = (struct solve_plan){.counts = cells, .n_edges = record->n_cells};
  if (!record->plan_bytes)
    return SOLVE_FINE;
  const uint8_t *plan = solve_find_data(s->image, SOLVE_BODIES, &record->plan,
                                        record->plan_bytes);
  if (!plan)
    return SOLVE_PLAN_OUTSIDE;
  if (!may_work(s, record->plan_bytes))
    return SOLVE_OVERLAP;
  out->copies = (struct arcline_cursor){plan, plan + record->plan_bytes, 0};
  out->lists_copies = true;
  if (arcline_read_plan_head(&out->copies, record->n_cells, &head))
    return SOLVE_PLAN_HEAD;
  out->counts = s->edge_counts;
  out->n_edges = head.n_edges;
  return solve_flow_plan(&out->copies, &head, cells, record->n_cells, s->edges,
                         s->nodes, s->edge_counts)
             ? SOLVE_PLAN
             : SOLVE_FINE;
}

static bool solve_plan(struct solver *s, size_t i_body,
                       struct solve_plan *out) {
  const enum solve_reason reason = read_plan(s, i_body, out);

  return reason == SOLVE_FINE || solve_damaged(s, SOLVE_BODIES, i_body, reason);
}

/* Reads the plan's terms of its next copy. */
static bool next_copy(struct solver *s, uint32_t i_copy, uint32_t i_func,
                      struct solve_plan *plan) {
  const uint32_t n_left = plan->n_edges - plan->next_edge;

  if (plan->lists_copies) {
    if (!solve_flow_copy(&plan->copies, plan->counts, plan->n_edges,
                         &plan->next_edge, &plan->copy))
      return true;
  } else if (i_func != SOLVE_NONE) {
    const uint32_t n = solve_func_records(s->image)[i_func].n_counters;
    if (n <= n_left) {
      plan->copy =
          (struct arcline_copy_terms){plan->counts + plan->next_edge, n, {0}};
      plan->next_edge += n;
      return true;
    }
  }
  return solve_damaged(s, SOLVE_COPIES, i_copy, SOLVE_EDGES_OUTSIDE);
}

bool solve_copy_add(struct solver *s, uint32_t i_copy,
                    const struct solve_plan *plan, uint64_t *values,
                    uint32_t n) {
  if (!may_work(s, plan->copy.n_edges))
    return solve_damaged(s, SOLVE_COPIES, i_copy, SOLVE_OVERLAP);
  return !solve_flow_terms(&plan->copy, values, n) ||
         solve_damaged(s, SOLVE_COPIES, i_copy, SOLVE_TERMS);
}

/* Copies of a body are adjacent, so that its plan is solved once. */
void solve_each_copy(struct solver *s,
                     bool (*visit)(struct solver *s, uint32_t i_copy,
                                   uint32_t i_func,
                                   const struct solve_plan *plan,
                                   void *context),
                     void *context) {
  for (size_t i_run = 0; i_run < s->n_runs; i_run++) {
    const struct solve_run *run = &s->runs[i_run];
    struct solve_plan plan;
    bool is_solved = solve_plan(s, run->i_body, &plan);
    for (uint32_t i = run->first; i < run->end; i++) {
      const uint32_t i_func = solve_copy_func(s, i);
      // After a damaged one, the beginning of the next one is unknown.
      is_solved = is_solved && next_copy(s, i, i_func, &plan);
      struct solve_func *func =
          i_func == SOLVE_NONE ? NULL : solve_opened(s, i_func);
      if (!func || func->is_bad)
        continue;
      if (!is_solved || !visit(s, i, i_func, &plan, context))
        func->is_bad = true;
    }
  }
}
