/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Sorts and merges arcs: calls from one place to another, with their number.
 */
#ifndef ARCLINE_SOLVE_ARC_H
#define ARCLINE_SOLVE_ARC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One arc. In tables that calls are counted in, from is a return pc and self a
 * pc. In the profile of an object they are the vaddr of the call and of the
 * callee; an end outside of the object is 0 there or has the bit SOLVE_OUTSIDE.
 * __arcline_indirect() counts arcs whose from is the call site's record. */
struct solve_arc {
  uint64_t from, self;
  uint64_t count;
};

/* Bit 63: this end of an arc is in another object. If bit 62 is set, the rest
   is the offset of the callee's name in the object's constant data; else bits
   48 to 61 are the other object's number and the rest is its vaddr. */
#define SOLVE_OUTSIDE ((uint64_t)1 << 63)
#define SOLVE_OUTSIDE_NAMED ((uint64_t)1 << 62)
#define SOLVE_OUTSIDE_SHIFT 48

/** The place at vaddr of another object, as an end of an arc. */
static inline uint64_t solve_outside(uint64_t number, uint64_t vaddr) {
  return SOLVE_OUTSIDE | number << SOLVE_OUTSIDE_SHIFT | vaddr;
}

static inline uint64_t solve_outside_number(uint64_t end) {
  return end >> SOLVE_OUTSIDE_SHIFT & 0x3fff;
}

static inline uint64_t solve_outside_vaddr(uint64_t end) {
  return end & (((uint64_t)1 << SOLVE_OUTSIDE_SHIFT) - 1);
}

/** Offset of a named callee's name in the constant data. */
static inline uint64_t solve_outside_name(uint64_t end) {
  return end & ~(SOLVE_OUTSIDE | SOLVE_OUTSIDE_NAMED);
}

/** Has it an end in another object? */
static inline bool solve_arc_crosses(const struct solve_arc *arc) {
  return ((arc->from | arc->self) & SOLVE_OUTSIDE) != 0;
}

/** Sort by (from, self); equal ones keep their order. scratch: n arcs. Returns
 * where they are then: arcs or scratch. */
struct solve_arc *solve_arcs_sort(struct solve_arc *arcs, size_t n,
                                  struct solve_arc *scratch);

/** Sort by (from, self) and add up equal arcs, in place. scratch: n arcs.
 * Returns how many are left; those of count 0 are dropped. */
size_t solve_arcs_merge(struct solve_arc *arcs, size_t n,
                        struct solve_arc *scratch);

/** Remove the arcs with an end in another object; an arc that comes from there
 * is replaced by one from nowhere.
 *
 * arcs      *n of them, merged; afterwards *n are left, merged.
 * crossing  receives the removed arcs, unchanged: room for as many as cross.
 * scratch   *n arcs.
 *
 * Returns the number of arcs removed. */
size_t solve_arcs_split(struct solve_arc *arcs, size_t *n,
                        struct solve_arc *crossing, struct solve_arc *scratch);

#endif
