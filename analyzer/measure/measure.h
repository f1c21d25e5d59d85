/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Adds up any number of gmon files of one object, by address, before symbols or
 * lines are involved. Everything stays in order of first appearance, on which
 * ties in reports and the rounding of sums depend.
 *
 * No other module reads records for a report; profile/ and counts/ are views of
 * this.
 */
#ifndef ARCLINE_MEASURE_H
#define ARCLINE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/gmon_format.h"
#include "base/map64.h"
#include "measure/bins.h"

struct err;
struct gmon_reader;
struct image;

/** Histograms are compared with each other for overlaps: no more than this. */
enum { MEASURE_MAX_HISTOGRAMS = 4096 };

enum measure_flags {
  MEASURE_BLOCKS = 1 << 0,      /* keep counts of blocks */
  MEASURE_MIXED_RATES = 1 << 1, /* add up samples of different rates, as GNU
                                   gprof */
};

/** Calls from one address to another, as files record them. */
struct measure_arc {
  uint64_t from_pc; /* 0: not known */
  uint64_t self_pc;
  uint64_t count;
  uint64_t n_after; /* of these, from files that record the address after the
                       call, not one inside of it */
};

/** Calls, by an address inside of the instruction. */
struct measure_call {
  uint64_t vaddr; /* 0: not known */
  uint64_t self_vaddr;
  uint64_t count;
};

/** The count of an address: a block or a counter. */
struct measure_block {
  uint64_t vaddr;
  uint64_t count; /* may be 0 */
};

/** The unit of samples, from the first histogram. All zero is not known. */
struct measure_unit {
  bool is_known;         /* some histogram was read; then the rest is set */
  uint32_t rate_hz;      /* 0: not known */
  const char *rate_path; /* of the file that has it; borrowed */
  char dimension[GMON_DIMENSION_BYTES + 1];
  char abbreviation;
};

/** All zero is empty. The first two may be set before files are added. */
struct measure {
  unsigned flags;            /* enum measure_flags */
  const struct image *image; /* histograms must be within it, and empty ones
                                count as at its beginning; NULL: anywhere */
  /* May be set, too, to that of another object: the units must be equal
     then. */
  struct measure_unit unit;

  struct bins *histograms; /* no two overlap */
  size_t n_histograms, max_histograms;
  double scale;             /* 2-byte units of text per bin; 0: no bins */
  struct measure_arc *arcs; /* no two equal */
  size_t n_arcs, max_arcs;
  struct measure_block *blocks; /* no two at one address; MEASURE_BLOCKS */
  size_t n_blocks, max_blocks;

  bool has_arcs;       /* some record of the kind was read, or an old file */
  bool has_blocks;     /* kept */
  bool ignored_blocks; /* read, but not kept */
  bool has_unmarked;   /* some file does not identify its image */

  struct map64 arc_index; /* private: key of arc -> its index */
  struct map64 block_index;
};

/** Number of records of each kind in a file. */
struct measure_contents {
  uint32_t version;
  uint64_t n_histograms;
  uint64_t n_arcs;
  uint64_t n_blocks; /* records, not blocks */
};

/**
 * Add all records of a gmon file.
 *
 * reader    at the start of its file.
 * contents  the file's records.
 *
 * Returns 0; or -1 with *err set, and the measure is fit for
 * measure_release() only.
 * Errors: those of the reader; histograms that overlap without being equal, or
 *         that differ in width of bins, rate or unit from those read before;
 *         memory.
 */
int measure_add(struct measure *measure, struct gmon_reader *reader,
                struct measure_contents *contents, struct err *err);

/** Free memory that only adding needs. After the last measure_add(). */
void measure_finish(struct measure *measure);

/** Free the counts of blocks, once all that is made of them is. */
void measure_drop_blocks(struct measure *measure);

/**
 * List all calls, in order of address, then callee; no two are equal.
 *
 * Returns 0; or -1 with *err set (no memory).
 * Owns:   caller frees *out.
 */
int measure_calls(const struct measure *measure, struct measure_call **out,
                  size_t *n_out, struct err *err);

/** Was any sample taken? */
bool measure_has_samples(const struct measure *measure);

/** Number of samples. */
double measure_n_samples(const struct measure *measure);

/** Free; an empty one may be released too. */
void measure_release(struct measure *measure);

#endif
