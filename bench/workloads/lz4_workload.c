/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic LZ4 workload: text and numbers are compressed by the fast and
 * the high-compression method, and uncompressed again.
 *
 *   lz4_workload [SCALE]    SCALE rounds over 1 MiB of data
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lz4.h"
#include "lz4hc.h"
#include "made_data.h"

enum { DATA_BYTES = 1 << 20 };

int main(int argc, char **argv) {
  static char data[DATA_BYTES], back[DATA_BYTES];
  static const int levels[] = {0, 0, 0, 0, 4, 9};
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  const int limit = LZ4_compressBound(DATA_BYTES);
  char *const packed = malloc((size_t)limit);
  uint32_t random = 20261122;
  uint64_t n_packed = 0, check = 0;

  for (int i = 0; packed && i < scale; i++) {
    make_data((uint8_t *)data, DATA_BYTES, &random);
    for (size_t j = 0; j < sizeof(levels) / sizeof(*levels); j++) {
      const int n =
          levels[j]
              ? LZ4_compress_HC(data, packed, DATA_BYTES, limit, levels[j])
              : LZ4_compress_default(data, packed, DATA_BYTES, limit);
      if (n <= 0 ||
          LZ4_decompress_safe(packed, back, n, DATA_BYTES) != DATA_BYTES ||
          memcmp(data, back, DATA_BYTES)) {
        fprintf(stderr, "lz4_workload: other data came back\n");
        return 1;
      }
      for (int k = 0; k < n; k += 8)
        check = check * 31 + (uint8_t)packed[k];
      n_packed += (uint64_t)n;
    }
  }
  free(packed);
  printf("%llu bytes, checksum %016llx\n", (unsigned long long)n_packed,
         (unsigned long long)check);
  return 0;
}
