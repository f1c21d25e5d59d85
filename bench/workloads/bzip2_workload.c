/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for bzip2: compresses made data and restores it.
 *
 *   bzip2_workload [SCALE]    SCALE times 1 MiB
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bzlib.h"
#include "made_data.h"

enum { BYTES = 1 << 20, ROOM = BYTES + BYTES / 50 };

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  static uint8_t data[BYTES], packed[ROOM], back[BYTES];
  uint32_t random = 20261124;
  uint64_t n_packed = 0;

  for (int i = 0; i < scale; i++) {
    unsigned n = ROOM, m = BYTES;
    make_data(data, BYTES, &random);
    if (BZ2_bzBuffToBuffCompress((char *)packed, &n, (char *)data, BYTES, 9, 0,
                                 0) ||
        BZ2_bzBuffToBuffDecompress((char *)back, &m, (char *)packed, n, 0, 0) ||
        m != BYTES || memcmp(data, back, BYTES))
      return 1;
    n_packed += n;
  }
  printf("%llu bytes\n", (unsigned long long)n_packed);
  return 0;
}
