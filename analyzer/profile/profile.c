/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/profile.h"
#include "profile/profile_join.h"

#include "base/array.h"
#include "base/err.h"
#include "base/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int profile_init(struct profile *profile, const struct symtab *symtab,
                 const struct symspec_tables *filters, unsigned flags,
                 struct err *err) {
  *profile = (struct profile){
      .symtab = symtab,
      .filters = filters,
      .flags = flags,
  };
  // Arcs have indices of 32 bits.
  if (symtab->n_symbols >= PROFILE_NONE)
    return err_set(err, ERR_INPUT,
                   "too many symbols: %zu; report fewer images at once",
                   symtab->n_symbols);
  profile->counts =
      array_resize(NULL, symtab->n_symbols + 1, sizeof(*profile->counts));
  profile->function_of =
      array_resize(NULL, symtab->n_symbols + 1, sizeof(uint32_t));
  if (!profile->counts || !profile->function_of) {
    profile_release(profile);
    return err_no_memory(err);
  }
  uint32_t function = PROFILE_NONE;
  for (size_t i = 0; i < symtab->n_symbols; i++) {
    if (symtab->symbols[i].is_func)
      function = (uint32_t)i;
    profile->function_of[i] = function;
    profile->counts[i] = (struct symbol_counts){.first_block = PROFILE_NONE,
                                                .last_block = PROFILE_NONE};
  }
  return 0;
}

void profile_release(struct profile *profile) {
  free(profile->counts);
  free(profile->function_of);
  free(profile->arcs);
  free(profile->stack_arcs);
  free(profile->blocks);
  map64_release(&profile->arc_index);
  *profile = (struct profile){0};
}

// --- Arcs and blocks ---

/** The symbol at an address of the object that is being added, or
 * SYMTAB_NONE. */
static size_t find_symbol(const struct profile *profile, uint64_t vaddr) {
  const struct symtab_object *object = profile->object;

  if (!object)
    return symtab_find(profile->symtab, vaddr);
  return vaddr >= object->low && vaddr < object->high
             ? symtab_find(profile->symtab, vaddr + object->base)
             : SYMTAB_NONE;
}

/** Name of a symbol that was looked up, for messages. */
static const char *name_of(const struct profile *profile, size_t i_symbol) {
  return i_symbol == SYMTAB_NONE ? "no symbol"
                                 : profile->symtab->symbols[i_symbol].name;
}

/** Add to the arc between two symbols, which is made if there is none. */
static int count_arc(struct profile *profile, uint32_t parent, uint32_t child,
                     uint64_t count, struct err *err) {
  const uint64_t key = (uint64_t)parent << 32 | child;
  uint32_t i = (uint32_t)profile->n_arcs;
  struct profile_arc *arcs = array_grow(profile->arcs, profile->n_arcs,
                                        &profile->arc_capacity, sizeof(*arcs));

  if (!arcs)
    return err_no_memory(err);
  profile->arcs = arcs;
  if (profile->n_arcs >= MAP64_NONE)
    return err_set(err, ERR_INPUT,
                   "too many arcs: %zu; report fewer profiles at once",
                   profile->n_arcs);
  const int found = map64_find_or_insert(&profile->arc_index, key, &i, err);
  if (found < 0)
    return -1;
  if (found)
    arcs[i].count += count;
  else
    arcs[profile->n_arcs++] =
        (struct profile_arc){.parent = parent, .child = child, .count = count};
  return 0;
}

/** Add an arc between two symbols, unless the user deselected it. */
static int add_symbol_arc(struct profile *profile, uint32_t parent,
                          uint32_t child, uint64_t count, struct err *err) {
  const struct symbol *symbols = profile->symtab->symbols;

  if (!symspec_allows_arc(profile->filters, &symbols[parent],
                          &symbols[child])) {
    TRACE(TRACE_TALLY, "%s calls %s: not selected", symbols[parent].name,
          symbols[child].name);
    return 0;
  }
  TRACE(TRACE_TALLY, "%s calls %s: %" PRIu64 " more", symbols[parent].name,
        symbols[child].name, count);
  profile->counts[child].calls += count;
  return count_arc(profile, parent, child, count, err);
}

