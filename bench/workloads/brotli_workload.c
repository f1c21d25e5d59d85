/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic Brotli workload: text and numbers are compressed at several
 * qualities and uncompressed again.
 *
 *   brotli_workload [SCALE]    SCALE rounds over 256 KiB of data
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <brotli/decode.h>
#include <brotli/encode.h>

#include "made_data.h"

enum { DATA_BYTES = 256 * 1024 };

int main(int argc, char **argv) {
  static uint8_t data[DATA_BYTES], back[DATA_BYTES];
  static const int qualities[] = {1, 5, 9};
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  const size_t limit = BrotliEncoderMaxCompressedSize(DATA_BYTES);
  uint8_t *const packed = malloc(limit);
  uint32_t random = 20261122;
  uint64_t n_packed = 0, check = 0;

  for (int i = 0; packed && i < scale; i++) {
    make_data(data, DATA_BYTES, &random);
    for (size_t j = 0; j < sizeof(qualities) / sizeof(*qualities); j++) {
      size_t n = limit, n_back = DATA_BYTES;
      if (!BrotliEncoderCompress(qualities[j], BROTLI_DEFAULT_WINDOW,
                                 BROTLI_MODE_GENERIC, DATA_BYTES, data, &n,
                                 packed) ||
          BrotliDecoderDecompress(n, packed, &n_back, back) !=
              BROTLI_DECODER_RESULT_SUCCESS ||
          n_back != DATA_BYTES || memcmp(data, back, DATA_BYTES)) {
        fprintf(stderr, "brotli_workload: other data came back\n");
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
