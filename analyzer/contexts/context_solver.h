/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Computes which functions and lines of an image ran, from pools of cells: one
 * after the other, with the image read once.
 */
#ifndef ARCLINE_CONTEXT_SOLVER_H
#define ARCLINE_CONTEXT_SOLVER_H

#include "counts/flow_data.h"
#include "gmon/pool_file.h"
#include "image/image.h"

struct err;

/** All zero is closed. */
struct context_solver {
  struct image image;
  struct flow_data flow;   /* of the image alone */
  struct flow_line *lines; /* of the code of each function, sorted */
  uint32_t *first_lines;   /* of function i up to that of function i + 1 */
  char *path;              /* private, as is the rest */
  bool *has_run;           /* functions with counts of the last pool */
};

/**
 * Open the image of a pool: the one of its build-id at its path.
 *
 * Returns 0; or -1 with *err set and *out closed.
 * Owns:   caller calls context_solver_close(out).
 * Errors: no such image, damage, no memory.
 */
int context_solver_open(const struct pool_file *pool, const char *path,
                        struct context_solver *out, struct err *err);

/** Does a pool belong to the image? */
bool context_solver_is_of(const struct context_solver *solver,
                          const struct pool_file *pool);

/**
 * Set a bit for each function that ran; with has_lines, then one for each line
 * (context_index.h).
 *
 * bits  zeros, context_solver_bytes().
 *
 * Returns 0, or -1 with *err set: damage, no memory.
 */
int context_solver_solve(struct context_solver *solver,
                         const struct pool_file *pool, bool has_lines,
                         uint8_t *bits, struct err *err);

/** Bytes of the bits. */
size_t context_solver_bytes(const struct context_solver *solver,
                            bool has_lines);

/** Close; a closed one may be closed again. */
void context_solver_close(struct context_solver *solver);

#endif