bool profile_has_arc(const struct profile *profile, uint32_t i_parent,
                     uint32_t i_child) {
  const uint64_t key = (uint64_t)i_parent << 32 | i_child;

  return map64_find(&profile->arc_index, key) != MAP64_NONE;
}

int profile_weigh_arc(struct profile *profile, uint32_t i_parent,
                      uint32_t i_child, double ticks, struct err *err) {
  const struct symbol *symbols = profile->symtab->symbols;
  const uint64_t key = (uint64_t)i_parent << 32 | i_child;

  if (!symspec_allows_arc(profile->filters, &symbols[i_parent],
                          &symbols[i_child]))
    return 0;
  if (count_arc(profile, i_parent, i_child, 0, err))
    return -1;
  profile->arcs[map64_find(&profile->arc_index, key)].weight += ticks;
  profile->counts[i_child].weight += ticks;
  return 0;
}

int profile_measure_arc(struct profile *profile, uint32_t i_parent,
                        uint32_t i_child, double ticks, struct err *err) {
  const uint64_t key = (uint64_t)i_parent << 32 | i_child;
  const uint32_t i_arc = map64_find(&profile->arc_index, key);

  if (i_arc != MAP64_NONE) {
    profile->arcs[i_arc].inclusive += ticks;
    return 0;
  }
  struct profile_arc *const arcs =
      array_grow(profile->stack_arcs, profile->n_stack_arcs,
                 &profile->stack_arc_capacity, sizeof(*arcs));
  if (!arcs)
    return err_no_memory(err);
  profile->stack_arcs = arcs;
  arcs[profile->n_stack_arcs++] = (struct profile_arc){
      .parent = i_parent, .child = i_child, .inclusive = ticks};
  return 0;
}

int profile_add_static_arc(struct profile *profile, uint32_t i_parent,
                           uint32_t i_child, struct err *err) {
  return count_arc(profile, i_parent, i_child, 0, err);
}

uint32_t profile_function_of(const struct profile *profile, size_t i_symbol) {
  return profile->function_of[i_symbol];
}

/** The symbol that an arc comes from. Arcs of one place follow one another in
 * most files. */
static size_t find_parent(struct profile *profile, uint64_t from_vaddr) {
  if (!profile->has_last || profile->last_from != from_vaddr) {
    profile->last_parent = find_symbol(profile, from_vaddr);
    profile->last_from = from_vaddr;
    profile->has_last = true;
  }
  return profile->last_parent;
}

static int add_arc(struct profile *profile, const struct measure_arc *arc,
                   struct err *err) {
  size_t parent = find_parent(profile, arc->from_pc);
  size_t i_self = find_symbol(profile, arc->self_pc);
  uint32_t child =
      i_self == SYMTAB_NONE ? PROFILE_NONE : profile->function_of[i_self];

  TRACE(TRACE_LOOKUP, "caller 0x%" PRIx64 " is in %s", arc->from_pc,
        name_of(profile, parent));
  TRACE(TRACE_LOOKUP, "callee 0x%" PRIx64 " is in %s", arc->self_pc,
        name_of(profile, i_self));
  if (child == PROFILE_NONE) {
    TRACE(TRACE_TALLY, "no function at 0x%" PRIx64 ": omitted", arc->self_pc);
    return 0;
  }
  if (parent != SYMTAB_NONE)
    return add_symbol_arc(profile, (uint32_t)parent, child, arc->count, err);
  if (profile->flags & PROFILE_OUTSIDE)
    profile->counts[child].outside_calls += arc->count;
  TRACE(TRACE_TALLY, "unknown caller of %s: %" PRIu64 " %s",
        name_of(profile, child), arc->count,
        profile->flags & PROFILE_OUTSIDE ? "more" : "omitted");
  return 0;
}

