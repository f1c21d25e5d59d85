/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * GNU gprof does not disassemble. On x86 each byte that could begin a call is
 * one if the address behind it is a symbol's; and the distance is taken for
 * unsigned, so that only calls forward are found. On AArch64 jumps count as
 * well. Calls are looked for where there is a histogram.
 */
#include "profile/static_calls_gnu.h"

#include "base/trace.h"
#include "profile/profile.h"
#include "profile/program.h"

#include <elf.h>
#include <inttypes.h>

struct scan {
  struct profile *profile;
  struct image_section text;
  uint64_t base; // added to link-time addresses
  bool is_a64;
};

static bool is_in_histogram(const struct scan *scan, uint64_t vaddr) {
  for (size_t i = 0; i < scan->profile->n_histograms; i++) {
    const struct profile_histogram *const histogram =
        &scan->profile->histograms[i];
    if (vaddr >= histogram->low_pc && vaddr < histogram->high_pc)
      return true;
  }
  return false;
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

static int scan_range(const struct scan *scan, size_t i_parent, uint64_t low,
                      uint64_t high, struct err *err) {
  const struct symtab *const symtab = scan->profile->symtab;
  uint64_t to_vaddr;

  for (uint64_t vaddr = low; vaddr < high; vaddr += scan->is_a64 ? 4 : 1) {
    const uint64_t off = vaddr - scan->text.vaddr;
    if (off >= scan->text.n_bytes || !read_call(scan, off, &to_vaddr) ||
        !is_in_histogram(scan, (to_vaddr & UINT32_MAX) + scan->base))
      continue;
    const size_t n = symtab_count_up_to(symtab, to_vaddr + scan->base);
    if (n == 0 || symtab->symbols[n - 1].vaddr != to_vaddr + scan->base)
      continue;
    TRACE(TRACE_STATIC, "%s seems to call %s at 0x%" PRIx64,
          symtab->symbols[i_parent].name, symtab->symbols[n - 1].name, vaddr);
    if (profile_add_static_arc(scan->profile, (uint32_t)i_parent,
                               (uint32_t)(n - 1), err))
      return -1;
  }
  return 0;
}

int static_calls_gnu_add(const struct program_object *object,
                         struct profile *profile, struct err *err) {
  const struct symtab *const symtab = profile->symtab;
  struct scan scan = {
      .profile = profile,
      .base = object->place.base,
      .is_a64 = object->image.machine == EM_AARCH64,
  };

  if (!image_find_section(&object->image, ".text", &scan.text))
    return 0;
  // The last symbol has no end.
  for (size_t i = 0; i + 1 < symtab->n_symbols; i++) {
    const struct symbol *const symbol = &symtab->symbols[i];
    if (symbol->object && symbol->object != &object->place)
      continue;
    for (size_t j = 0; j < profile->n_histograms; j++) {
      const struct profile_histogram *const histogram = &profile->histograms[j];
      const uint64_t low =
          symbol->vaddr > histogram->low_pc ? symbol->vaddr : histogram->low_pc;
      const uint64_t high = symbol[1].vaddr < histogram->high_pc
                                ? symbol[1].vaddr
                                : histogram->high_pc;
      if (low < high &&
          scan_range(&scan, i, low - scan.base, high - scan.base, err))
        return -1;
    }
  }
  return 0;
}
