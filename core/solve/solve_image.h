/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Describes an object to the solver: the sections that the pass filled
 * (arcline/abi.h), wherever they are in memory, with their link-time
 * addresses. */
#ifndef ARCLINE_SOLVE_IMAGE_H
#define ARCLINE_SOLVE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/abi.h"
#include "solve/numbers.h"

enum solve_section_id {
  SOLVE_CELLS,
  SOLVE_FUNCS,
  SOLVE_BODIES,
  SOLVE_SITES,
  SOLVE_PLANS,
  SOLVE_DATA,
  SOLVE_N_SECTIONS,
};

/** A section. bytes are aligned as its records are; the solver does not read
 * those of the cells. */
struct solve_section {
  const uint8_t *bytes;
  uint64_t vaddr;
  size_t n_bytes; /* a whole number of records */
};

/** Addresses low <= vaddr < high. */
struct solve_range {
  uint64_t low, high;
};

enum { SOLVE_MAX_TEXTS = 4 };

struct solve_image {
  struct solve_section sections[SOLVE_N_SECTIONS];
  struct solve_range texts[SOLVE_MAX_TEXTS]; /* ascending; at least one */
  size_t n_texts;
  bool is_library; /* another object's function of the same name may have been
                      called instead */
};

#define SOLVE_NONE UINT32_MAX

/** The address that a field of a section points to. */
static inline uint64_t solve_target(const struct solve_section *section,
                                    const arcline_rel32 *field) {
  return section->vaddr + ((uintptr_t)field - (uintptr_t)section->bytes) +
         (uint64_t)(int64_t)*field;
}

/** Index of the record of record_bytes at vaddr, or SOLVE_NONE. */
ARCLINE_HOT uint32_t solve_record_at(const struct solve_section *section,
                                     uint64_t vaddr, size_t record_bytes) {
  const uint64_t off = vaddr - section->vaddr;

  return off >= section->n_bytes || off % record_bytes
             ? SOLVE_NONE
             : (uint32_t)(off / record_bytes);
}

/* The records of each section, how many there are, and the index of the one at
   an address. */
#define SOLVE_RECORDS(name, id)                                                \
  static inline const struct arcline_##name *solve_##name##_records(           \
      const struct solve_image *image) {                                       \
    return (const struct arcline_##name *)(uintptr_t)image->sections[id]       \
        .bytes;                                                                \
  }                                                                            \
  static inline size_t solve_n_##name##_records(                               \
      const struct solve_image *image) {                                       \
    return image->sections[id].n_bytes / sizeof(struct arcline_##name);        \
  }                                                                            \
  static inline uint32_t solve_##name##_at(const struct solve_image *image,    \
                                           uint64_t vaddr) {                   \
    return solve_record_at(&image->sections[id], vaddr,                        \
                           sizeof(struct arcline_##name));                     \
  }
SOLVE_RECORDS(func, SOLVE_FUNCS)
SOLVE_RECORDS(body, SOLVE_BODIES)
SOLVE_RECORDS(site, SOLVE_SITES)
#undef SOLVE_RECORDS

static inline bool solve_has_text(const struct solve_image *image,
                                  uint64_t vaddr) {
  for (size_t i = 0; i < image->n_texts; i++)
    if (vaddr >= image->texts[i].low && vaddr < image->texts[i].high)
      return true;
  return false;
}

/** Index of a body's first cell, or SOLVE_NONE. */
static inline uint32_t solve_first_cell(const struct solve_image *image,
                                        const struct arcline_body *body) {
  return solve_record_at(
      &image->sections[SOLVE_CELLS],
      solve_target(&image->sections[SOLVE_BODIES], &body->cells),
      sizeof(uint64_t));
}

/** Index of the body that a site is in, or SOLVE_NONE. */
static inline uint32_t solve_site_body(const struct solve_image *image,
                                       const struct arcline_site *site) {
  return solve_body_at(
      image, solve_target(&image->sections[SOLVE_SITES], &site->body));
}

/** Index of the cell that counts calls of a site's second callee, or
 * SOLVE_NONE. */
static inline uint32_t solve_site_cell(const struct solve_image *image,
                                       const struct arcline_site *site) {
  return site->cell
             ? solve_record_at(
                   &image->sections[SOLVE_CELLS],
                   solve_target(&image->sections[SOLVE_SITES], &site->cell),
                   sizeof(uint64_t))
             : SOLVE_NONE;
}

#endif
