/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Adds up the cells and arcs that all threads of a process counted in one of
 * its objects, and translates addresses of the process to link-time ones. */
#ifndef ARCLINE_LIVE_SUMS_H
#define ARCLINE_LIVE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct live_part;
struct live_program;
struct solve_arc;

/** As solve_input has them. */
struct live_sums {
  uint64_t *cells;
  struct solve_arc *arcs; /* merged */
  size_t n_arcs;
};

/** Returns 0; or -1 with *err set (no memory). The caller releases *out in any
 * case. */
int live_sums_make(const struct live_program *program,
                   const struct live_part *part, struct live_sums *out,
                   struct err *err);

/** The place of a callee, as an end of an arc of the part (core/solve/arc.h).
 */
uint64_t live_sums_callee(const struct live_program *program,
                          const struct live_part *part, size_t i_site,
                          bool is_second);

void live_sums_release(struct live_sums *sums);

#endif
