/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/md5.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 64, LENGTH_BYTES = 8, N_STEPS = 64, N_WORDS = 4 };

static uint32_t rotate(uint32_t value, unsigned n) {
  return value << n | value >> (32 - n);
}

static uint32_t word_at(const uint8_t *block, unsigned i) {
  const uint8_t *const at = block + 4 * i;
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
         (uint32_t)at[3] << 24;
}

/** Add a block to the state. */
static void add_block(uint32_t state[N_WORDS], const uint32_t sines[N_STEPS],
                      const uint8_t *block) {
  static const uint8_t shifts[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];

  for (unsigned i = 0; i < N_STEPS; i++) {
    uint32_t mixed;
    unsigned k;
    switch (i / 16) {
    case 0:
      mixed = (b & c) | (~b & d);
      k = i;
      break;
    case 1:
      mixed = (d & b) | (~d & c);
      k = 5 * i + 1;
      break;
    case 2:
      mixed = b ^ c ^ d;
      k = 3 * i + 5;
      break;
    default:
      mixed = c ^ (b | ~d);
      k = 7 * i;
    }
    mixed += a + sines[i] + word_at(block, k % 16);
    a = d;
    d = c;
    c = b;
    b += rotate(mixed, shifts[i / 16][i % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

void md5_text(const void *bytes, size_t n_bytes, char out[MD5_TEXT_BYTES]) {
  uint32_t state[N_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  uint32_t sines[N_STEPS];
  const uint64_t n_bits = (uint64_t)n_bytes * 8;
  const size_t n_rest = n_bytes % BLOCK_BYTES;
  const uint8_t *const first = bytes;
  uint8_t last[2 * BLOCK_BYTES] = {0};
  const size_t n_last =
      n_rest < BLOCK_BYTES - LENGTH_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;

  for (unsigned i = 0; i < N_STEPS; i++)
    sines[i] = (uint32_t)(fabs(sin(i + 1)) * 4294967296.0);
  for (size_t i = 0; i + BLOCK_BYTES <= n_bytes; i += BLOCK_BYTES)
    add_block(state, sines, first + i);
  if (n_rest > 0)
    memcpy(last, first + (n_bytes - n_rest), n_rest);
  last[n_rest] = 0x80;
  for (unsigned i = 0; i < LENGTH_BYTES; i++)
    last[n_last - LENGTH_BYTES + i] = (uint8_t)(n_bits >> 8 * i);
  for (size_t i = 0; i < n_last; i += BLOCK_BYTES)
    add_block(state, sines, last + i);
  for (unsigned i = 0; i < 4 * N_WORDS; i++)
    snprintf(out + 2 * i, 3, "%02x", state[i / 4] >> 8 * (i % 4) & 0xff);
}
