/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds pointers to functions that the dynamic linker fills in: the global
 * offset table of an image.
 */
#ifndef ARCLINE_SLOTS_H
#define ARCLINE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct image;

struct image_slot {
  uint64_t vaddr;
  const char *name;  /* looked up in all objects; lives as long as the image is
                        open. NULL: points to to_vaddr */
  uint64_t to_vaddr; /* of the image's own function */
};

/** By address. All zero is empty. */
struct image_slots {
  struct image_slot *slots;
  size_t n_slots;
  uint64_t base_vaddr; /* base address that i386 code has in a register; or 0 */
};

/**
 * Read the relocations that fill in pointers.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty. Damaged ones are
 * left out.
 */
int image_slots_load(const struct image *image, struct image_slots *out,
                     struct err *err);

/** The slot at an address, or NULL. O(log n). */
const struct image_slot *image_slots_find(const struct image_slots *slots,
                                          uint64_t vaddr);

/** Free; an empty one may be released too. */
void image_slots_release(struct image_slots *slots);

#endif