int profile_add_cross_arc(struct profile *profile, uint32_t i_parent,
                          uint32_t i_child, uint64_t count, struct err *err) {
  struct symbol_counts *counts = &profile->counts[i_child];

  counts->outside_calls -=
      count < counts->outside_calls ? count : counts->outside_calls;
  profile->has_arcs = true;
  return add_symbol_arc(profile, i_parent, i_child, count, err);
}

int profile_move_calls(struct profile *profile, uint32_t i_parent,
                       uint32_t i_new_parent, uint32_t i_child, uint64_t count,
                       struct err *err) {
  const uint64_t key = (uint64_t)i_parent << 32 | i_child;
  const uint32_t i_arc = map64_find(&profile->arc_index, key);

  if (i_arc == MAP64_NONE || i_parent == i_new_parent)
    return 0;
  struct profile_arc *const arc = &profile->arcs[i_arc];
  const uint64_t n = count < arc->count ? count : arc->count;
  arc->count -= n;
  return n ? count_arc(profile, i_new_parent, i_child, n, err) : 0;
}

/** Has a symbol as many blocks as GNU gprof has room for? */
static bool has_ten_blocks(const struct profile *profile, size_t i_symbol) {
  enum { GNU_BLOCKS = 10 };
  int n_blocks = 0;

  for (uint32_t i = profile->counts[i_symbol].first_block;
       i != PROFILE_NONE && n_blocks < GNU_BLOCKS; i = profile->blocks[i].next)
    n_blocks++;
  return n_blocks == GNU_BLOCKS;
}

static int add_block(struct profile *profile, const struct measure_block *block,
                     struct err *err) {
  const size_t i_symbol = find_symbol(profile, block->vaddr);

  TRACE(TRACE_BLOCKS, "block 0x%" PRIx64 " in %s: %" PRIu64 " more",
        block->vaddr, name_of(profile, i_symbol), block->count);
  if (profile->flags & PROFILE_GNU && i_symbol != SYMTAB_NONE &&
      has_ten_blocks(profile, i_symbol))
    return 0;
  struct profile_block *blocks =
      array_grow(profile->blocks, profile->n_blocks, &profile->block_capacity,
                 sizeof(*blocks));
  if (!blocks)
    return err_no_memory(err);
  profile->blocks = blocks;
  if (profile->n_blocks >= PROFILE_NONE)
    return err_set(err, ERR_INPUT,
                   "too many blocks: %zu; report fewer profiles at once",
                   profile->n_blocks);
  const uint32_t i_block = (uint32_t)profile->n_blocks++;
  blocks[i_block] = (struct profile_block){
      .vaddr = block->vaddr + (profile->object ? profile->object->base : 0),
      .count = block->count,
      .next = PROFILE_NONE,
      .is_outside = i_symbol == SYMTAB_NONE,
  };
  if (i_symbol == SYMTAB_NONE)
    return 0;
  struct symbol_counts *counts = &profile->counts[i_symbol];
  if (counts->first_block == PROFILE_NONE)
    counts->first_block = i_block;
  else
    blocks[counts->last_block].next = i_block;
  counts->last_block = i_block;
  return 0;
}

// --- Samples ---

/** The last symbol that begins at vaddr or below, or the first one of all. */
static size_t first_symbol(const struct symtab *symtab, uint64_t vaddr) {
  size_t n = symtab_count_up_to(symtab, vaddr);

  return n ? n - 1 : 0;
}

/**
 * Spread the bins of one histogram. Addresses are halved first, as bins are
 * laid out in units of 2 bytes; a symbol gets of a bin's samples in proportion
 * to the overlap of the two. The order of operations is that of GNU gprof, so
 * that sums are rounded alike.
 */
