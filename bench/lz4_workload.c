/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic LZ4 workload: text and numbers are compressed fast and well,
 * and uncompressed again.
 *
 *   lz4_workload [SCALE]    SCALE rounds over 1 MiB of data
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lz4.h"
#include "lz4hc.h"

enum { DATA_BYTES = 1 << 20 };

static uint32_t next_random(uint32_t *random, uint32_t limit) {
  *random = *random * 1664525u + 1013904223u;
  return (*random >> 8) % limit;
}

/* Half text, half little-endian numbers that grow slowly. */
static void make_data(uint8_t *data, uint32_t *random) {
  static const char *const words[] = {
      "arc ",    "basic block ", "counter ", "edge ", "histogram bin ",
      "symbol ", "self time ",   "cycle ",   "\n",    "spanning tree "};
  uint32_t number = 0;
  size_t i = 0;

  while (i < DATA_BYTES / 2) {
    const char *word = words[next_random(random, 10)];
    for (; *word && i < DATA_BYTES / 2; word++)
      data[i++] = (uint8_t)*word;
  }
  for (; i < DATA_BYTES; i += sizeof number) {
    number += next_random(random, 100);
    memcpy(data + i, &number, sizeof number);
  }
}

int main(int argc, char **argv) {
  static char data[DATA_BYTES], back[DATA_BYTES];
  static const int levels[] = {0, 0, 0, 0, 4, 9};
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  const int limit = LZ4_compressBound(DATA_BYTES);
  char *const packed = malloc((size_t)limit);
  uint32_t random = 20261122;
  uint64_t n_packed = 0, check = 0;

  for (int i = 0; packed && i < scale; i++) {
    make_data((uint8_t *)data, &random);
    for (size_t j = 0; j < sizeof levels / sizeof *levels; j++) {
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
