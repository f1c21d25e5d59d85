/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Identifies an image that was linked without a build-id, by a hash of the
 * records of its functions and bodies, which are the same in the file and in
 * memory. They contain the hash of each function's source and its relative
 * address. */
#ifndef ARCLINE_IMAGE_ID_H
#define ARCLINE_IMAGE_ID_H

#include <stdint.h>

#define ARCLINE_IMAGE_ID_BYTES 8 /* in the place of a build-id */
#define ARCLINE_IMAGE_ID_FIRST 0xcbf29ce484222325

/** Hash more bytes, a multiple of 8. */
static inline uint64_t arcline_image_id_add(uint64_t id, const void *bytes,
                                            uint64_t n_bytes) {
  const uint8_t *at = (const uint8_t *)bytes;
  const uint8_t *const end = at + n_bytes;

  for (; at < end; at += 8) {
    uint64_t word;
    __builtin_memcpy(&word, at, 8);
    id = (id ^ word) * 0x9e3779b97f4a7c15;
    id ^= id >> 29;
  }
  return id;
}

/** Write the id; out has ARCLINE_IMAGE_ID_BYTES. */
static inline void arcline_image_id_write(uint64_t id, uint8_t *out) {
  for (unsigned i = 0; i < ARCLINE_IMAGE_ID_BYTES; i++)
    out[i] = (uint8_t)(id >> 8 * i);
}

#endif
