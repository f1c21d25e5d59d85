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
 * * coverage < 80%: of lines; also functions, branches; coverage(*.c): of the
 *   files that match; file:lines, folder:lines, function:lines: of each by
 *   itself;
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
  GATE_TOTAL_TIME,
  GATE_COUNT,
  GATE_ALL_CALLS,
  GATE_ALL_TIME,
  GATE_LINES,
  GATE_FUNCTIONS,
  GATE_BRANCHES,
  GATE_CONDITIONS,
  GATE_MCDC,
};

/** The code that a metric of coverage is of. */
enum gate_scope {
  GATE_WHOLE,   /* changed lines, if there is a revision, otherwise all */
  GATE_TOTAL,   /* all lines */
  GATE_CHANGED, /* changed lines */
  GATE_FOLDERS, /* all lines of each, as of the next two */
  GATE_FILES,
  GATE_FUNCS,
};

/** All zero is empty. */
struct gate {
  const char *text; /* as the user wrote it; borrowed */
  enum gate_metric metric;
  enum gate_scope scope;
  char *pattern; /* of functions, files or folders; NULL: of the program */
  struct wanted_func func; /* of functions */
  uint32_t line;
  bool is_minimum; /* gate_parse_under() */
  bool is_above;
  bool is_change, is_percent;
  double limit;
};

/** A value that a gate checked. */
struct gate_value {
  const char *name;        /* linkage name, object, file or folder; NULL: the
                              program, or files that match a pattern */
  const char *program;     /* of a function that several have; or NULL */
  bool is_object, is_file; /* or folder */
  const char *func_file;   /* of a function whose coverage it is; or NULL */
  uint32_t func_line;
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

/** Read "[SCOPE:]KIND[(PATTERN)]=PERCENT": fails if less than that part of the
 * lines, functions or branches is covered. SCOPE is total, changed, folder,
 * file or function. */
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
