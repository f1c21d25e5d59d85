/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The form of inputs for the whole tool. One input has all the data that a run
 * reads, so that a finding does not depend on the compilation of a seed:
 *
 *     u16 bytes of the image, of the profile, of the side file (little-endian),
 *     u8 command, u8 operands (fuzz_whole.c), the image, the profile, the side
 *     file, then options: each a letter and its argument, up to a NUL.
 *
 * Too large a number means all remaining bytes.
 */
#ifndef ARCLINE_WHOLE_INPUT_H
#define ARCLINE_WHOLE_INPUT_H

#include <stddef.h>
#include <stdint.h>

enum { WHOLE_HEAD_BYTES = 8 };

/** One part of an input. */
struct whole_part {
  const uint8_t *bytes;
  size_t n_bytes;
};

struct whole_input {
  unsigned command, operands;
  struct whole_part image, profile, side, options;
};

/** Take a part off the remaining bytes. */
static inline struct whole_part whole_take(struct whole_part *left, size_t n) {
  const struct whole_part part = {left->bytes,
                                  n < left->n_bytes ? n : left->n_bytes};
  left->bytes += part.n_bytes;
  left->n_bytes -= part.n_bytes;
  return part;
}

/** Take an input apart. The parts point into it. */
static inline struct whole_input whole_input_read(const uint8_t *bytes,
                                                  size_t n_bytes) {
  struct whole_part left = {bytes, n_bytes};
  struct whole_input input = {.command = 0};
  uint8_t head[WHOLE_HEAD_BYTES] = {0};
  const struct whole_part start = whole_take(&left, WHOLE_HEAD_BYTES);

  for (size_t i = 0; i < start.n_bytes; i++)
    head[i] = start.bytes[i];
  input.image = whole_take(&left, head[0] | (size_t)head[1] << 8);
  input.profile = whole_take(&left, head[2] | (size_t)head[3] << 8);
  input.side = whole_take(&left, head[4] | (size_t)head[5] << 8);
  input.command = head[6];
  input.operands = head[7];
  input.options = left;
  return input;
}

#endif
