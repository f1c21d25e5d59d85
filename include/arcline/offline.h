/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The runtime's way from counts to gmon.out, for `arcline recover`: the same
 * code adds up, solves and writes what a killed program has left behind
 * (arcline/live_format.h). Implemented by runtime/offline/offline.c and the
 * runtime's sources that it is linked with.
 */
#ifndef ARCLINE_OFFLINE_H
#define ARCLINE_OFFLINE_H

#include <stdint.h>

#include "arcline/live_format.h"

enum arcline_offline_section {
  ARCLINE_OFFLINE_CELLS,
  ARCLINE_OFFLINE_FUNCS,
  ARCLINE_OFFLINE_BODIES,
  ARCLINE_OFFLINE_COPIES,
  ARCLINE_OFFLINE_SITES,
  ARCLINE_OFFLINE_DATA,
  ARCLINE_OFFLINE_ADDRS,
  ARCLINE_OFFLINE_N_SECTIONS,
};

/** A table of arcs. */
struct arcline_offline_table {
  const struct arcline_live_arc *arcs;
  uint64_t n;
};

/** An object. The caller has checked that everything is as large as is said. */
struct arcline_offline_object {
  /** texts: ascending, multiples of bin_bytes. */
  const struct arcline_live_object *live;
  int is_loaded; /* what was counted with addresses of its last load counts */
  /** The image's sections, writable, at their link-time distances: vaddr V is
   * at V + bias. Relocated accordingly. */
  uint64_t bias;
  struct {
    uint64_t vaddr, bytes;
  } sections[ARCLINE_OFFLINE_N_SECTIONS];
  const uint64_t *const *copies; /* of the cells */
  uint64_t n_copies;
  const struct arcline_offline_table *tables;
  uint64_t n_tables;
  const uint64_t *bins[ARCLINE_LIVE_MAX_TEXTS];   /* or NULL */
  const uint8_t *touched[ARCLINE_LIVE_MAX_TEXTS]; /* if bins */
  const struct arcline_live_baseline *baseline;   /* or NULL */
  const uint64_t *early_cells;                    /* or NULL */
  struct arcline_offline_table early;             /* any number of arcs */
  const struct arcline_live_callees *callees;     /* or NULL */
};

/** Where bytes go. */
struct arcline_offline_sink {
  int (*put)(void *context, const void *bytes, uint64_t n); /* 0, or -1 */
  void *context;
};

struct arcline_offline; /* all objects of a process */

/** Returns NULL if out of memory. What is passed must stay. */
struct arcline_offline *
arcline_offline_open(const struct arcline_live_head *head,
                     const struct arcline_offline_object *objects, uint64_t n);
/** Write the profile of object i as a gmon.out file. Returns 0, -1 if the sink
 * failed, -2 if out of memory, -3 if the counts cannot be true. */
int arcline_offline_write(struct arcline_offline *offline, uint64_t i,
                          const struct arcline_offline_sink *sink);
/** Write the side file, once all profiles have been written. Returns as
 * arcline_offline_write(). */
int arcline_offline_write_side(struct arcline_offline *offline,
                               const struct arcline_offline_sink *sink);
void arcline_offline_close(struct arcline_offline *offline);

#endif
