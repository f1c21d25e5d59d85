/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Limits the calls from other objects that a function gets by name to those
 * that its own object counted: docs/FORMAT.md, 5.1. An address may have been
 * that of a function of another library before, which was unloaded.
 */
#ifndef ARCLINE_CALLS_LEFT_H
#define ARCLINE_CALLS_LEFT_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct model;

/** Calls of a function of which no caller is known yet. */
struct function_calls {
  size_t i_object;
  uint64_t vaddr;
  uint64_t n_left;
};

/** All zero is empty. */
struct calls_left {
  struct function_calls *functions; /* by object and address */
  size_t n, max;
};

/** Collect the calls of all functions that were counted. The profiles are read.
 * Returns 0; or -1 with *err set (no memory) and *out empty. */
int calls_left_collect(const struct model *model, struct calls_left *out,
                       struct err *err);

/** Take up to n calls of a function: all if it was not counted. Returns their
 * number. */
uint64_t calls_left_take(struct calls_left *left, size_t i_object,
                         uint64_t vaddr, uint64_t n);

/** Free; an empty one may be released too. */
void calls_left_release(struct calls_left *left);

#endif
