/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for Zstandard: text and numbers are compressed at
 * four levels, and read back.
 *
 *   zstd_workload [SCALE]    SCALE times 1 MiB
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made_data.h"
#include "zstd.h"

enum { DATA_BYTES = 1024 * 1024 };

int main(int argc, char **argv) {
  static const int levels[] = {1, 3, 6, 12};
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  const size_t room = ZSTD_compressBound(DATA_BYTES);
  uint8_t *const data = malloc(DATA_BYTES), *const back = malloc(DATA_BYTES);
  uint8_t *const packed = malloc(room);
  uint32_t random = 20261124;
  uint64_t n_bytes = 0, check = 0;

  if (!data || !back || !packed)
    return 1;
  for (int i = 0; i < scale; i++) {
    make_data(data, DATA_BYTES, &random);
    const size_t n =
        ZSTD_compress(packed, room, data, DATA_BYTES, levels[i % 4]);
    if (ZSTD_isError(n) ||
        ZSTD_decompress(back, DATA_BYTES, packed, n) != DATA_BYTES ||
        memcmp(data, back, DATA_BYTES) != 0) {
      fprintf(stderr, "zstd_workload: not what was compressed\n");
      return 1;
    }
    n_bytes += n;
    for (size_t j = 0; j < n; j += 64)
      check = check * 31 + packed[j];
  }
  printf("%llu bytes, checksum %016llx\n", (unsigned long long)n_bytes,
         (unsigned long long)check);
  free(data);
  free(back);
  free(packed);
  return 0;
}
