/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The form of inputs for the whole tool. One input holds all that a run reads,
 * so a finding does not depend on how some seed was compiled:
 *
 *     u16 bytes of the image, u16 bytes of the profile (little-endian),
 *     the image, the profile, then options: each a letter and its argument, up
 *     to a NUL.
 *
 * Too large a number stands for "all that is left".
 */
#ifndef ARCLINE_WHOLE_INPUT_H
#define ARCLINE_WHOLE_INPUT_H

#include <stddef.h>
#include <stdint.h>

enum { WHOLE_HEAD_BYTES = 4 };

/** One part of an input. */
struct whole_part {
  const uint8_t *bytes;
  size_t n_bytes;
};

struct whole_input {
  struct whole_part image, profile, options;
};

/** Take an input apart. The parts point into it. */
static inline struct whole_input whole_input_read(const uint8_t *bytes,
                                                  size_t n_bytes) {
  struct whole_input input = {{bytes, 0}, {bytes, 0}, {bytes, 0}};
  if (n_bytes < WHOLE_HEAD_BYTES)
    return input;
  const size_t n_image = bytes[0] | (size_t)bytes[1] << 8;
  const size_t n_profile = bytes[2] | (size_t)bytes[3] << 8;
  bytes += WHOLE_HEAD_BYTES;
  n_bytes -= WHOLE_HEAD_BYTES;
  input.image.bytes = bytes;
  input.image.n_bytes = n_image < n_bytes ? n_image : n_bytes;
  bytes += input.image.n_bytes;
  n_bytes -= input.image.n_bytes;
  input.profile.bytes = bytes;
  input.profile.n_bytes = n_profile < n_bytes ? n_profile : n_bytes;
  input.options.bytes = bytes + input.profile.n_bytes;
  input.options.n_bytes = n_bytes - input.profile.n_bytes;
  return input;
}

#endif
