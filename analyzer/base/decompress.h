/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Decompression of untrusted bytes into memory, in the formats that parts of
 * ELF files come in. Never writes more than it was given room for, whatever the
 * bytes claim.
 */
#ifndef ARCLINE_DECOMPRESS_H
#define ARCLINE_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * What may come of n_bytes. What compilers write shrinks to no less than a
 * tenth, but for the smallest files; what is meant to fill the memory does.
 */
static inline size_t decompress_limit(size_t n_bytes) {
  const size_t always = (size_t)1 << 20;
  return n_bytes < (SIZE_MAX - always) / 16 ? always + 16 * n_bytes : 0;
}

/** zlib's format. Returns false unless exactly n_out bytes came of it. */
bool decompress_zlib(const uint8_t *bytes, size_t n_bytes, uint8_t *out,
                     size_t n_out);

/** Zstandard's. Returns false unless exactly n_out bytes came of it. */
bool decompress_zstd(const uint8_t *bytes, size_t n_bytes, uint8_t *out,
                     size_t n_out);

/**
 * xz's, which does not tell the size beforehand.
 *
 * max_out  limit of what may come of it.
 *
 * Returns what to free() and sets *n_out; NULL: damaged, too large, or no
 * memory.
 */
uint8_t *decompress_xz(const uint8_t *bytes, size_t n_bytes, size_t max_out,
                       size_t *n_out);

#endif
