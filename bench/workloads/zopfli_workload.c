/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for Zopfli: compresses documents and made data, in
 * its three formats.
 *
 *   zopfli_workload [SCALE]    SCALE times 16 KiB
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "made_data.h"
#include "zopfli.h"

enum { BYTES = 16 * 1024 };

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  static uint8_t data[BYTES];
  uint32_t random = 20261125;
  uint64_t n_packed = 0, check = 0;
  ZopfliOptions options;

  ZopfliInitOptions(&options);
  for (int i = 0; i < scale; i++) {
    uint8_t *packed = NULL;
    size_t n = BYTES, m = 0;
    if (i % 2)
      n = make_document((char *)data, BYTES, &random);
    else
      make_data(data, BYTES, &random);
    options.numiterations = 1 + i % 5;
    options.blocksplitting = i % 4 != 3;
    ZopfliCompress(&options, (ZopfliFormat)(i % 3), data, n, &packed, &m);
    for (size_t j = 0; j < m; j++)
      check = check * 31 + packed[j];
    n_packed += m;
    free(packed);
  }
  printf("%llu bytes, checksum %016llx\n", (unsigned long long)n_packed,
         (unsigned long long)check);
  return 0;
}