static void spread_histogram(struct profile *profile,
                             const struct bins *histogram, double scale) {
  const struct symtab *symtab = profile->symtab;
  const uint64_t low_vaddr =
      histogram->low_pc + (profile->object ? profile->object->base : 0);
  const uint64_t low_unit = low_vaddr / 2;
  // No symbol before it reaches into later bins.
  size_t first = first_symbol(symtab, low_vaddr);

  for (size_t i = 0; i < histogram->n_filled; i++) {
    const double i_bin = histogram->filled[i].i_bin;
    uint64_t bin_low = low_unit + (uint64_t)(scale * i_bin);
    uint64_t bin_high = low_unit + (uint64_t)(scale * (i_bin + 1));
    double n_samples = (double)histogram->filled[i].count;
    profile->total_ticks += n_samples;
    // The last symbol gets nothing: it has no end, as no symbol follows.
    for (size_t j = first; j + 1 < symtab->n_symbols; j++) {
      uint64_t symbol_low = symtab->symbols[j].vaddr / 2;
      uint64_t symbol_high = symtab->symbols[j + 1].vaddr / 2;
      if (symbol_high <= bin_low) {
        first = j + 1;
        continue;
      }
      if (symbol_low >= bin_high)
        break;
      uint64_t low = symbol_low > bin_low ? symbol_low : bin_low;
      uint64_t high = symbol_high < bin_high ? symbol_high : bin_high;
      if (high <= low)
        continue;
      double credit = (double)(high - low) * n_samples / scale;
      if (symspec_allows(profile->filters, SYMSPEC_FLAT,
                         symtab->symbols[j].vaddr))
        profile->counts[j].ticks += credit;
      else
        profile->total_ticks -= credit;
    }
  }
}

void profile_add_ticks(struct profile *profile, size_t i_symbol, double ticks) {
  if (!symspec_allows(profile->filters, SYMSPEC_FLAT,
                      profile->symtab->symbols[i_symbol].vaddr))
    return;
  profile->counts[i_symbol].ticks += ticks;
  profile->total_ticks += ticks;
}

double profile_move_ticks(struct profile *profile, size_t i_from, size_t i_to,
                          double ticks) {
  // A rounding error that remains is no time.
  const double least = 1e-9;
  double *const from = &profile->counts[i_from].ticks;
  const double n = ticks < *from - least ? ticks : *from;

  *from -= n;
  profile->total_ticks -= n;
  profile_add_ticks(profile, i_to, n);
  return n;
}

// --- All together ---

int profile_add(struct profile *profile, const struct measure *measure,
                const struct symtab_object *object, struct err *err) {
  profile->object = object;
  profile->has_last = false;
  if (measure->unit.is_known)
    profile->unit = measure->unit;
  if (profile->scale == 0)
    profile->scale = measure->scale;
  profile->has_arcs |= measure->has_arcs;
  profile->has_blocks |= profile->flags & PROFILE_BLOCKS && measure->has_blocks;
  profile->ignored_blocks |= measure->ignored_blocks;
  for (size_t i = 0; i < measure->n_arcs; i++)
    if (add_arc(profile, &measure->arcs[i], err))
      return -1;
  for (size_t i = 0; profile->flags & PROFILE_BLOCKS && i < measure->n_blocks;
       i++)
    if (add_block(profile, &measure->blocks[i], err))
      return -1;
  for (size_t i = 0; i < measure->n_histograms; i++)
    spread_histogram(profile, &measure->histograms[i], measure->scale);
  return 0;
}

void profile_finish(struct profile *profile) {
  for (size_t i = 0; i < profile->symtab->n_symbols; i++) {
    struct symbol_counts *counts = &profile->counts[i];
    if (counts->outside_calls == 0)
      continue;
    if (!symspec_allows_arc(profile->filters, NULL,
                            &profile->symtab->symbols[i]))
      counts->outside_calls = 0;
    counts->calls += counts->outside_calls;
  }
  for (size_t i = 0; i < profile->n_arcs; i++) {
    const struct profile_arc *arc = &profile->arcs[i];
    if (arc->parent != arc->child)
      continue;
    profile->counts[arc->child].calls -= arc->count;
    profile->counts[arc->child].self_calls = arc->count;
  }
}

