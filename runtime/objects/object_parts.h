/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Defines the parts of an object (objects.h); one folder fills each. */
#ifndef ARCLINE_RT_OBJECT_PARTS_H
#define ARCLINE_RT_OBJECT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arcline_live_baseline;
struct arcline_live_callees;
struct arcline_live_object;
struct solve_arc;

enum {
  RT_OLD_LOADS = 32,
  RT_CROSSING_WORDS = 128,
  RT_CHUNK_BINS = 512, /* bins that share one "touched" byte */
};

/** A range of text; vaddrs are multiples of the object's bin width. */
struct rt_text {
  uint64_t low_vaddr, high_vaddr;
  uint64_t *bins;   /* NULL if out of memory */
  uint8_t *touched; /* per RT_CHUNK_BINS bins: not all of them are 0 */
  bool is_wiped;    /* like rt_arcs.is_wiped */
  bool is_sampled;  /* false: all bins are 0, and nothing of them is read */
};

/** How many bins the histogram of a text has. */
static inline size_t rt_text_n_bins(const struct rt_text *text,
                                    unsigned bin_bytes) {
  return (text->high_vaddr - text->low_vaddr) / bin_bytes;
}

/** The counts that are added to an object's own; dump/baseline.c. */
struct rt_baseline {
  struct arcline_live_baseline
      *record;            /* memory of the members below; or NULL */
  uint64_t *cells;        /* of earlier loads, less those of resets; or NULL */
  struct solve_arc *arcs; /* the same; vaddrs */
  size_t n_arcs, n_room;
};

/** An object's part of the live file; live/persist.c. */
struct rt_live_part {
  struct arcline_live_object *record; /* or NULL */
  uint32_t region;                    /* that contains the record */
  uint8_t *early; /* a copy of the cells and early arcs; or NULL */
  struct arcline_live_callees *callees; /* a mirror of the sites; or NULL */
  size_t n_callees;
  uint64_t *loads; /* a copy of biases; or NULL */
  bool is_left;    /* of a relative that is gone */
};

/** The addresses of an object's earlier loads; objects/load_history.c, but for
 * n. */
struct rt_load_history {
  uint64_t n;        /* how often it was loaded */
  uint64_t *entries; /* vaddrs of functions, of what was unloaded once */
  size_t n_entries, entries_bytes;
  uint64_t biases[RT_OLD_LOADS]; /* load_bias of earlier loads */
  size_t n_biases;
};

/** Arcs of an object's last file that have an end outside; dump/side.c. */
struct rt_crossing {
  struct solve_arc *arcs; /* names of callees being offsets in names; or NULL */
  size_t n;
  char *names;                      /* after the arcs */
  size_t n_bytes;                   /* of both */
  uint64_t room[RT_CROSSING_WORDS]; /* their memory, if it is enough: a mapping
                                       costs more than most have to store */
};

#endif
