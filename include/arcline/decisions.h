/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Computes which conditions of a decision are masked: the rule that the pass
 * counts by and the analyzer reads by. docs/GCOV.md, "MC/DC", defines it.
 *
 * A decision is an expression of conditions joined by && || ! ?:, evaluated
 * from left to right. Each condition leads, by its value, to a later condition
 * or to an outcome. The left side of && or || ends at condition i if one value
 * leads to i + 1, where the right side begins, and the other one to X, past the
 * right side. If the right side leads to X as well, its value determines the
 * result, whatever the left side was: all conditions of the left side are
 * masked.
 *
 * Valid C and C++; no memory but the caller's.
 */
#ifndef ARCLINE_DECISIONS_H
#define ARCLINE_DECISIONS_H

#include <stdint.h>

#define ARCLINE_MAX_CONDITIONS 64

/**
 * The id of a function's entry of decisions in ARCLINE_SECTION_LINES. The entry
 * is encoded as arcline/encoding.h has it; until its end:
 *
 *   n_conditions << 1 | is_counted
 *   n_conditions times if is_counted, else once:
 *     Z(number - number before)
 *                   of a choice: a node for which a place is in the entry of
 *                   lines; starts at 0
 *     2 targets     if is_counted: by the second way, by the first. 0, 1 are
 *                   the outcomes; else the distance to a later condition + 1
 *     is_inverted   if is_counted: the condition is false by the first way
 *
 * Counters of decisions follow those of edges.
 */
static inline uint64_t arcline_decisions_id(uint64_t func_id) {
  return func_id * 0x9e3779b97f4a7c15 + 1;
}

/** Targets of a condition: a condition, or one of these. */
#define ARCLINE_OUTCOME_0 (ARCLINE_MAX_CONDITIONS + 0)
#define ARCLINE_OUTCOME_1 (ARCLINE_MAX_CONDITIONS + 1)

/** A condition; the i-th one leads to conditions after i only. */
struct arcline_condition {
  uint8_t to[2]; /* target if it is false, true */
};

/** Sets of conditions with values, a bit per condition: those that were false,
 * those that were true. */
struct arcline_values {
  uint64_t set[2];
};

/** The conditions that are not masked where a decision ends in one way. */
struct arcline_end {
  struct arcline_values always; /* on every path that ends so */
  struct arcline_values some;   /* on some of them only */
};

/** Does j lead only to x, and to conditions after j up to last + 1? */
static inline int arcline_is_inside(const struct arcline_condition *conditions,
                                    unsigned j, unsigned last, unsigned x) {
  for (unsigned v = 0; v < 2; v++) {
    const unsigned to = conditions[j].to[v];
    if (to != x && (to <= j || to > last + 1))
      return 0;
  }
  return 1;
}

/** The conditions that are masked if condition p leads to x. */
static inline uint64_t
arcline_masked(const struct arcline_condition *conditions, unsigned p,
               unsigned x) {
  uint64_t masked = 0;

  for (unsigned i = 0; i < p; i++) {
    const struct arcline_condition *last = &conditions[i];
    if (!(last->to[0] == x && last->to[1] == i + 1) &&
        !(last->to[1] == x && last->to[0] == i + 1))
      continue;
    for (unsigned j = i + 1; j-- > 0 && arcline_is_inside(conditions, j, i, x);)
      masked |= (uint64_t)1 << j;
  }
  return masked;
}

/** The set after condition p had value v, from the set before. */
static inline struct arcline_values
arcline_after(const struct arcline_condition *conditions, unsigned p,
              unsigned v, struct arcline_values before) {
  const uint64_t left = ~arcline_masked(conditions, p, conditions[p].to[v]);

  before.set[0] &= left;
  before.set[1] &= left;
  before.set[v] |= (uint64_t)1 << p;
  return before;
}

/**
 * Find the conditions that are not masked at each end of a decision of n.
 *
 * ends  2 for each condition, by its value; empty sets if that does not end the
 *       decision.
 * may   n: those that may be unmasked where a condition is reached.
 */
static inline void arcline_find_ends(const struct arcline_condition *conditions,
                                     unsigned n, struct arcline_end (*ends)[2],
                                     struct arcline_values *may) {
  struct arcline_values must[ARCLINE_MAX_CONDITIONS];

  for (unsigned p = 0; p < n; p++) {
    must[p].set[0] = must[p].set[1] = p ? ~(uint64_t)0 : 0;
    may[p].set[0] = may[p].set[1] = 0;
  }
  for (unsigned p = 0; p < n; p++)
    for (unsigned v = 0; v < 2; v++) {
      const unsigned to = conditions[p].to[v];
      const struct arcline_values all =
          arcline_after(conditions, p, v, must[p]);
      const struct arcline_values some =
          arcline_after(conditions, p, v, may[p]);
      for (unsigned k = 0; k < 2; k++) {
        ends[p][v].always.set[k] = to < n ? 0 : all.set[k] & some.set[k];
        ends[p][v].some.set[k] = to < n ? 0 : some.set[k] & ~all.set[k];
        if (to < n) {
          must[to].set[k] &= all.set[k];
          may[to].set[k] |= some.set[k];
        }
      }
    }
}

/** The condition values that need a counter: some paths to an end leave them
 * unmasked. Counters are numbered by condition, false before true. */
static inline struct arcline_values
arcline_find_counted(const struct arcline_end (*ends)[2], unsigned n) {
  struct arcline_values counted = {{0, 0}};

  for (unsigned p = 0; p < n; p++)
    for (unsigned v = 0; v < 2; v++)
      for (unsigned k = 0; k < 2; k++)
        counted.set[k] |= ends[p][v].some.set[k];
  return counted;
}

#endif
