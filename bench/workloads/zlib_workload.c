/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic zlib workload: text, numbers and noise are compressed at
 * several levels and uncompressed again.
 *
 *   zlib_workload [SCALE]    SCALE rounds over 1 MiB of data
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zlib.h"

enum { DATA_BYTES = 1 << 20 };

static uint32_t next_random(uint32_t *random, uint32_t limit) {
  *random = *random * 1664525u + 1013904223u;
  return (*random >> 8) % limit;
}

static void die(const char *what, int status) {
  fprintf(stderr, "zlib_workload: %s: %s\n", what, zError(status));
  exit(1);
}

// Half text, a quarter little-endian numbers that grow slowly, a quarter noise.
static void make_data(uint8_t *data, uint32_t *random) {
  static const char *const words[] = {
      "arc ",    "basic block ", "counter ", "edge ", "histogram bin ",
      "symbol ", "self time ",   "cycle ",   "\n",    "spanning tree "};
  size_t i = 0;
  while (i < DATA_BYTES / 2) {
    const char *word = words[next_random(random, 10)];
    for (; *word && i < DATA_BYTES / 2; word++)
      data[i++] = (uint8_t)*word;
  }
  uint32_t number = 0;
  for (; i < DATA_BYTES * 3 / 4; i += sizeof(number)) {
    number += next_random(random, 100);
    memcpy(data + i, &number, sizeof(number));
  }
  while (i < DATA_BYTES)
    data[i++] = (uint8_t)next_random(random, 256);
}

int main(int argc, char **argv) {
  static uint8_t data[DATA_BYTES], back[DATA_BYTES];
  static const int levels[] = {1, 6, 9};
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  const uLong limit = compressBound(DATA_BYTES);
  uint8_t *const packed = malloc(limit);
  uint32_t random = 20261121;
  uLong check = crc32(0, NULL, 0);
  uint64_t n_packed = 0;

  if (!packed)
    die("malloc", Z_MEM_ERROR);
  for (int i = 0; i < scale; i++) {
    make_data(data, &random);
    for (size_t j = 0; j < sizeof(levels) / sizeof(levels[0]); j++) {
      uLongf packed_bytes = limit;
      uLongf back_bytes = DATA_BYTES;
      int status =
          compress2(packed, &packed_bytes, data, DATA_BYTES, levels[j]);
      if (status != Z_OK)
        die("compress2", status);
      status = uncompress(back, &back_bytes, packed, packed_bytes);
      if (status != Z_OK)
        die("uncompress", status);
      if (back_bytes != DATA_BYTES || memcmp(data, back, DATA_BYTES) != 0)
        die("other data came back", Z_DATA_ERROR);
      check = crc32(check, packed, (uInt)packed_bytes);
      n_packed += packed_bytes;
    }
  }
  free(packed);
  printf("%llu bytes, checksum %08lx\n", (unsigned long long)n_packed, check);
  return 0;
}
