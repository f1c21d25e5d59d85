/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/unit_claims.h"

#include "base/array.h"
#include "base/err.h"
#include "base/sorted.h"

#include <stdlib.h>
#include <string.h>

int unit_claims_add(struct unit_claims *claims, uint64_t low, uint64_t high,
                    size_t i_unit, struct err *err) {
  if (high <= low)
    return 0;
  struct unit_claim *const grown = array_grow(
      claims->claims, claims->n_claims, &claims->capacity, sizeof(*grown));
  if (!grown)
    return err_no_memory(err);
  claims->claims = grown;
  grown[claims->n_claims++] =
      (struct unit_claim){.low = low, .high = high, .i_unit = i_unit};
  return 0;
}

static int compare_claims(const void *a, const void *b) {
  const struct unit_claim *const x = a, *const y = b;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return (x->i_unit > y->i_unit) - (x->i_unit < y->i_unit);
}

void unit_claims_sort(struct unit_claims *claims) {
  if (claims->n_claims == 0)
    return;
  qsort(claims->claims, claims->n_claims, sizeof(*claims->claims),
        compare_claims);
  uint64_t max_high = 0;
  for (size_t i = 0; i < claims->n_claims; i++) {
    if (claims->claims[i].high > max_high)
      max_high = claims->claims[i].high;
    claims->claims[i].max_high = max_high;
  }
  claims->found = (struct unit_candidates){0};
}

/** Insert a unit in order, unless it was found already. */
static void add_unit(struct unit_candidates *found, size_t i_unit) {
  size_t *const units = found->units;
  size_t place = found->n_units;
  while (place > 0 && units[place - 1] > i_unit)
    place--;
  if (place > 0 && units[place - 1] == i_unit)
    return;
  memmove(&units[place + 1], &units[place],
          (found->n_units - place) * sizeof(*units));
  units[place] = i_unit;
  found->n_units++;
}

const struct unit_candidates *unit_claims_find(struct unit_claims *claims,
                                               uint64_t vaddr, bool has_below) {
  struct unit_candidates *const found = &claims->found;
  if (vaddr >= found->low && vaddr < found->high)
    return found;
  size_t i = sorted_count_up_to(claims->claims, claims->n_claims,
                                sizeof(*claims->claims), vaddr, &claims->hint);
  const size_t n_below = i;
  *found = (struct unit_candidates){
      .low = vaddr,
      .high = i < claims->n_claims ? claims->claims[i].low : UINT64_MAX};
  for (size_t steps = 0; i > 0 && steps < UNIT_CLAIMS_MAX_FOUND; steps++) {
    const struct unit_claim *const claim = &claims->claims[--i];
    if (claim->max_high <= vaddr)
      break;
    if (vaddr >= claim->high)
      continue;
    if (claim->high < found->high)
      found->high = claim->high;
    add_unit(found, claim->i_unit);
  }
  if (found->n_units == 0 && n_below > 0 && has_below)
    add_unit(found, claims->claims[n_below - 1].i_unit);
  return found;
}

void unit_claims_release(struct unit_claims *claims) {
  free(claims->claims);
  *claims = (struct unit_claims){0};
}
