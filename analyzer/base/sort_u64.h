/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Sorts numbers, in linear time.
 */
#ifndef ARCLINE_SORT_U64_H
#define ARCLINE_SORT_U64_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * Sort numbers and drop repeated ones.
 *
 * n  their number; set to how many are left.
 *
 * Returns 0; or -1 (no memory), with the numbers as they were.
 */
int sort_u64_unique(uint64_t *numbers, size_t *n);

/** A number, and what it belongs to. */
struct sort_pair {
  uint64_t key;
  uint64_t value;
};

/**
 * Sort pairs by key; equal ones keep their order. To sort by several keys, sort
 * by each of them, the most important one last.
 *
 * Returns 0; or -1 (no memory), with the pairs as they were.
 */
int sort_pairs(struct sort_pair *pairs, size_t n);

/** The key of an element. */
typedef uint64_t sort_key(const void *element);

/**
 * Sort elements by key; equal ones keep their order. For elements that are
 * larger than pairs: each is moved twice at most.
 *
 * size  bytes of an element.
 *
 * Returns 0; or -1 (no memory), with the elements as they were.
 */
int sort_by_key(void *elements, size_t n, size_t size, sort_key *key_of);

/** A number that is never negative as a key of the same order. */
static inline uint64_t sort_key_of(double number) {
  uint64_t bits;

  // Without sign, larger numbers have larger bits.
  memcpy(&bits, &number, sizeof(bits));
  return number > 0 ? bits : 0;
}

#endif
