/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Suggests the word that a user meant to type. Candidates are offered one by
 * one; the one with the fewest typing errors is kept.
 */
#ifndef ARCLINE_DID_YOU_MEAN_H
#define ARCLINE_DID_YOU_MEAN_H

#include <stddef.h>

struct did_you_mean {
  const char *word; /* as it was typed; borrowed */
  size_t n_word;    /* its length: no NUL needs to follow */
  const char *best; /* borrowed from those offered; NULL: none is near */
  size_t n_slips;   /* private */
};

/** Offer a word. It is kept if it has fewer errors than those before it, and at
 * most one for each three letters typed. Errors are letters that are missing,
 * added or replaced, and pairs that are swapped. */
void did_you_mean_offer(struct did_you_mean *nearest, const char *candidate);

#endif
