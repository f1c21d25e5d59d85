/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/flow_decision.h"

#include "base/array.h"
#include "counts/flow_data.h"
#include "solve/flow.h"

/** The edge that a condition takes by a way. */
static const struct arcline_edge *
edge_of(const struct flow_data *flow, const struct flow_condition *condition,
        unsigned way) {
  const struct arcline_edge *edge =
      &flow->edges[flow->choices[condition->i_choice].first_edge];

  if (way == 1)
    return edge;
  do
    edge++;
  while (edge->kind != ARCLINE_EDGE_BRANCH);
  return edge;
}

uint64_t flow_condition_count(const struct flow_data *flow,
                              const struct flow_condition *condition,
                              unsigned way) {
  return edge_of(flow, condition, way)->count;
}

/** Counters of a function that count edges; those of decisions follow. */
static uint32_t count_edge_counters(const struct flow_data *flow,
                                    const struct flow_func *func) {
  uint32_t n = 0;

  for (uint32_t i = 0; i < func->n_edges; i++)
    n += flow->edges[func->first_edge + i].counter != ARCLINE_NO_COUNTER;
  return n;
}

/** The structure of a decision, with the ends that it has. */
struct shape {
  struct arcline_condition conditions[ARCLINE_MAX_CONDITIONS];
  struct arcline_end ends[ARCLINE_MAX_CONDITIONS][2];
  struct arcline_values counted;
};

static void find_shape(const struct flow_data *flow,
                       const struct flow_decision *decision,
                       struct shape *out) {
  const uint32_t n = decision->n_conditions;
  struct arcline_values may[ARCLINE_MAX_CONDITIONS];

  for (uint32_t i = 0; i < n; i++)
    out->conditions[i] =
        flow->conditions[decision->first_condition + i].targets;
  arcline_find_ends(out->conditions, n, out->ends, may);
  out->counted =
      arcline_find_counted((const struct arcline_end(*)[2])out->ends, n);
}

// --- Reading ---

/** Read a target of condition i of n. */
static bool read_target(struct arcline_cursor *cursor, uint32_t i, uint32_t n,
                        uint8_t *out) {
  const uint64_t target = arcline_read_uleb(cursor);

  if (target < 2)
    *out = (uint8_t)(ARCLINE_OUTCOME_0 + target);
  else if (target - 1 < n - i)
    *out = (uint8_t)(i + target - 1);
  else
    return false;
  return true;
}

/** Read a condition, number i of n. */
static bool read_condition(const struct flow_data *flow,
                           const struct flow_func *func,
                           struct arcline_cursor *cursor, uint32_t i,
                           const struct flow_decision *decision,
                           int64_t *number, struct flow_condition *out) {
  *number += arcline_unzigzag(arcline_read_uleb(cursor));
  if (*number < 0 || *number >= (int64_t)func->n_choices)
    return false;
  *out =
      (struct flow_condition){.i_choice = func->first_choice + (size_t)*number};
  if (flow->choices[out->i_choice].n_ways != 2)
    return false;
  if (decision->is_counted)
    for (unsigned way = 0; way < 2; way++)
      if (!read_target(cursor, i, decision->n_conditions,
                       &out->targets.to[way]))
        return false;
  out->is_inverted = decision->is_counted && arcline_read_u32(cursor) != 0;
  return !cursor->bad;
}

static int read_decision(struct flow_data *flow, const struct flow_func *func,
                         struct arcline_cursor *cursor, int64_t *number,
                         struct flow_decision *out) {
  const uint32_t head = arcline_read_u32(cursor);

  *out = (struct flow_decision){.first_condition = flow->n_conditions,
                                .n_conditions = head >> 1,
                                .is_counted = head & 1};
  if (cursor->bad || out->n_conditions == 0 ||
      (out->is_counted && out->n_conditions > ARCLINE_MAX_CONDITIONS))
    return FLOW_DECISIONS_DAMAGED;
  const uint32_t n = out->is_counted ? out->n_conditions : 1;
  for (uint32_t i = 0; i < n; i++) {
    struct flow_condition *const conditions =
        array_grow(flow->conditions, flow->n_conditions, &flow->max_conditions,
                   sizeof(*conditions));
    if (!conditions)
      return FLOW_DECISIONS_NO_MEMORY;
    flow->conditions = conditions;
    if (!read_condition(flow, func, cursor, i, out, number,
                        &conditions[flow->n_conditions++]))
      return FLOW_DECISIONS_DAMAGED;
  }
  return 0;
}

/** Number of counters of a decision. */
static uint32_t count_counters(const struct flow_data *flow,
                               const struct flow_decision *decision) {
  struct shape shape;

  if (!decision->is_counted || decision->n_conditions == 1)
    return 0;
  find_shape(flow, decision, &shape);
  return (uint32_t)(__builtin_popcountll(shape.counted.set[0]) +
                    __builtin_popcountll(shape.counted.set[1]));
}

int flow_decisions_read(struct flow_data *flow, struct flow_func *func,
                        struct arcline_cursor *cursor) {
  uint64_t n_counters = count_edge_counters(flow, func);
  int64_t number = 0;

  while (cursor->at != cursor->end) {
    struct flow_decision *const decisions =
        array_grow(flow->decisions, flow->n_decisions, &flow->max_decisions,
                   sizeof(*decisions));
    if (!decisions)
      return FLOW_DECISIONS_NO_MEMORY;
    flow->decisions = decisions;
    struct flow_decision *const decision = &decisions[flow->n_decisions];
    const int rc = read_decision(flow, func, cursor, &number, decision);
    if (rc != 0)
      return rc;
    flow->n_decisions++;
    func->n_decisions++;
    n_counters += count_counters(flow, decision);
    if (n_counters > func->n_counters)
      return FLOW_DECISIONS_DAMAGED;
  }
  return 0;
}

// --- Counting ---

/** Add the count of an end to the conditions that are never masked there. */
static void add_end(struct flow_condition *conditions, uint32_t n,
                    const struct arcline_end *end, uint64_t count) {
  for (uint32_t i = 0; i < n; i++)
    for (unsigned way = 0; way < 2; way++)
      if (end->always.set[way] >> i & 1)
        conditions[i].decided[way] += count;
}

/** Returns the number of counters of the decision. */
static uint32_t solve_decision(const struct flow_data *flow,
                               const struct flow_decision *decision,
                               const uint64_t *counters) {
  struct flow_condition *const conditions =
      &flow->conditions[decision->first_condition];
  const uint32_t n = decision->n_conditions;
  uint32_t next = 0;
  struct shape shape;

  if (!decision->is_counted)
    return 0;
  find_shape(flow, decision, &shape);
  for (uint32_t i = 0; i < n; i++)
    for (unsigned way = 0; way < 2; way++)
      add_end(conditions, n, &shape.ends[i][way],
              flow_condition_count(flow, &conditions[i], way));
  for (uint32_t i = 0; i < n; i++)
    for (unsigned way = 0; way < 2; way++)
      if (shape.counted.set[way] >> i & 1) {
        const uint64_t count = counters[next++];
        // As counts of edges in a profile of a running program.
        if ((int64_t)count > 0)
          conditions[i].decided[way] += count;
      }
  return next;
}

void flow_decisions_solve(struct flow_data *flow, const struct flow_func *func,
                          const uint64_t *counters) {
  counters += count_edge_counters(flow, func);
  for (uint32_t i = 0; i < func->n_decisions; i++)
    counters += solve_decision(flow, &flow->decisions[func->first_decision + i],
                               counters);
}
