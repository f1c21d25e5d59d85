/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads the decisions of source functions (arcline/decisions.h), and computes
 * how often each condition determined the outcome of its decision, from counts
 * of edges and of cells. Functions that were not built with --arcline-mcdc have
 * none.
 */
#ifndef ARCLINE_FLOW_DECISION_H
#define ARCLINE_FLOW_DECISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/decisions.h"

struct arcline_cursor;
struct flow_data;
struct flow_func;

/** A condition. By the ways of its choice: [1] is the first one. */
struct flow_condition {
  size_t i_choice; /* index into flow_data.choices */
  struct arcline_condition targets;
  bool is_inverted;    /* the first way is taken if it is false */
  uint64_t decided[2]; /* times that it was not masked */
};

struct flow_decision {
  size_t first_condition; /* index into flow_data.conditions */
  uint32_t n_conditions;  /* that it has; if not counted, one is listed */
  bool is_counted;        /* otherwise too large, or of unknown structure */
};

/** Times that a condition was evaluated, by the way that was taken. */
uint64_t flow_condition_count(const struct flow_data *flow,
                              const struct flow_condition *condition,
                              unsigned way);

/** Results of flow_decisions_read(). */
enum { FLOW_DECISIONS_DAMAGED = -1, FLOW_DECISIONS_NO_MEMORY = -2 };

/** Read the decisions of a function whose edges and choices are the last ones.
 * Returns 0 or one of these. */
int flow_decisions_read(struct flow_data *flow, struct flow_func *func,
                        struct arcline_cursor *cursor);

/** Compute the counts of a function whose edges have theirs.
 *
 * counters  of the function. */
void flow_decisions_solve(struct flow_data *flow, const struct flow_func *func,
                          const uint64_t *counters);

#endif
