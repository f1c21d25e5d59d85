/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/used_symbols.h"

#include "base/err.h"

#include <stdbool.h>
#include <stdlib.h>

static bool has_counts(const struct symbol_counts *counts) {
  return counts->ticks != 0 || counts->calls != 0 || counts->self_calls != 0 ||
         counts->outside_calls != 0 || counts->inclusive != 0;
}

/** Mark used symbols. Returns how many there are. */
static size_t mark_used(const struct profile *whole, bool *is_used) {
  size_t n_used = 0;

  for (size_t i = 0; i < whole->n_arcs; i++) {
    is_used[whole->arcs[i].parent] = true;
    is_used[whole->arcs[i].child] = true;
  }
  for (size_t i = 0; i < whole->symtab->n_symbols; i++) {
    is_used[i] |= has_counts(&whole->counts[i]);
    n_used += is_used[i];
  }
  return n_used;
}

static void copy_symbols(const struct profile *whole, const bool *is_used,
                         uint32_t *places, struct used_symbols *out) {
  struct symtab *const symtab = &out->symtab;

  for (size_t i = 0; i < whole->symtab->n_symbols; i++) {
    if (!is_used[i])
      continue;
    places[i] = (uint32_t)symtab->n_symbols;
    out->whole[symtab->n_symbols] = (uint32_t)i;
    out->profile.counts[symtab->n_symbols] = whole->counts[i];
    symtab->symbols[symtab->n_symbols++] = whole->symtab->symbols[i];
  }
}

static void copy_arcs(const struct profile_arc *arcs, size_t n_arcs,
                      const uint32_t *places, struct profile_arc *out) {
  for (size_t i = 0; i < n_arcs; i++) {
    out[i] = arcs[i];
    out[i].parent = places[arcs[i].parent];
    out[i].child = places[arcs[i].child];
  }
}

/** The same profile, but without the parts that only making it needs. */
static struct profile copy_profile(const struct profile *whole,
                                   const struct used_symbols *out) {
  struct profile copy = *whole;

  copy.symtab = &out->symtab;
  copy.counts = NULL;
  copy.arcs = NULL;
  copy.stack_arcs = NULL;
  copy.function_of = NULL;
  copy.arc_index = (struct map64){0};
  return copy;
}

static int take(const struct profile *whole, const bool *is_used, size_t n_used,
                struct used_symbols *out, struct err *err) {
  const size_t n_symbols = whole->symtab->n_symbols;
  struct profile *const profile = &out->profile;

  *profile = copy_profile(whole, out);
  profile->counts = reallocarray(NULL, n_used + 1, sizeof(*profile->counts));
  profile->arcs = reallocarray(NULL, whole->n_arcs + 1, sizeof(*profile->arcs));
  profile->stack_arcs =
      reallocarray(NULL, whole->n_stack_arcs + 1, sizeof(*profile->stack_arcs));
  out->symtab.symbols =
      reallocarray(NULL, n_used + 1, sizeof(*out->symtab.symbols));
  out->whole = reallocarray(NULL, n_used + 1, sizeof(*out->whole));
  uint32_t *const places = reallocarray(NULL, n_symbols + 1, sizeof(*places));
  if (!profile->counts || !profile->arcs || !profile->stack_arcs ||
      !out->symtab.symbols || !out->whole || !places) {
    free(places);
    used_symbols_release(out);
    return err_no_memory(err);
  }
  copy_symbols(whole, is_used, places, out);
  copy_arcs(whole->arcs, whole->n_arcs, places, profile->arcs);
  copy_arcs(whole->stack_arcs, whole->n_stack_arcs, places,
            profile->stack_arcs);
  free(places);
  return 0;
}

int used_symbols_take(const struct profile *whole, struct used_symbols *out,
                      struct err *err) {
  const size_t n_symbols = whole->symtab->n_symbols;
  bool *const is_used = calloc(n_symbols + 1, sizeof(*is_used));

  *out = (struct used_symbols){0};
  if (!is_used)
    return err_no_memory(err);
  const size_t n_used = mark_used(whole, is_used);
  const int rc =
      n_used <= n_symbols / 2 ? take(whole, is_used, n_used, out, err) : 0;
  free(is_used);
  return rc;
}

void used_symbols_release(struct used_symbols *used) {
  free(used->profile.counts);
  free(used->profile.arcs);
  free(used->profile.stack_arcs);
  symtab_release(&used->symtab);
  free(used->whole);
  *used = (struct used_symbols){0};
}
