/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/busy_part.h"

#include "base/err.h"

#include <stdbool.h>
#include <stdlib.h>

static bool has_counts(const struct symbol_counts *counts) {
  return counts->ticks != 0 || counts->calls != 0 || counts->self_calls != 0 ||
         counts->outside_calls != 0;
}

/** Mark busy symbols. Returns how many there are. */
static size_t mark_busy(const struct profile *whole, bool *is_busy) {
  size_t n_busy = 0;

  for (size_t i = 0; i < whole->n_arcs; i++) {
    is_busy[whole->arcs[i].parent] = true;
    is_busy[whole->arcs[i].child] = true;
  }
  for (size_t i = 0; i < whole->symtab->n_symbols; i++) {
    is_busy[i] |= has_counts(&whole->counts[i]);
    n_busy += is_busy[i];
  }
  return n_busy;
}

static void copy_symbols(const struct profile *whole, const bool *is_busy,
                         uint32_t *places, struct busy_part *out) {
  struct symtab *const symtab = &out->symtab;

  for (size_t i = 0; i < whole->symtab->n_symbols; i++) {
    if (!is_busy[i])
      continue;
    places[i] = (uint32_t)symtab->n_symbols;
    out->whole[symtab->n_symbols] = (uint32_t)i;
    out->profile.counts[symtab->n_symbols] = whole->counts[i];
    symtab->symbols[symtab->n_symbols++] = whole->symtab->symbols[i];
  }
}

static void copy_arcs(const struct profile *whole, const uint32_t *places,
                      struct busy_part *out) {
  for (size_t i = 0; i < whole->n_arcs; i++) {
    const struct profile_arc *const arc = &whole->arcs[i];
    out->profile.arcs[i] = (struct profile_arc){.parent = places[arc->parent],
                                                .child = places[arc->child],
                                                .count = arc->count};
  }
}

/** The same profile, but without what only its making needs. */
static struct profile copy_profile(const struct profile *whole,
                                   const struct busy_part *out) {
  struct profile copy = *whole;

  copy.symtab = &out->symtab;
  copy.counts = NULL;
  copy.arcs = NULL;
  copy.function_of = NULL;
  copy.arc_index = copy.block_index = copy.histogram_index = (struct map64){0};
  return copy;
}

static int take(const struct profile *whole, const bool *is_busy, size_t n_busy,
                struct busy_part *out, struct err *err) {
  const size_t n_symbols = whole->symtab->n_symbols;
  struct profile *const profile = &out->profile;

  *profile = copy_profile(whole, out);
  profile->counts = reallocarray(NULL, n_busy + 1, sizeof(*profile->counts));
  profile->arcs = reallocarray(NULL, whole->n_arcs + 1, sizeof(*profile->arcs));
  out->symtab.symbols =
      reallocarray(NULL, n_busy + 1, sizeof(*out->symtab.symbols));
  out->whole = reallocarray(NULL, n_busy + 1, sizeof(*out->whole));
  uint32_t *const places = reallocarray(NULL, n_symbols + 1, sizeof(*places));
  if (!profile->counts || !profile->arcs || !out->symtab.symbols ||
      !out->whole || !places) {
    free(places);
    busy_part_release(out);
    return err_no_memory(err);
  }
  copy_symbols(whole, is_busy, places, out);
  copy_arcs(whole, places, out);
  free(places);
  return 0;
}

int busy_part_take(const struct profile *whole, struct busy_part *out,
                   struct err *err) {
  const size_t n_symbols = whole->symtab->n_symbols;
  bool *const is_busy = calloc(n_symbols + 1, sizeof(*is_busy));

  *out = (struct busy_part){0};
  if (!is_busy)
    return err_no_memory(err);
  const size_t n_busy = mark_busy(whole, is_busy);
  const int rc =
      n_busy <= n_symbols / 2 ? take(whole, is_busy, n_busy, out, err) : 0;
  free(is_busy);
  return rc;
}

void busy_part_release(struct busy_part *part) {
  free(part->profile.counts);
  free(part->profile.arcs);
  symtab_release(&part->symtab);
  free(part->whole);
  *part = (struct busy_part){0};
}
