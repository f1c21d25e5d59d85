/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Solves a profile: cells become counts of source functions' nodes, and these
 * become arcs, and blocks at addresses. The runtime, which solves when it
 * writes a profile, and the analyzer share this code, so that the two cannot
 * disagree.
 *
 * Freestanding: no libc, no allocation but the caller's, no recursion; may run
 * in a signal handler. Safe on hostile data: every read is checked, and records
 * that contradict others are left out and reported (solve_damage). Work is in
 * proportion to the code that has run: of a function that has not, only the
 * head of its graph is read. */
#ifndef ARCLINE_SOLVE_H
#define ARCLINE_SOLVE_H

#include "solve/arc.h"
#include "solve/records.h"

enum { SOLVE_PART_CELLS = 512 };

/** Are there cells from `first` to `last` that may not be 0? */
static inline bool solve_is_touched(const uint64_t *touched, size_t first,
                                    size_t last) {
  const size_t end = last / SOLVE_PART_CELLS;

  for (size_t i = first / SOLVE_PART_CELLS; touched && i <= end; i++)
    if (touched[i / 64] >> i % 64 & 1)
      return true;
  return !touched;
}

/** The input of the solver. Borrowed until solve_close(). */
struct solve_input {
  const struct solve_image *image;
  const uint64_t *cells; /* as many as the image has */
  /** A bit for each part of SOLVE_PART_CELLS cells: not all are 0. Others are
   * not read. NULL: all are read. */
  const uint64_t *touched;
  /** A bit for each body: only these are read, for solve_sites() alone. NULL:
   * all are. */
  const uint64_t *bodies;
  /** As collected and merged, with link-time addresses; those from sites among
   * them. */
  const struct solve_arc *arcs;
  size_t n_arcs;
  /** solve_next_blocks() lists the blocks of functions that have not run, too.
   */
  bool has_all_blocks;
  /** The callee that a site's record names, as an end of an arc; 0: none, or in
   * no instrumented object. */
  uint64_t (*callee)(const void *context, size_t i_site, bool is_second);
  const void *context;
  /** Zeroed memory, aligned to 16 bytes, or NULL; n_used: bytes of it that are
   * about to be used from start to end. */
  void *(*alloc)(size_t n_bytes, size_t n_used);
  void (*free)(void *memory, size_t n_bytes); /* NULL: none */
};

/** A growing list. */
struct solve_arcs {
  struct solve_arc *arcs; /* from input.alloc(); the caller frees them */
  size_t n, n_room;
};

struct solver;

/** Read an image's records. Returns NULL if out of memory. */
struct solver *solve_open(const struct solve_input *input);
void solve_close(struct solver *solver); /* NULL: nothing */

/** The first record that could not be used so far. */
struct solve_damage solve_damage(const struct solver *solver);

/**
 * Add up what all copies have counted.
 *
 * counters       values of the counters of functions, added to: those of
 *                function i from counters[first_counter[i]] on.
 */
void solve_counters(struct solver *solver, uint64_t *counters,
                    const size_t *first_counter);

/** The counts of one copy of a function, if it was entered or has run. */
struct solve_copy_counts {
  size_t i_func;
  uint64_t body_vaddr; /* address of the body that it is in, or 0 */
  bool is_own;         /* the function's own body, not one it was inlined in */
  uint64_t n_entries;
  const uint64_t *counts; /* of nodes; until the visit ends */
};

/** Hand all copies that have run to a function. Those whose data is damaged are
 * left out. */
void solve_visit_copies(struct solver *solver,
                        void (*visit)(void *context,
                                      const struct solve_copy_counts *copy),
                        void *context);

/**
 * Solve: all arcs of the profile, merged, and the counts of blocks. Once.
 *
 * Returns 0; or -1 if out of memory, with nothing in *out.
 */
int solve_profile(struct solver *solver, struct solve_arcs *out);

/**
 * The input's arcs and those from sites to their first and second callees,
 * which until then are what is left of the sites' counts: the sites are about
 * to be unmapped, and at the next load another callee may come first. Instead
 * of solve_profile(); returns as it does.
 */
int solve_sites(struct solver *solver, struct solve_arcs *out);

/**
 * The next pairs of address and count, once the profile is solved: of the
 * blocks of functions that have run, also those of count 0.
 *
 * out   room for `room` pairs of two uintptr_t, unaligned.
 *
 * Returns how many there were; 0: no more.
 */
size_t solve_next_blocks(struct solver *solver, uint8_t *out, size_t room);

/** The address of function number i, if it has a body of its own; else 0. */
uint64_t solve_func_vaddr(const struct solver *solver, size_t i);

/** Find one address of each node of the functions that have run. Returns 0, or
 * -1 if out of memory. */
int solve_locate(struct solver *solver);

/** The address of a node of a function that has run, after solve_locate(); 0:
 * unknown. */
uint64_t solve_node_vaddr(const struct solver *solver, size_t i_func,
                          uint32_t node);

#endif
