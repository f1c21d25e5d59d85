/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/sort_u64.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, N_DIGITS = 1 << DIGIT_BITS, WORD_BITS = 64 };

static bool is_ascending(const uint64_t *numbers, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (numbers[i] < numbers[i - 1])
      return false;
  return true;
}

/** Sort by one digit, by counting; equal ones keep their order. */
static void sort_by_digit(const uint64_t *from, uint64_t *to, size_t n,
                          unsigned shift) {
  size_t starts[N_DIGITS] = {0};
  size_t start = 0;

  for (size_t i = 0; i < n; i++)
    starts[from[i] >> shift & (N_DIGITS - 1)]++;
  for (size_t i = 0; i < N_DIGITS; i++) {
    const size_t count = starts[i];
    starts[i] = start;
    start += count;
  }
  for (size_t i = 0; i < n; i++)
    to[starts[from[i] >> shift & (N_DIGITS - 1)]++] = from[i];
}

/** Sort from the lowest digit up. Digits that all numbers share are skipped:
 * addresses of one program are much alike. */
static int sort(uint64_t *numbers, size_t n) {
  uint64_t differing = 0;

  for (size_t i = 1; i < n; i++)
    differing |= numbers[i] ^ numbers[0];
  uint64_t *const scratch = reallocarray(NULL, n, sizeof(*scratch));
  if (!scratch)
    return -1;
  uint64_t *from = numbers;
  uint64_t *to = scratch;
  for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
    if ((differing >> shift & (N_DIGITS - 1)) == 0)
      continue;
    sort_by_digit(from, to, n, shift);
    uint64_t *const sorted = to;
    to = from;
    from = sorted;
  }
  if (from != numbers)
    memcpy(numbers, from, n * sizeof(*numbers));
  free(scratch);
  return 0;
}

/**
 * Sort numbers that lie close together, as addresses of code do, in one go: by
 * a bit for each number that may be there.
 *
 * Returns 0; 1 if they are too far apart; or -1 (no memory).
 */
static int sort_close(uint64_t *numbers, size_t *n) {
  uint64_t least = UINT64_MAX;
  uint64_t greatest = 0;
  size_t n_kept = 0;

  for (size_t i = 0; i < *n; i++) {
    least = numbers[i] < least ? numbers[i] : least;
    greatest = numbers[i] > greatest ? numbers[i] : greatest;
  }
  if ((greatest - least) / WORD_BITS >= *n)
    return 1;
  const size_t n_words = (size_t)((greatest - least) / WORD_BITS) + 1;
  uint64_t *const words = calloc(n_words, sizeof(*words));
  if (!words)
    return -1;
  for (size_t i = 0; i < *n; i++) {
    const uint64_t bit = numbers[i] - least;
    words[bit / WORD_BITS] |= (uint64_t)1 << bit % WORD_BITS;
  }
  for (size_t i = 0; i < n_words; i++)
    for (uint64_t word = words[i]; word; word &= word - 1)
      numbers[n_kept++] =
          least + i * WORD_BITS + (unsigned)__builtin_ctzll(word);
  free(words);
  *n = n_kept;
  return 0;
}

int sort_u64_unique(uint64_t *numbers, size_t *n) {
  size_t n_kept = 0;

  if (!is_ascending(numbers, *n)) {
    const int rc = sort_close(numbers, n);
    if (rc <= 0)
      return rc;
    if (sort(numbers, *n))
      return -1;
  }
  for (size_t i = 0; i < *n; i++)
    if (i == 0 || numbers[i] != numbers[n_kept - 1])
      numbers[n_kept++] = numbers[i];
  *n = n_kept;
  return 0;
}
