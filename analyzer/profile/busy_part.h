/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The part of a profile that anything was counted for. Nearly all symbols of a
 * large program were never called nor seen running, the more so if each line is
 * one; what is computed of the others alone is close together in memory.
 */
#ifndef ARCLINE_BUSY_PART_H
#define ARCLINE_BUSY_PART_H

#include <stdint.h>

#include "image/symtab.h"
#include "profile/profile.h"

struct err;

/** All zero is empty. */
struct busy_part {
  struct profile profile; /* of these symbols alone, to be read only */
  struct symtab symtab;   /* in the same order as the whole one */
  uint32_t *whole;        /* per symbol: its index in the whole table */
};

/**
 * Take the symbols with calls, samples or arcs out of a profile.
 *
 * whole  finished; borrowed until busy_part_release().
 *
 * Returns 0, or -1 with *err set (no memory). *out is empty if most symbols are
 * busy: then nothing is gained.
 */
int busy_part_take(const struct profile *whole, struct busy_part *out,
                   struct err *err);

/** Free; an empty one may be released too. */
void busy_part_release(struct busy_part *part);

#endif
