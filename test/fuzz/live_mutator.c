/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mutates inputs with a live file part by part, so that the other parts stay
   valid. Linked with libFuzzer only. */
#include "fuzz.h"
#include "live_input.h"

#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n_bytes, size_t max_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n_bytes, size_t max_bytes,
                               unsigned seed);

enum { PART_BYTES = 65535 };

/** Change bytes of a stretch, which keeps its length: the places of later data
 * depend on it. */
static void change(uint8_t *bytes, size_t n_bytes) {
  static uint8_t copy[PART_BYTES];

  memcpy(copy, bytes, n_bytes);
  const size_t n = LLVMFuzzerMutate(copy, n_bytes, n_bytes);
  memcpy(bytes, copy, n);
}

/** Change the head, or a stretch of a region. */
static void change_live(uint8_t *bytes, size_t n_bytes, unsigned random) {
  size_t at = 0, n = LIVE_INPUT_HEAD_BYTES;

  if (n_bytes > n && random % 4) {
    const size_t n_regions =
        (n_bytes - n + LIVE_INPUT_REGION_BYTES - 1) / LIVE_INPUT_REGION_BYTES;
    at = n + random / 4 % n_regions * LIVE_INPUT_REGION_BYTES;
    n = 256; // the important data of most regions is at their start
  }
  if (n > n_bytes - at)
    n = n_bytes - at;
  if (n)
    change(bytes + at, n);
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n_bytes, size_t max_bytes,
                               unsigned seed) {
  static uint8_t copy[2 * PART_BYTES];
  const unsigned random = seed * 1664525u + 1013904223u;
  const unsigned choice = random >> 8 & 15;

  if (n_bytes < LIVE_INPUT_START_BYTES || choice == 0)
    return LLVMFuzzerMutate(bytes, n_bytes, max_bytes);
  const struct live_input input = live_input_read(bytes, n_bytes);
  uint8_t *const live = bytes + (n_bytes - input.n_live);
  if (choice == 1) {
    bytes[2] = (uint8_t)(random >> 12);
  } else if (choice < 6 && input.n_image && input.n_live < PART_BYTES) {
    // The image may become longer, and the live file moves then.
    memcpy(copy, live, input.n_live);
    const size_t n_room = max_bytes - LIVE_INPUT_START_BYTES - input.n_live;
    const size_t n_image =
        LLVMFuzzerMutate(bytes + LIVE_INPUT_START_BYTES, input.n_image,
                         n_room < PART_BYTES ? n_room : PART_BYTES);
    bytes[0] = (uint8_t)n_image;
    bytes[1] = (uint8_t)(n_image >> 8);
    n_bytes = LIVE_INPUT_START_BYTES + n_image + input.n_live;
    memcpy(bytes + LIVE_INPUT_START_BYTES + n_image, copy, input.n_live);
  } else {
    change_live(live, input.n_live, random >> 12);
  }
  return n_bytes;
}
