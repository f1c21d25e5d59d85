/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Decompresses untrusted bytes into memory, in the formats that ELF files use
 * for sections. Never writes past the caller's buffer, whatever the bytes
 * claim.
 */
#ifndef ARCLINE_DECOMPRESS_H
#define ARCLINE_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Limit of the size that n_bytes may decompress to. Output of compilers
 * compresses to a tenth at best, except in the smallest files. Data with a
 * higher ratio is made to exhaust memory.
 */
static inline size_t decompress_limit(size_t n_bytes) {
  const size_t always = (size_t)1 << 20;
  return n_bytes < (SIZE_MAX - always) / 16 ? always + 16 * n_bytes : 0;
}

/** Decompress zlib's format. Returns false unless the result is exactly n_out
 * bytes. */
bool decompress_zlib(const uint8_t *bytes, size_t n_bytes, uint8_t *out,
                     size_t n_out);

/** Decompress Zstandard's. Returns false unless the result is exactly n_out
 * bytes. */
bool decompress_zstd(const uint8_t *bytes, size_t n_bytes, uint8_t *out,
                     size_t n_out);

/**
 * Decompress xz's, which does not store the size in advance.
 *
 * max_out  limit of the result's size.
 *
 * Returns memory to free() and sets *n_out; NULL: damaged, too large, or no
 * memory.
 */
uint8_t *decompress_xz(const uint8_t *bytes, size_t n_bytes, size_t max_out,
                       size_t *n_out);

#endif
