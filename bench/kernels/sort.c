/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Sorts numbers by a quicksort with a comparison function as parameter, like
 * qsort: recursion and calls through a pointer.
 *
 *   sort [SCALE]    sorts SCALE arrays of 100,000 numbers
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_ITEMS = 100000, N_SMALL = 12 };

typedef int compare_function(uint32_t a, uint32_t b);

static uint32_t items[N_ITEMS];

static int ascending(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

// Even numbers first, each half from the largest to the smallest.
static int even_first(uint32_t a, uint32_t b) {
  if (a % 2 != b % 2)
    return a % 2 ? 1 : -1;
  return (a < b) - (a > b);
}

static void swap(uint32_t *a, uint32_t *b) {
  const uint32_t old = *a;
  *a = *b;
  *b = old;
}

static void sort_small(uint32_t *first, long n, compare_function *compare) {
  for (long i = 1; i < n; i++)
    for (long j = i; j > 0 && compare(first[j - 1], first[j]) > 0; j--)
      swap(&first[j - 1], &first[j]);
}

static void sort(uint32_t *first, long n, compare_function *compare) {
  if (n <= N_SMALL) {
    sort_small(first, n, compare);
    return;
  }
  const uint32_t pivot = first[n / 2];
  long i = 0;
  long j = n - 1;
  while (i <= j) {
    while (compare(first[i], pivot) < 0)
      i++;
    while (compare(first[j], pivot) > 0)
      j--;
    if (i <= j)
      swap(&first[i++], &first[j--]);
  }
  sort(first, j + 1, compare);
  sort(first + i, n - i, compare);
}

int main(int argc, char **argv) {
  // Read at run time, so that no compiler makes a direct call.
  static compare_function *const volatile compares[] = {ascending, even_first};
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  uint32_t random = 20261121;
  uint64_t checksum = 0;

  for (int i = 0; i < scale; i++) {
    for (int j = 0; j < N_ITEMS; j++) {
      random = random * 1664525u + 1013904223u;
      items[j] = random >> 4;
    }
    sort(items, N_ITEMS, compares[i % 2]);
    for (int j = 0; j < N_ITEMS; j++)
      checksum = checksum * 31 + items[j];
  }
  printf("checksum %016llx\n", (unsigned long long)checksum);
  return 0;
}
