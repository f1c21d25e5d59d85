/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reader of live files. These are mostly holes, so the input has the start
   of the head, then starts of regions, each as long as the enum says. */
#include "arcline/live_format.h"
#include "base/err.h"
#include "fuzz.h"
#include "gmon/live_file.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_BYTES = 1024, REGION_BYTES = 5120, MAX_REGIONS = 6 };

/** Put n bytes at an offset; the rest of what is there stays zero. */
static void place(uint8_t *file, size_t offset, const uint8_t **bytes,
                  size_t *n_bytes, size_t n) {
  if (n > *n_bytes)
    n = *n_bytes;
  memcpy(file + offset, *bytes, n);
  *bytes += n;
  *n_bytes -= n;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  static uint8_t
      file[ARCLINE_LIVE_HEAD_BYTES + MAX_REGIONS * ARCLINE_LIVE_ALIGN];
  struct live_file live;
  struct err err = {0};
  size_t n_file = ARCLINE_LIVE_HEAD_BYTES;

  if (n_bytes < HEAD_BYTES) { // a file that was cut off
    if (live_file_open(fuzz_file(0, bytes, n_bytes), &live, &err) == 0)
      live_file_close(&live);
    return 0;
  }
  memset(file, 0, sizeof file);
  place(file, 0, &bytes, &n_bytes, HEAD_BYTES);
  for (; n_bytes && n_file < sizeof file; n_file += ARCLINE_LIVE_ALIGN)
    place(file, n_file, &bytes, &n_bytes, REGION_BYTES);
  if (live_file_open(fuzz_file(0, file, n_file), &live, &err) == 0)
    live_file_close(&live);
  return 0;
}
