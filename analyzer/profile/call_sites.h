/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Calls by address, as files tell them: what a sum of files has to keep, also
 * where no symbol is known.
 */
#ifndef ARCLINE_CALL_SITES_H
#define ARCLINE_CALL_SITES_H

#include <stddef.h>
#include <stdint.h>

struct err;

/** Calls from one address to another. */
struct call_site {
  uint64_t from_pc;
  uint64_t self_pc;
  uint64_t count;
  size_t order; /* private */
};

/** All zero is empty. */
struct call_sites {
  struct call_site *sites;
  size_t n_sites;
  size_t max_sites; /* private */
};

/** Add calls. Returns 0, or -1 with *err set (no memory). */
int call_sites_add(struct call_sites *sites, uint64_t from_pc, uint64_t self_pc,
                   uint64_t count, struct err *err);

/** Join those of the same two addresses; they stay in order of first
 * appearance, which reports depend on. Returns 0 or -1 (no memory). */
int call_sites_join(struct call_sites *sites, struct err *err);

/** Free; empty ones may be released too. */
void call_sites_release(struct call_sites *sites);

#endif
