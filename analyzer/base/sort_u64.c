/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/sort_u64.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64, MAX_DIGIT_BITS = 11, MAX_DIGITS = 1 << MAX_DIGIT_BITS };

/** Bits of a digit, for so many elements. Each value of a digit has a counter,
 * and reading all counters takes time, too. */
static unsigned choose_digit_bits(size_t n) {
  return n < 2 * MAX_DIGITS ? 8 : MAX_DIGIT_BITS;
}

static bool is_ascending(const uint64_t *numbers, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (numbers[i] < numbers[i - 1])
      return false;
  return true;
}

/** Sort elements of so many words by one digit of their first words, by
 * counting; equal ones keep their order. */
static inline void sort_by_digit(const uint64_t *from, uint64_t *to, size_t n,
                                 size_t n_words, unsigned shift,
                                 unsigned digit_bits) {
  const size_t n_digits = (size_t)1 << digit_bits;
  size_t starts[MAX_DIGITS];
  size_t start = 0;

  memset(starts, 0, n_digits * sizeof(*starts));
  for (size_t i = 0; i < n; i++)
    starts[from[i * n_words] >> shift & (n_digits - 1)]++;
  for (size_t i = 0; i < n_digits; i++) {
    const size_t count = starts[i];
    starts[i] = start;
    start += count;
  }
  for (size_t i = 0; i < n; i++) {
    const uint64_t *const element = &from[i * n_words];
    const size_t place = starts[*element >> shift & (n_digits - 1)]++;
    memcpy(&to[place * n_words], element, n_words * sizeof(*to));
  }
}

/** Sort from the lowest digit up. Digits that all numbers share are skipped:
 * addresses of one program share most of them. n_words is a constant, so that
 * loops are unrolled. */
static inline int sort(uint64_t *elements, size_t n, size_t n_words) {
  const unsigned digit_bits = choose_digit_bits(n);
  const uint64_t digit_mask = ((uint64_t)1 << digit_bits) - 1;
  uint64_t differing = 0;

  for (size_t i = 1; i < n; i++)
    differing |= elements[i * n_words] ^ elements[0];
  if (differing == 0)
    return 0;
  uint64_t *const scratch = reallocarray(NULL, n, n_words * sizeof(*scratch));
  if (!scratch)
    return -1;
  uint64_t *from = elements;
  uint64_t *to = scratch;
  for (unsigned shift = 0; shift < WORD_BITS; shift += digit_bits) {
    if ((differing >> shift & digit_mask) == 0)
      continue;
    sort_by_digit(from, to, n, n_words, shift, digit_bits);
    uint64_t *const sorted = to;
    to = from;
    from = sorted;
  }
  if (from != elements)
    memcpy(elements, from, n * n_words * sizeof(*elements));
  free(scratch);
  return 0;
}

/**
 * Sort numbers that are close together, as addresses of code are, in one pass:
 * by a bit for each number that may be there.
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
    if (sort(numbers, *n, 1))
      return -1;
  }
  for (size_t i = 0; i < *n; i++)
    if (i == 0 || numbers[i] != numbers[n_kept - 1])
      numbers[n_kept++] = numbers[i];
  *n = n_kept;
  return 0;
}

/** By insertion: for few elements, tables of digits cost more. */
static void sort_few(struct sort_pair *pairs, size_t n) {
  for (size_t i = 1; i < n; i++) {
    const struct sort_pair pair = pairs[i];
    size_t place = i;
    for (; place > 0 && pairs[place - 1].key > pair.key; place--)
      pairs[place] = pairs[place - 1];
    pairs[place] = pair;
  }
}

int sort_pairs(struct sort_pair *pairs, size_t n) {
  enum { FEW = 64 };

  _Static_assert(sizeof(*pairs) == 2 * sizeof(uint64_t), "no padding");
  if (n > FEW)
    return sort(&pairs->key, n, 2);
  sort_few(pairs, n);
  return 0;
}

static bool has_order(const char *elements, size_t n, size_t size,
                      sort_key *key_of) {
  for (size_t i = 1; i < n; i++)
    if (key_of(elements + i * size) < key_of(elements + (i - 1) * size))
      return false;
  return true;
}

int sort_by_key(void *elements, size_t n, size_t size, sort_key *key_of) {
  char *const first = elements;

  if (has_order(first, n, size, key_of))
    return 0;
  struct sort_pair *const pairs = reallocarray(NULL, n, sizeof(*pairs));
  if (!pairs)
    return -1;
  for (size_t i = 0; i < n; i++)
    pairs[i] = (struct sort_pair){key_of(first + i * size), i};
  char *const sorted =
      sort_pairs(pairs, n) == 0 ? reallocarray(NULL, n, size) : NULL;
  for (size_t i = 0; sorted && i < n; i++)
    memcpy(sorted + i * size, first + pairs[i].value * size, size);
  if (sorted)
    memcpy(first, sorted, n * size);
  free(sorted);
  free(pairs);
  return sorted ? 0 : -1;
}
