/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/profile.h"
#include "profile/profile_join.h"

#include "base/array.h"
#include "base/err.h"
#include "base/trace.h"
#include "profile/bins.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int profile_init(struct profile *profile, const struct symtab *symtab,
                 const struct symspec_tables *filters, unsigned flags,
                 struct err *err) {
  *profile = (struct profile){
      .symtab = symtab,
      .filters = filters,
      .flags = flags,
  };
  // Arcs hold indices of 32 bits.
  if (symtab->n_symbols >= PROFILE_NONE)
    return err_set(err, ERR_INPUT, "too many symbols: %zu", symtab->n_symbols);
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
  for (size_t i = 0; i < profile->n_histograms; i++)
    free(profile->histograms[i].filled);
  free(profile->histograms);
  free(profile->counts);
  free(profile->function_of);
  free(profile->arcs);
  free(profile->blocks);
  call_sites_release(&profile->call_sites);
  map64_release(&profile->arc_index);
  map64_release(&profile->block_index);
  map64_release(&profile->histogram_index);
  *profile = (struct profile){0};
}

// --- Arcs and blocks ---

void profile_set_object(struct profile *profile,
                        const struct symtab_object *object) {
  profile->object = object;
  profile->object_scale = 0;
  profile->has_last = false;
}

/** The symbol at an address of the object whose files are being read, or
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
  uint64_t key = (uint64_t)parent << 32 | child;
  uint32_t i_arc = map64_find(&profile->arc_index, key);
  if (i_arc != MAP64_NONE) {
    profile->arcs[i_arc].count += count;
    return 0;
  }
  if (profile->n_arcs == profile->arc_capacity) {
    size_t capacity = profile->arc_capacity ? 2 * profile->arc_capacity : 64;
    struct profile_arc *arcs =
        reallocarray(profile->arcs, capacity, sizeof(*arcs));
    if (!arcs)
      return err_no_memory(err);
    profile->arcs = arcs;
    profile->arc_capacity = capacity;
  }
  if (profile->n_arcs >= MAP64_NONE)
    return err_set(err, ERR_INPUT, "too many arcs: %zu", profile->n_arcs);
  if (map64_insert(&profile->arc_index, key, (uint32_t)profile->n_arcs, err))
    return -1;
  profile->arcs[profile->n_arcs++] =
      (struct profile_arc){.parent = parent, .child = child, .count = count};
  return 0;
}

/** Add an arc between two symbols, unless the user deselected it. */
static int add_arc(struct profile *profile, uint32_t parent, uint32_t child,
                   uint64_t count, struct err *err) {
  const struct symbol *symbols = profile->symtab->symbols;

  if (!symspec_allows_arc(profile->filters, &symbols[parent],
                          &symbols[child])) {
    TRACE(TRACE_TALLY, "%s calls %s: not wanted", symbols[parent].name,
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

int profile_add_arc(struct profile *profile, uint64_t from_vaddr,
                    uint64_t self_vaddr, uint64_t count, struct err *err) {
  size_t parent = find_parent(profile, from_vaddr);
  size_t i_self = find_symbol(profile, self_vaddr);
  uint32_t child =
      i_self == SYMTAB_NONE ? PROFILE_NONE : profile->function_of[i_self];

  TRACE(TRACE_LOOKUP, "caller 0x%" PRIx64 " is in %s", from_vaddr,
        name_of(profile, parent));
  TRACE(TRACE_LOOKUP, "callee 0x%" PRIx64 " is in %s", self_vaddr,
        name_of(profile, i_self));
  if (child == PROFILE_NONE) {
    TRACE(TRACE_TALLY, "no function at 0x%" PRIx64 ": left out", self_vaddr);
    return 0;
  }
  if (parent != SYMTAB_NONE)
    return add_arc(profile, (uint32_t)parent, child, count, err);
  if (profile->flags & PROFILE_JOINED)
    profile->counts[child].outside_calls += count;
  TRACE(TRACE_TALLY, "nobody known calls %s: %" PRIu64 " %s",
        name_of(profile, child), count,
        profile->flags & PROFILE_JOINED ? "more" : "left out");
  return 0;
}

/** Keep calls by address, unless the user deselected them. */
static int add_call_site(struct profile *profile, const struct gmon_arc *arc,
                         struct err *err) {
  const struct symbol *symbols = profile->symtab->symbols;
  const size_t i_caller = find_symbol(profile, arc->from_pc);
  const size_t i_self = find_symbol(profile, arc->self_pc);
  const uint32_t i_callee =
      i_self == SYMTAB_NONE ? PROFILE_NONE : profile->function_of[i_self];

  if (i_callee != PROFILE_NONE &&
      !symspec_allows_arc(profile->filters,
                          i_caller == SYMTAB_NONE ? NULL : &symbols[i_caller],
                          &symbols[i_callee]))
    return 0;
  return call_sites_add(&profile->call_sites, arc->from_pc, arc->self_pc,
                        arc->count, err);
}

int profile_add_cross_arc(struct profile *profile, uint32_t i_parent,
                          uint32_t i_child, uint64_t count, struct err *err) {
  struct symbol_counts *counts = &profile->counts[i_child];

  counts->outside_calls -=
      count < counts->outside_calls ? count : counts->outside_calls;
  profile->has_arcs = true;
  return add_arc(profile, i_parent, i_child, count, err);
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

static int add_block(struct profile *profile, const struct gmon_block *block,
                     struct err *err) {
  size_t i_symbol = find_symbol(profile, block->vaddr);
  uint64_t vaddr = block->vaddr + (profile->object ? profile->object->base : 0);

  TRACE(TRACE_BLOCKS, "block 0x%" PRIx64 " in %s: %" PRIu64 " more",
        block->vaddr, name_of(profile, i_symbol), block->count);
  uint32_t i_block = map64_find(&profile->block_index, vaddr);
  if (i_block != MAP64_NONE) {
    profile->blocks[i_block].count += block->count;
    return 0;
  }
  if (profile->flags & PROFILE_GNU && i_symbol != SYMTAB_NONE &&
      has_ten_blocks(profile, i_symbol))
    return 0;
  if (profile->n_blocks == profile->block_capacity) {
    size_t capacity =
        profile->block_capacity ? 2 * profile->block_capacity : 64;
    struct profile_block *blocks =
        reallocarray(profile->blocks, capacity, sizeof(*blocks));
    if (!blocks)
      return err_no_memory(err);
    profile->blocks = blocks;
    profile->block_capacity = capacity;
  }
  if (profile->n_blocks >= MAP64_NONE)
    return err_set(err, ERR_INPUT, "too many blocks: %zu", profile->n_blocks);
  i_block = (uint32_t)profile->n_blocks;
  if (map64_insert(&profile->block_index, vaddr, i_block, err))
    return -1;
  profile->blocks[profile->n_blocks++] = (struct profile_block){
      .vaddr = vaddr,
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
    profile->blocks[counts->last_block].next = i_block;
  counts->last_block = i_block;
  return 0;
}

// --- Histograms ---

static double scale_of(const struct gmon_histogram *histogram) {
  uint64_t n_units = (histogram->high_pc - histogram->low_pc) / 2;

  return (double)n_units / histogram->n_bins;
}

/** Is the histogram of the kind that was read before? */
static int check_histogram(const struct profile *profile,
                           const struct gmon_reader *reader,
                           const struct gmon_record *record, struct err *err) {
  const struct gmon_histogram *histogram = &record->histogram;
  const char *path = reader->file->path;
  unsigned long long offset = record->offset;

  if (strcmp(histogram->dimension, profile->dimension) != 0)
    return err_set(err, ERR_INPUT,
                   "%s: the histogram at offset %llu counts %.15s, and an "
                   "earlier one %.15s; report them separately",
                   path, offset, histogram->dimension, profile->dimension);
  if (histogram->abbreviation != profile->abbreviation)
    return err_set(err, ERR_INPUT,
                   "%s: the histogram at offset %llu abbreviates its unit to "
                   "'%c', and an earlier one to '%c'; report them separately",
                   path, offset, histogram->abbreviation,
                   profile->abbreviation);
  // Rounding of the number of bins makes tiny differences.
  if (histogram->n_bins > 0 && profile->object_scale > 0 &&
      fabs(scale_of(histogram) - profile->object_scale) > 0.000001)
    return err_set(err, ERR_INPUT,
                   "%s: the histogram at offset %llu has bins of %g bytes, and "
                   "an earlier one of %g; report them separately",
                   path, offset, 2 * scale_of(histogram),
                   2 * profile->object_scale);
  // GNU gprof looks at the rate of old files only.
  if (histogram->n_bins == 0 || histogram->rate_hz == profile->rate_hz ||
      (reader->is_old ? !reader->is_bsd44 : profile->flags & PROFILE_GNU))
    return 0;
  return err_set(err, ERR_INPUT,
                 "%s: the histogram at offset %llu was sampled %lu times a "
                 "second, but one of %s %lu times; report them separately",
                 path, offset, (unsigned long)histogram->rate_hz,
                 profile->rate_path, (unsigned long)profile->rate_hz);
}

/** The histogram at its place among several objects. Errors: it is not within
 * the object. */
static int place_histogram(const struct profile *profile,
                           const struct gmon_reader *reader,
                           const struct gmon_record *record,
                           struct gmon_histogram *out, struct err *err) {
  const struct symtab_object *object = profile->object;

  *out = record->histogram;
  if (!object)
    return 0;
  // Without bins, its range means nothing.
  if (out->n_bins == 0) {
    out->low_pc = out->high_pc = object->low + object->base;
    return 0;
  }
  if (out->low_pc < object->low || out->high_pc > object->high)
    return err_set(err, ERR_INPUT,
                   "%s: the histogram at offset %llu, of 0x%llx to 0x%llx, is "
                   "not within %s; is the file of another image?",
                   reader->file->path, (unsigned long long)record->offset,
                   (unsigned long long)out->low_pc,
                   (unsigned long long)out->high_pc, object->name);
  out->low_pc += object->base;
  out->high_pc += object->base;
  return 0;
}

/** Add a histogram of a range not seen yet. */
static int append_histogram(struct profile *profile,
                            const struct gmon_histogram *histogram,
                            struct err *err) {
  if (profile->n_histograms == PROFILE_MAX_HISTOGRAMS)
    return err_set(err, ERR_INPUT,
                   "too many histograms: of more than %d ranges of addresses",
                   PROFILE_MAX_HISTOGRAMS);
  if (map64_find(&profile->histogram_index, histogram->low_pc) == MAP64_NONE &&
      map64_insert(&profile->histogram_index, histogram->low_pc,
                   (uint32_t)profile->n_histograms, err))
    return -1;
  struct profile_histogram *grown =
      reallocarray(profile->histograms, profile->n_histograms + 1,
                   sizeof(*profile->histograms));
  if (!grown)
    return err_no_memory(err);
  profile->histograms = grown;
  profile->histograms[profile->n_histograms++] = (struct profile_histogram){
      .low_pc = histogram->low_pc,
      .high_pc = histogram->high_pc,
      .n_bins = histogram->n_bins,
      .scale = profile->object_scale,
  };
  return 0;
}

static int add_histogram(struct profile *profile,
                         const struct gmon_reader *reader,
                         const struct gmon_record *record, struct err *err) {
  struct gmon_histogram placed;
  const struct gmon_histogram *histogram = &placed;
  struct profile_histogram *into = NULL;

  if (place_histogram(profile, reader, record, &placed, err))
    return -1;
  if (!profile->has_histogram) {
    profile->has_histogram = true;
    profile->rate_hz = histogram->rate_hz;
    profile->rate_path = reader->file->path;
    // Old files tell no rate: it is that of the system's clock.
    if (reader->is_old && histogram->rate_hz == 0)
      profile->rate_hz = (uint32_t)sysconf(_SC_CLK_TCK);
    memcpy(profile->dimension, histogram->dimension,
           sizeof(profile->dimension));
    profile->abbreviation = histogram->abbreviation;
  } else if (check_histogram(profile, reader, record, err)) {
    return -1;
  }
  if (profile->object_scale == 0 && histogram->n_bins > 0)
    profile->object_scale = scale_of(histogram);
  if (profile->scale == 0)
    profile->scale = profile->object_scale;
  uint32_t i_same = map64_find(&profile->histogram_index, histogram->low_pc);
  if (i_same != MAP64_NONE) {
    struct profile_histogram *same = &profile->histograms[i_same];
    if (same->high_pc == histogram->high_pc &&
        same->n_bins == histogram->n_bins)
      into = same;
  }
  for (size_t i = 0; i < profile->n_histograms && !into; i++) {
    const struct profile_histogram *old = &profile->histograms[i];
    if (old->low_pc < histogram->high_pc && histogram->low_pc < old->high_pc)
      return err_set(err, ERR_INPUT,
                     "%s: the histogram at offset %llu, of 0x%llx to 0x%llx, "
                     "overlaps one of 0x%llx to 0x%llx; are the files of the "
                     "same image?",
                     reader->file->path, (unsigned long long)record->offset,
                     (unsigned long long)histogram->low_pc,
                     (unsigned long long)histogram->high_pc,
                     (unsigned long long)old->low_pc,
                     (unsigned long long)old->high_pc);
  }
  if (!into) {
    if (append_histogram(profile, histogram, err))
      return -1;
    into = &profile->histograms[profile->n_histograms - 1];
  }
  return bins_add(into, histogram, err);
}

// --- Files ---

static void trace_record(const struct gmon_record *record) {
  switch (record->tag) {
  case GMON_TAG_HISTOGRAM:
    trace_print(TRACE_READ,
                "offset %" PRIu64 ": histogram of 0x%" PRIx64 " to 0x%" PRIx64
                ", %" PRIu32 " bins, %" PRIu32 " samples a unit of \"%s\"",
                record->offset, record->histogram.low_pc,
                record->histogram.high_pc, record->histogram.n_bins,
                record->histogram.rate_hz, record->histogram.dimension);
    break;
  case GMON_TAG_ARC:
    trace_print(TRACE_READ,
                "offset %" PRIu64 ": arc from 0x%" PRIx64 " to 0x%" PRIx64
                ", count %" PRIu64,
                record->offset, record->arc.from_pc, record->arc.self_pc,
                record->arc.count);
    break;
  case GMON_TAG_BLOCKS:
    trace_print(TRACE_READ, "offset %" PRIu64 ": %" PRIu32 " basic blocks",
                record->offset, record->blocks.n_blocks);
    break;
  }
}

int profile_add(struct profile *profile, struct gmon_reader *reader,
                struct profile_contents *contents, struct err *err) {
  struct gmon_record record;
  struct gmon_block block;
  int more;

  *contents = (struct profile_contents){.version = reader->version};
  // Old files always have room for arcs, even if none follows.
  profile->has_arcs |= reader->is_old;
  while ((more = gmon_reader_next(reader, &record, err)) > 0) {
    if (trace_is_on(TRACE_READ))
      trace_record(&record);
    switch (record.tag) {
    case GMON_TAG_HISTOGRAM:
      contents->n_histograms += !reader->is_old || record.histogram.n_bins > 0;
      if (add_histogram(profile, reader, &record, err))
        return -1;
      break;
    case GMON_TAG_ARC:
      contents->n_arcs++;
      profile->has_arcs = true;
      if (profile->flags & PROFILE_CALL_SITES &&
          add_call_site(profile, &record.arc, err))
        return -1;
      if (profile_add_arc(profile, record.arc.from_pc, record.arc.self_pc,
                          record.arc.count, err))
        return -1;
      break;
    case GMON_TAG_BLOCKS:
      contents->n_blocks++;
      profile->has_blocks |= profile->flags & PROFILE_BLOCKS;
      profile->ignored_blocks |= !(profile->flags & PROFILE_BLOCKS);
      while (profile->flags & PROFILE_BLOCKS &&
             gmon_next_block(&record.blocks, &block))
        if (add_block(profile, &block, err))
          return -1;
      break;
    }
  }
  return more;
}

// --- Samples ---

/** The last symbol that begins at vaddr or below, or the first one of all. */
static size_t first_symbol(const struct symtab *symtab, uint64_t vaddr) {
  size_t n = symtab_count_up_to(symtab, vaddr);

  return n ? n - 1 : 0;
}

/**
 * Spread the bins of one histogram. Addresses are halved first, as bins are
 * laid out in units of 2 bytes; what a symbol gets of a bin is in proportion to
 * the overlap of the two. The order of operations is that of GNU gprof, for the
 * sums to round alike.
 */
static void spread_histogram(struct profile *profile,
                             const struct profile_histogram *histogram) {
  const struct symtab *symtab = profile->symtab;
  const uint64_t low_unit = histogram->low_pc / 2;
  const double scale = histogram->scale;
  // No symbol before it reaches into later bins.
  size_t first = first_symbol(symtab, histogram->low_pc);

  for (size_t i = 0; i < histogram->n_filled; i++) {
    const double i_bin = histogram->filled[i].i_bin;
    uint64_t bin_low = low_unit + (uint64_t)(scale * i_bin);
    uint64_t bin_high = low_unit + (uint64_t)(scale * (i_bin + 1));
    double n_samples = (double)histogram->filled[i].count;
    profile->total_ticks += n_samples;
    // The last symbol gets nothing: no other one tells where it ends.
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

void profile_finish(struct profile *profile) {
  for (size_t i = 0; i < profile->n_histograms; i++)
    spread_histogram(profile, &profile->histograms[i]);
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
