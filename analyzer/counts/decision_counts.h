/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Counts the conditions of decisions: how often each was false and true, and
 * how often it determined the outcome of its decision then. Programs that were
 * not built with --arcline-mcdc have none. The decisions of several instances
 * of one function are added up as one, as branches are (branch_counts.h).
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_DECISION_COUNTS_H
#define ARCLINE_DECISION_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counts/flow_line.h"

struct err;
struct flow_data;

/** A condition. Counts are of its values false and true. */
struct condition_count {
  struct flow_line pos;
  uint32_t column;     /* 0: unknown */
  uint64_t n_times[2]; /* evaluated */
  uint64_t decided[2]; /* of these: it determined the outcome */
};

struct decision_count {
  struct flow_line pos;
  uint32_t column;
  size_t first_condition; /* index into decision_counts.conditions */
  uint32_t n_conditions;  /* that the source has */
  bool is_counted;        /* otherwise no conditions are listed */
};

/** All decisions, in order of file, line and column. All zero is empty. */
struct decision_counts {
  struct decision_count *decisions;
  size_t n_decisions;
  struct condition_count *conditions; /* in order of evaluation */
  size_t n_conditions;
};

/** Is it a decision in the sense of MC/DC, which a condition alone is not? */
static inline bool decision_has_several(const struct decision_count *decision) {
  return decision->n_conditions > 1;
}

/** Number of values by which a condition determined an outcome: 0 to 2. */
static inline unsigned
condition_n_decided(const struct condition_count *condition) {
  return (condition->decided[0] > 0 ? 1u : 0u) +
         (condition->decided[1] > 0 ? 1u : 0u);
}

/** Is the independent effect of a condition shown? */
static inline bool
condition_is_covered(const struct condition_count *condition) {
  return condition_n_decided(condition) == 2;
}

/** Conditions, and those that are covered. */
struct decision_totals {
  size_t n_outcomes, n_outcomes_covered; /* two of each condition */
  size_t n_conditions, n_covered;        /* of decisions that have several */
  size_t n_not_counted;                  /* decisions */
};

/** Add a decision to totals. */
void decision_totals_add(const struct decision_counts *counts,
                         const struct decision_count *decision,
                         struct decision_totals *totals);

/**
 * Collect the decisions of all functions.
 *
 * flow  solved; lends the numbers of files.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int decision_counts_build(const struct flow_data *flow,
                          struct decision_counts *out, struct err *err);

/** Free; an empty one may be released too. */
void decision_counts_release(struct decision_counts *counts);

#endif
