/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic XZ workload: text and numbers are compressed with several
 * presets and uncompressed again.
 *
 *   xz_workload [SCALE]    SCALE rounds over 256 KiB of data
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lzma.h>

#include "made_data.h"

enum { DATA_BYTES = 256 * 1024 };

int main(int argc, char **argv) {
  static uint8_t data[DATA_BYTES], back[DATA_BYTES];
  static const uint32_t presets[] = {0, 3, 6};
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  const size_t limit = lzma_stream_buffer_bound(DATA_BYTES);
  uint8_t *const packed = malloc(limit);
  uint32_t random = 20261123;
  uint64_t n_packed = 0, check = 0;

  for (int i = 0; packed && i < scale; i++) {
    make_data(data, DATA_BYTES, &random);
    for (size_t j = 0; j < sizeof(presets) / sizeof(*presets); j++) {
      size_t n = 0, n_read = 0, n_back = 0;
      uint64_t memory = UINT64_MAX;
      if (lzma_easy_buffer_encode(presets[j], LZMA_CHECK_CRC64, NULL, data,
                                  DATA_BYTES, packed, &n, limit) != LZMA_OK ||
          lzma_stream_buffer_decode(&memory, 0, NULL, packed, &n_read, n, back,
                                    &n_back, DATA_BYTES) != LZMA_OK ||
          n_back != DATA_BYTES || memcmp(data, back, DATA_BYTES)) {
        fprintf(stderr, "xz_workload: other data came back\n");
        return 1;
      }
      for (size_t k = 0; k < n; k += 8)
        check = check * 31 + packed[k];
      n_packed += n;
    }
  }
  free(packed);
  printf("%llu bytes, checksum %016llx\n", (unsigned long long)n_packed,
         (unsigned long long)check);
  return 0;
}
