/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/did_you_mean.h"

#include <string.h>

enum { MAX_BYTES = 32 }; // no name is longer

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/** Damerau-Levenshtein distance (optimal string alignment: letters that were
 * swapped are not edited again). */
static size_t count_slips(const char *a, size_t n_a, const char *b,
                          size_t n_b) {
  size_t rows[MAX_BYTES + 1][MAX_BYTES + 1];

  for (size_t i = 0; i <= n_a; i++)
    rows[i][0] = i;
  for (size_t k = 0; k <= n_b; k++)
    rows[0][k] = k;
  for (size_t i = 1; i <= n_a; i++)
    for (size_t k = 1; k <= n_b; k++) {
      const size_t changed = rows[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
      size_t best = least(changed, least(rows[i - 1][k], rows[i][k - 1]) + 1);
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        best = least(best, rows[i - 2][k - 2] + 1);
      rows[i][k] = best;
    }
  return rows[n_a][n_b];
}

void did_you_mean_offer(struct did_you_mean *nearest, const char *candidate) {
  const size_t n_candidate = strlen(candidate);

  if (nearest->n_word > MAX_BYTES || n_candidate > MAX_BYTES)
    return;
  const size_t n_slips =
      count_slips(nearest->word, nearest->n_word, candidate, n_candidate);
  if (n_slips > (nearest->n_word + 2) / 3 ||
      n_slips >= nearest->n_word || // no letter of the word matches
      (nearest->best && n_slips >= nearest->n_slips))
    return;
  nearest->best = candidate;
  nearest->n_slips = n_slips;
}
