/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes a profile as the bytes of a gmon.out file; docs/FORMAT.md. */
#ifndef ARCLINE_WRITE_GMON_H
#define ARCLINE_WRITE_GMON_H

#include <stdbool.h>

#include "solve/solve.h"
#include "write/sink.h"

/** A range of text and its histogram; vaddrs are multiples of the bins' width.
 */
struct write_text {
  uint64_t low_vaddr, high_vaddr;
  const uint64_t *bins; /* NULL: all are 0. May change meanwhile. */
  /** Per WRITE_CHUNK_BINS bins: not all of them are 0. Aligned to 8. */
  const uint8_t *touched;
};

enum { WRITE_CHUNK_BINS = 512, WRITE_LOAD_BINS = 64 };

/** The first bin from that one on whose chunk is touched, or n_bins or more. */
static inline size_t write_next_bin(const uint8_t *bytes, size_t first,
                                    size_t n_bins) {
  const size_t n = (n_bins + WRITE_CHUNK_BINS - 1) / WRITE_CHUNK_BINS;
  size_t i = first / WRITE_CHUNK_BINS;

  while (i < n) {
    const size_t n_zeros = sizeof(uint64_t);
    if (i % n_zeros == 0 && n - i >= n_zeros &&
        !__atomic_load_n((const uint64_t *)(uintptr_t)(bytes + i),
                         __ATOMIC_RELAXED)) {
      i += n_zeros;
      continue;
    }
    if (__atomic_load_n(&bytes[i], __ATOMIC_ACQUIRE))
      break;
    i++;
  }
  const size_t begin = i * WRITE_CHUNK_BINS;
  return begin < first ? first : begin;
}

/** How many bins the histogram of a text has. */
static inline size_t write_n_bins(const struct write_text *text,
                                  unsigned bin_bytes) {
  return (size_t)((text->high_vaddr - text->low_vaddr) / bin_bytes);
}

/** All that goes into one file. */
struct write_profile {
  const uint8_t *build_id; /* GMON_ARCLINE_BUILD_ID_BYTES of it */
  const struct write_text *texts;
  size_t n_texts;
  unsigned bin_bytes;
  const char *dimension; /* of the samples, as "seconds" */
  char abbreviation;
  uint32_t rate;
  const struct solve_arc *arcs;
  size_t n_arcs;
  struct solver *solver; /* has solved the profile; NULL: there are no blocks */
  const uint64_t *cells;
  const uint64_t *touched; /* as that of struct solve_input */
  size_t n_cells;
  uint64_t cells_vaddr;
};

/* The records, one kind after the other. Counts that are too large for their
 * field are spread over several records. */

/** An object's histogram. */
struct write_histogram {
  uint64_t low_vaddr, high_vaddr;
  size_t n_bins;
  uint32_t rate;
  const char *dimension; /* GMON_DIMENSION_BYTES of it */
  char abbreviation;
  /** Load the counts of n bins, WRITE_LOAD_BINS at most. Returns false if all
   * are 0; then *counts need not be set. NULL: all bins are 0. */
  bool (*load)(const void *context, size_t first, size_t n, uint64_t *counts);
  /** The first bin from that one on that may not be 0, which begins a part of
   * WRITE_LOAD_BINS, or n_bins or more: none. NULL: that one. */
  size_t (*skip)(const void *context, size_t first, size_t n_bins);
  const void *context;
};

/** Pairs of address and count that are made while they are written. */
struct write_pairs {
  /** Store as many pairs as there is room for, each as in the file. Returns how
   * many; 0: there are no more. */
  size_t (*next)(struct write_pairs *pairs, uint8_t *out, size_t room);
};

/** build_id: for Arcline's mark; NULL: no mark. */
void write_gmon_header(struct write_sink *sink, const uint8_t *build_id);
void write_gmon_histogram(struct write_sink *sink,
                          const struct write_histogram *histogram);
/** None at all if the count is 0. */
void write_gmon_arc(struct write_sink *sink, const struct solve_arc *arc);
/** None at all if there are no pairs. */
void write_gmon_pairs(struct write_sink *sink, struct write_pairs *pairs);

/** Write a whole file; the end of it stays in the buffer. Returns sink->error.
 */
int write_gmon(const struct write_profile *profile, struct write_sink *sink);

#endif
