/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/bins.h"

#include "base/array.h"
#include "base/err.h"
#include "base/sort_u64.h"
#include "gmon/gmon_read.h"

#include <stdlib.h>

// Bins are usually 2 or 4 bytes wide. The samples of a wider one are shared
// among this many addresses only.
enum { MAX_PROBES = 64 };

static size_t count_filled(const struct gmon_histogram *histogram) {
  size_t n_filled = 0;

  for (uint32_t i = 0; (i = gmon_next_bin(histogram, i)) < histogram->n_bins;
       i++)
    n_filled++;
  return n_filled;
}

int bins_add(struct bins *sum, const struct gmon_histogram *histogram,
             struct err *err) {
  const size_t n_new = count_filled(histogram);
  struct bin *const merged =
      array_resize(NULL, sum->n_filled + n_new + 1, sizeof(*merged));
  if (!merged)
    return err_no_memory(err);
  size_t n_merged = 0, i_old = 0;
  for (uint32_t i = 0;; i++) {
    i = gmon_next_bin(histogram, i);
    while (i_old < sum->n_filled && sum->filled[i_old].i_bin < i)
      merged[n_merged++] = sum->filled[i_old++];
    if (i == histogram->n_bins)
      break;
    uint64_t count = gmon_bin(histogram, i);
    if (i_old < sum->n_filled && sum->filled[i_old].i_bin == i)
      count += sum->filled[i_old++].count;
    merged[n_merged++] = (struct bin){.count = count, .i_bin = i};
  }
  free(sum->filled);
  sum->filled = merged;
  sum->n_filled = n_merged;
  return 0;
}

/** First address of a bin, without overflow of the product. */
static uint64_t low_of(const struct bins *bins, uint64_t i_bin) {
  const uint64_t range = bins->high_pc - bins->low_pc;
  const uint64_t whole = range / bins->n_bins;
  const uint64_t rest = range % bins->n_bins;

  return bins->low_pc + whole * i_bin + rest * i_bin / bins->n_bins;
}

void bins_range(const struct bins *bins, uint32_t i_bin, uint64_t *low,
                uint64_t *high) {
  const uint64_t next = low_of(bins, (uint64_t)i_bin + 1);

  *low = low_of(bins, i_bin);
  *high = next > *low ? next : *low + 1;
}

/** The bin of an address in the range. */
static uint32_t bin_of(const struct bins *bins, uint64_t vaddr) {
  uint64_t low = 0, high = bins->n_bins; // the last one that begins before it
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    if (low_of(bins, middle) <= vaddr)
      low = middle;
    else
      high = middle;
  }
  return (uint32_t)low;
}

int bins_set(struct bins *bins, const struct sort_pair *samples, size_t n,
             struct err *err) {
  struct bin *const filled = array_resize(NULL, n + 1, sizeof(*filled));
  if (!filled)
    return err_no_memory(err);
  size_t n_filled = 0;
  for (size_t i = 0; i < n; i++) {
    if (samples[i].key < bins->low_pc || samples[i].key >= bins->high_pc)
      continue;
    const uint32_t i_bin = bin_of(bins, samples[i].key);
    if (n_filled == 0 || filled[n_filled - 1].i_bin != i_bin)
      filled[n_filled++] = (struct bin){.i_bin = i_bin};
    filled[n_filled - 1].count += samples[i].value;
  }
  free(bins->filled);
  bins->filled = filled;
  bins->n_filled = n_filled;
  return 0;
}

int bins_spread(const struct bins *bins, bins_visit *visit, void *context,
                struct err *err) {
  for (size_t k = 0; k < bins->n_filled; k++) {
    uint64_t low, high;
    bins_range(bins, bins->filled[k].i_bin, &low, &high);
    const uint64_t n_bytes = high - low;
    const uint64_t n_probes = n_bytes < MAX_PROBES ? n_bytes : MAX_PROBES;
    const double share = (double)bins->filled[k].count / (double)n_probes;
    for (uint64_t i = 0; i < n_probes; i++)
      if (visit(context, low + n_bytes / n_probes * i, share, err))
        return -1;
  }
  return 0;
}
