/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the compilation units that may have code at an address. Part of
 * lines.h, its only user.
 */
#ifndef ARCLINE_UNIT_CLAIMS_H
#define ARCLINE_UNIT_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* Units that are tried for an address: more than one claims it only if the
   linker dropped duplicates, or in a damaged file. */
enum { UNIT_CLAIMS_MAX_FOUND = 64 };

/** A stretch of addresses that a unit claims. */
struct unit_claim {
  uint64_t low, high;
  uint64_t max_high; /* the greatest high up to here */
  size_t i_unit;
};

/** Units that claim the addresses of a stretch, in the file's order. */
struct unit_candidates {
  uint64_t low, high;
  size_t n_units;
  size_t units[UNIT_CLAIMS_MAX_FOUND];
};

/** All claims. All zero is empty. */
struct unit_claims {
  struct unit_claim *claims; /* by low, once they are sorted */
  size_t n_claims, capacity;
  size_t hint;                  /* sorted.h */
  struct unit_candidates found; /* for the last address */
};

/** Add a claim; an empty one is ignored. Returns 0, or -1 with *err set (no
 * memory). */
int unit_claims_add(struct unit_claims *claims, uint64_t low, uint64_t high,
                    size_t i_unit, struct err *err);

/** Sort claims for look-ups, after some were added. */
void unit_claims_sort(struct unit_claims *claims);

/**
 * Find the units that claim vaddr, each once.
 *
 * has_below  if none does, take the unit just below: in GNU gprof, a unit once
 *            decoded claims all that its lines cover, also functions that the
 *            compiler made up, as gnat does, and left out of the unit's ranges.
 *
 * The result is valid until the next call for these claims.
 */
const struct unit_candidates *unit_claims_find(struct unit_claims *claims,
                                               uint64_t vaddr, bool has_below);

/** Free; an empty one may be released too. */
void unit_claims_release(struct unit_claims *claims);

#endif
