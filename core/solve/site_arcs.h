/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts calls of functions, and makes arcs from the counts. */
#ifndef ARCLINE_SOLVE_SITE_ARCS_H
#define ARCLINE_SOLVE_SITE_ARCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solve/numbers.h"

struct solve_func;
struct solver;

struct solve_site {
  uint32_t next;   /* of the same copy: one more than its number, or 0 */
  uint64_t n_arcs; /* entered by __arcline_indirect(), from first_arc on */
  size_t first_arc;
};

/** A call site of the function at hand. */
struct solve_call {
  uint32_t node;
  uint32_t callee; /* string offset; 0: an indirect call; or SOLVE_NONE */
};

/** Find sites' arcs. Returns 0, or -1 if out of memory. */
int solve_calls_prepare(struct solver *s);
/** Decode the calls of a function; the cursor is after its edges. Returns false
 * if they are damaged. */
bool solve_calls_read(struct solver *s, const struct solve_func *func,
                      struct arcline_cursor cursor);
/** Add arcs of the calls that a function has made, which was read last.
 *
 * i_copy  in this copy of it; SOLVE_NONE: in all, where the copy does not
 *         matter.
 * counts  of its nodes. */
void solve_calls_visit(struct solver *s, uint32_t i_func, uint32_t i_copy,
                       const uint64_t *counts);
/** Add arcs of calls that came from nowhere, once all others are there. */
void solve_calls_finish(struct solver *s);

#endif
