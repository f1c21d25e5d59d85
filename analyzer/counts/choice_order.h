/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Orders choices and decisions of functions by place in the source, so that
 * those of several instances of one function (of a template, or of an inline
 * function in several units) lie side by side. Instances are functions that are
 * defined on the same line, either under the same name or under names that a
 * compiler of C++ or Rust mangled.
 */
#ifndef ARCLINE_CHOICE_ORDER_H
#define ARCLINE_CHOICE_ORDER_H

#include <stdint.h>

#include "counts/flow_line.h"

struct flow_func;

struct choice_place {
  struct flow_line pos;
  uint32_t column;
  uint32_t number; /* among those of the function at this place: the body of a
                      macro has one place */
  const struct flow_func *func;
};

/** In the order of numbers: negative, zero or positive. */
static inline int choice_compare_numbers(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

/** By place, then function. Ignores numbers. */
int choice_place_compare(const struct choice_place *a,
                         const struct choice_place *b);

/** By place; the same one of instances of one function compares equal. */
int choice_place_compare_instances(const struct choice_place *a,
                                   const struct choice_place *b);

#endif
