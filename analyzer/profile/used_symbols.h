/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reduces a profile to its symbols with calls, samples or arcs. Nearly all
 * symbols of a large program are idle, the more so if each line is one; data of
 * the others alone is close together in memory.
 */
#ifndef ARCLINE_USED_SYMBOLS_H
#define ARCLINE_USED_SYMBOLS_H

#include <stdint.h>

#include "image/symtab.h"
#include "profile/profile.h"

struct err;

/** All zero is empty. */
struct used_symbols {
  struct profile profile; /* of these symbols alone, to be read only */
  struct symtab symtab;   /* in the same order as the whole one */
  uint32_t *whole;        /* per symbol: its index in the whole table */
};

/**
 * Take the used symbols out of a profile.
 *
 * whole  finished; borrowed until used_symbols_release().
 *
 * Returns 0, or -1 with *err set (no memory). *out is empty if most symbols are
 * used: then nothing is gained.
 */
int used_symbols_take(const struct profile *whole, struct used_symbols *out,
                      struct err *err);

/** Free; an empty one may be released too. */
void used_symbols_release(struct used_symbols *used);

#endif
