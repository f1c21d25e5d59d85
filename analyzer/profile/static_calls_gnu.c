/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * GNU gprof does not disassemble. On x86 each byte that could begin a call is
 * one if its target is a symbol's address; and the distance is read as
 * unsigned, so that only calls forward are found. On AArch64 jumps count as
 * well. Calls are searched in the ranges of histograms.
 */
#include "profile/static_calls_gnu.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/trace.h"
#include "model/model.h"
#include "profile/profile.h"
#include "profile/profile_join.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>

struct scan {
  struct profile *profile;
  const struct measure *measure;
  // By address; histograms do not overlap.
  const struct bins **histograms;
  struct image_section text;
  uint64_t base; // added to link-time addresses in the table of symbols
  bool is_a64;
};

static int compare_histograms(const void *left_ptr, const void *right_ptr,
                              const void *context) {
  const struct bins *const *const left = left_ptr;
  const struct bins *const *const right = right_ptr;

  (void)context;
  return ((*left)->low_pc > (*right)->low_pc) -
         ((*left)->low_pc < (*right)->low_pc);
}

static int sort_histograms(struct scan *scan, struct err *err) {
  const struct measure *const measure = scan->measure;

  scan->histograms =
      calloc(measure->n_histograms + 1, sizeof(*scan->histograms));
  if (!scan->histograms)
    return err_no_memory(err);
  for (size_t i = 0; i < measure->n_histograms; i++)
    scan->histograms[i] = &measure->histograms[i];
  return merge_sort(scan->histograms, measure->n_histograms,
                    sizeof(*scan->histograms), compare_histograms, NULL)
             ? err_no_memory(err)
             : 0;
}

/** Place of the first histogram that ends above an address. */
static size_t first_histogram(const struct scan *scan, uint64_t vaddr) {
  size_t low = 0, high = scan->measure->n_histograms;

  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (scan->histograms[middle]->high_pc <= vaddr)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_in_histogram(const struct scan *scan, uint64_t vaddr) {
  const size_t i = first_histogram(scan, vaddr);

  return i < scan->measure->n_histograms &&
         vaddr >= scan->histograms[i]->low_pc;
}

/** Cut [low, high) to the histogram that was read first of those that it
 * overlaps. False: none. */
static bool clip_to_histogram(const struct scan *scan, uint64_t *low,
                              uint64_t *high) {
  const struct bins *first = NULL;

  for (size_t i = first_histogram(scan, *low);
       i < scan->measure->n_histograms && scan->histograms[i]->low_pc < *high;
       i++)
    if (!first || scan->histograms[i] < first)
      first = scan->histograms[i];
  if (!first)
    return false;
  if (*low < first->low_pc)
    *low = first->low_pc;
  if (*high > first->high_pc)
    *high = first->high_pc;
  return true;
}

static uint32_t word_at(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

/** The address that code at an offset of .text seems to call; false if it is
 * no call. */
static bool read_call(const struct scan *scan, uint64_t off,
                      uint64_t *to_vaddr) {
  const uint64_t n_left = scan->text.n_bytes - off;
  const uint8_t *const bytes = scan->text.bytes + off;

  if (scan->is_a64) {
    if (n_left < 4 || (word_at(bytes) & 0x7c000000) != 0x14000000)
      return false;
    const int32_t distance = (int32_t)(word_at(bytes) << 6) / 16;
    *to_vaddr = scan->text.vaddr + off + (uint64_t)(int64_t)distance;
    return true;
  }
  if (n_left < 5 || bytes[0] != 0xe8)
    return false;
  *to_vaddr = scan->text.vaddr + off + 5 + word_at(bytes + 1);
  return true;
}

/**
 * Is there an arc to the function that the child is a line of? GNU gprof counts
 * it as one to the child. A line is a callee if the function that begins with
 * it is no symbol (-a).
 */
static bool has_function_arc(const struct profile *profile, uint32_t i_parent,
                             uint32_t i_child) {
  const struct symbol *const symbols = profile->symtab->symbols;
  const uint32_t i_func = profile_function_of(profile, i_child);

  return i_func != PROFILE_NONE &&
         symbols[i_func].last >= symbols[i_child].last &&
         profile_has_arc(profile, i_parent, i_func);
}

static int scan_range(const struct scan *scan, size_t i_parent, uint64_t low,
                      uint64_t high, struct err *err) {
  const struct symtab *const symtab = scan->profile->symtab;
  uint64_t to_vaddr;

  // There is nothing outside of the section.
  if (low < scan->text.vaddr)
    low = scan->text.vaddr;
  if (high > scan->text.vaddr + scan->text.n_bytes)
    high = scan->text.vaddr + scan->text.n_bytes;
  for (uint64_t vaddr = low; vaddr < high; vaddr += scan->is_a64 ? 4 : 1) {
    if (!read_call(scan, vaddr - scan->text.vaddr, &to_vaddr) ||
        !is_in_histogram(scan, to_vaddr & UINT32_MAX))
      continue;
    const size_t n = symtab_count_up_to(symtab, to_vaddr + scan->base);
    if (n == 0 || symtab->symbols[n - 1].vaddr != to_vaddr + scan->base ||
        has_function_arc(scan->profile, (uint32_t)i_parent, (uint32_t)(n - 1)))
      continue;
    TRACE(TRACE_STATIC, "%s seems to call %s at 0x%" PRIx64,
          symtab->symbols[i_parent].name, symtab->symbols[n - 1].name, vaddr);
    if (profile_add_static_arc(scan->profile, (uint32_t)i_parent,
                               (uint32_t)(n - 1), err))
      return -1;
  }
  return 0;
}

int static_calls_gnu_add(const struct model_object *object,
                         struct profile *profile, struct err *err) {
  const struct symtab *const symtab = profile->symtab;
  struct scan scan = {
      .profile = profile,
      .measure = &object->measure,
      .base = object->place.base,
      .is_a64 = object->image.machine == EM_AARCH64,
  };
  int rc = 0;

  if (!image_find_section(&object->image, ".text", &scan.text))
    return 0;
  if (scan.text.vaddr > UINT64_MAX - scan.text.n_bytes)
    return 0;
  if (sort_histograms(&scan, err))
    rc = -1;
  // The last symbol has no end.
  for (size_t i = 0; i + 1 < symtab->n_symbols && rc == 0; i++) {
    const struct symbol *const symbol = &symtab->symbols[i];
    uint64_t low = symbol->vaddr - scan.base;
    uint64_t high = symbol[1].vaddr - scan.base;
    if ((!symbol->object || symbol->object == &object->place) &&
        clip_to_histogram(&scan, &low, &high))
      rc = scan_range(&scan, i, low, high, err);
  }
  free(scan.histograms);
  return rc;
}
