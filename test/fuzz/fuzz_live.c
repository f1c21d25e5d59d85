/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reader of live files alone (live_input.h); an image is left out. */
#include "base/err.h"
#include "fuzz.h"
#include "gmon/live_file.h"
#include "live_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  static _Alignas(8) uint8_t file[LIVE_INPUT_MAX_BYTES];
  const struct live_input input = live_input_read(bytes, n_bytes);
  const size_t n_file = live_input_make(&input, NULL, file);
  struct live_file live;
  struct err err = {0};

  if (live_file_open(fuzz_file(0, file, n_file), &live, &err) == 0)
    live_file_close(&live);
  return 0;
}
