/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Checks conditions under which a comparison fails:
 *
 * * calls(NAME) > +3%: calls of any function that NAME may mean (wanted_func.h)
 *   went up by more than that;
 * * self(NAME) > 2: self time of any such function, in units; if none matches,
 *   of objects outside of counted code: libc.so.6, <kernel>;
 * * total(NAME) > 50%: inclusive time, as a share of all time;
 * * count(FILE:LINE) > 1000: executions of a line;
 * * coverage < 80%: of lines; also functions, branches;
 * * calls, time: of the whole program.
 *
 * A number with a sign is a change from A to B, one without is B's. A condition
 * on sampled times is true only if it is true for all times in the interval.
 */
#ifndef ARCLINE_GATE_H
#define ARCLINE_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "debug/wanted_func.h"

struct diff;
struct err;

enum gate_metric {
  GATE_CALLS,
  GATE_SELF,
  GATE_TOTAL,
  GATE_COUNT,
  GATE_ALL_CALLS,
  GATE_ALL_TIME,
  GATE_LINES,
  GATE_FUNCTIONS,
  GATE_BRANCHES,
};

/** All zero is empty. */
struct gate {
  const char *text; /* as the user wrote it; borrowed */
  enum gate_metric metric;
  char *pattern; /* of functions, or of a file; NULL: of the program */
  struct wanted_func func; /* of calls, self and total */
  uint32_t line;
  bool is_above;
  bool is_change, is_percent;
  double limit;
};

/** A value that a gate checked. */
struct gate_value {
  const char *name;    /* linkage name, object or file; NULL: the program */
  const char *program; /* of a function that several have; or NULL */
  bool is_object;
  uint32_t line;
  double a, b;
  double error; /* of the difference; of b, if the gate is not of changes */
};

/** Result of checking a gate. All zero is empty. */
struct gate_result {
  const struct gate *gate; /* borrowed */
  struct gate_value *failed;
  size_t n_failed, max_failed;
  struct gate_value closest; /* to failing, if it passed */
  bool has_closest;          /* false: of changed lines, there are none */
};

/**
 * Read a condition.
 *
 * text  borrowed until gate_release().
 *
 * Returns 0; or -1 with *err set and *out empty.
 */
int gate_parse(const char *text, struct gate *out, struct err *err);

/** Read "lines=80": fails if less than 80 per cent of lines are covered. Also
 * "functions" and "branches". */
int gate_parse_under(const char *text, struct gate *out, struct err *err);

/**
 * Check a comparison by a gate.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls gate_result_release(out).
 * Errors: nothing in the comparison matches, so it would always pass; no
 *         memory.
 */
int gate_check(const struct gate *gate, const struct diff *diff,
               struct gate_result *out, struct err *err);

/** Free; an empty one may be released too. */
void gate_result_release(struct gate_result *result);

/** Free; an empty one may be released too. */
void gate_release(struct gate *gate);

#endif