// --- Sums ---

/** Leave out the arcs that the user deselected. */
static void select_arcs(const struct profile *profile, struct measure *sum) {
  const struct symbol *const symbols = profile->symtab->symbols;
  size_t n = 0;

  for (size_t i = 0; i < sum->n_arcs; i++) {
    const size_t i_caller = find_symbol(profile, sum->arcs[i].from_pc);
    const size_t i_self = find_symbol(profile, sum->arcs[i].self_pc);
    const uint32_t i_callee =
        i_self == SYMTAB_NONE ? PROFILE_NONE : profile->function_of[i_self];
    if (i_callee == PROFILE_NONE ||
        symspec_allows_arc(profile->filters,
                           i_caller == SYMTAB_NONE ? NULL : &symbols[i_caller],
                           &symbols[i_callee]))
      sum->arcs[n++] = sum->arcs[i];
  }
  sum->n_arcs = n;
}

/** Take arcs between symbols instead: in order of their callers; those of a
 * caller newest first. */
static int take_symbol_arcs(const struct profile *profile, struct measure *sum,
                            struct err *err) {
  const struct symbol *symbols = profile->symtab->symbols;
  const size_t n_symbols = profile->symtab->n_symbols;
  int rc = -1;

  // Each caller's newest arc, and to each arc the next older one.
  uint32_t *newest = calloc(n_symbols + 1, sizeof(*newest));
  uint32_t *older = calloc(profile->n_arcs + 1, sizeof(*older));
  struct measure_arc *arcs = calloc(profile->n_arcs + 1, sizeof(*arcs));
  if (!newest || !older || !arcs) {
    err_no_memory(err);
    goto out;
  }
  memset(newest, 0xff, (n_symbols + 1) * sizeof(*newest));
  for (uint32_t i = 0; i < profile->n_arcs; i++) {
    older[i] = newest[profile->arcs[i].parent];
    newest[profile->arcs[i].parent] = i;
  }
  free(sum->arcs);
  sum->arcs = arcs;
  sum->n_arcs = 0;
  for (size_t i = 0; i < n_symbols; i++)
    for (uint32_t j = newest[i]; j != PROFILE_NONE; j = older[j])
      arcs[sum->n_arcs++] =
          (struct measure_arc){.from_pc = symbols[i].vaddr,
                               .self_pc = symbols[profile->arcs[j].child].vaddr,
                               .count = profile->arcs[j].count};
  arcs = NULL;
  rc = 0;
out:
  free(newest);
  free(older);
  free(arcs);
  return rc;
}

/** Put blocks in order of symbols; those of no symbol come last. */
static int sort_blocks(const struct profile *profile, struct measure *sum,
                       struct err *err) {
  struct measure_block *blocks = calloc(profile->n_blocks + 1, sizeof(*blocks));
  size_t n = 0;

  if (!blocks)
    return err_no_memory(err);
  for (size_t i = 0; i < profile->symtab->n_symbols; i++)
    for (uint32_t j = profile->counts[i].first_block; j != PROFILE_NONE;
         j = profile->blocks[j].next)
      blocks[n++] = (struct measure_block){profile->blocks[j].vaddr,
                                           profile->blocks[j].count};
  for (size_t i = 0; i < profile->n_blocks && !(profile->flags & PROFILE_GNU);
       i++)
    if (profile->blocks[i].is_outside)
      blocks[n++] = (struct measure_block){profile->blocks[i].vaddr,
                                           profile->blocks[i].count};
  free(sum->blocks);
  sum->blocks = blocks;
  sum->n_blocks = n;
  return 0;
}

int profile_make_sum(const struct profile *profile, struct measure *sum,
                     struct err *err) {
  if (!(profile->flags & PROFILE_GNU))
    select_arcs(profile, sum);
  else if (take_symbol_arcs(profile, sum, err))
    return -1;
  return sort_blocks(profile, sum, err);
}
