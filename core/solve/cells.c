/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Computes the values of counters from cells: solves each body's plan, and adds
   up the counts of its copies of source functions. */
#include "solve/solver.h"

/* Limits the edges that are visited to what valid data has. */
static bool may_work(struct solver *s, uint64_t n) {
  const bool is_allowed = n <= s->work_left;

  s->work_left -= is_allowed ? n : 0;
  return is_allowed;
}

static enum solve_reason read_plan(struct solver *s, size_t i_body,
                                   struct solve_plan *out) {
  const struct arcline_body *record = &solve_body_records(s->image)[i_body];
  const uint64_t *cells = s->input.cells + solve_first_cell(s->image, record);
  struct solve_body_data data;
  struct arcline_plan_head head;

  // Without a plan, each cell is an edge.
  *out = (struct solve_plan){.counts = cells, .n_edges = record->n_cells};
  const enum solve_reason reason = solve_read_body(s->image, record, &data);
  if (reason != SOLVE_FINE || data.plan.at == data.plan.end)
    return reason;
  out->copies = data.plan;
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
static bool next_copy(struct solver *s, uint32_t i_body, uint32_t i_func,
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
  return solve_damaged(s, SOLVE_BODIES, i_body, SOLVE_EDGES_OUTSIDE);
}

bool solve_copy_add(struct solver *s, uint32_t i_copy,
                    const struct solve_plan *plan, uint64_t *values,
                    uint32_t n) {
  const uint32_t i_body = s->copies[i_copy].i_body;

  if (!may_work(s, plan->copy.n_edges))
    return solve_damaged(s, SOLVE_BODIES, i_body, SOLVE_OVERLAP);
  return !solve_flow_terms(&plan->copy, values, n) ||
         solve_damaged(s, SOLVE_BODIES, i_body, SOLVE_TERMS);
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
      const uint32_t i_func = s->copies[i].i_func;
      // After a damaged one, the beginning of the next one is unknown.
      is_solved = is_solved && next_copy(s, run->i_body, i_func, &plan);
      struct solve_func *func =
          i_func == SOLVE_NONE ? NULL : solve_opened(s, i_func);
      if (!func || func->is_bad)
        continue;
      if (!is_solved || !visit(s, i, i_func, &plan, context))
        func->is_bad = true;
    }
  }
}
