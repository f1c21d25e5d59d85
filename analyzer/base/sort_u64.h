/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Sort numbers, in linear time.
 */
#ifndef ARCLINE_SORT_U64_H
#define ARCLINE_SORT_U64_H

#include <stddef.h>
#include <stdint.h>

/**
 * Sort numbers and drop repeated ones.
 *
 * n  how many there are; then, how many are left.
 *
 * Returns 0; or -1 (no memory), with the numbers as they were.
 */
int sort_u64_unique(uint64_t *numbers, size_t *n);

#endif
