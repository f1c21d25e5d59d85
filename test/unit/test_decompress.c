/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Decompression restores the bytes, and never writes beyond its buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/decompress.h"

enum { N_BYTES = 300000, ROOM = N_BYTES + 10000 };

static uint8_t original[N_BYTES], packed[ROOM], unpacked[ROOM];

static void make_original(void) {
  for (size_t i = 0; i < N_BYTES; i++)
    original[i] = (uint8_t)(i * i >> 7);
}

/** Check a format that records no size: the size given has to be exact. */
static void check_exact(bool (*decompress)(const uint8_t *, size_t, uint8_t *,
                                           size_t),
                        size_t n_packed) {
  memset(unpacked, 0, sizeof(unpacked));
  assert_true(decompress(packed, n_packed, unpacked, N_BYTES));
  assert_memory_equal(original, unpacked, N_BYTES);
  assert_false(decompress(packed, n_packed, unpacked, N_BYTES - 1));
  assert_false(decompress(packed, n_packed, unpacked, N_BYTES + 1));
  assert_false(decompress(packed, n_packed, unpacked, 0));
  assert_false(decompress(packed, n_packed / 2, unpacked, N_BYTES));
  assert_false(decompress(packed, 0, unpacked, N_BYTES));
  packed[n_packed / 2] ^= 0xff;
  packed[0] ^= 0xff;
  assert_false(decompress(packed, n_packed, unpacked, N_BYTES));
}

static void zlib_is_read(void **state) {
  uLongf n_packed = sizeof(packed);

  (void)state;
  assert_int_equal(compress(packed, &n_packed, original, N_BYTES), Z_OK);
  check_exact(decompress_zlib, n_packed);
}

static void zstd_is_read(void **state) {
  (void)state;
  const size_t n_packed =
      ZSTD_compress(packed, sizeof(packed), original, N_BYTES, 3);
  assert_false(ZSTD_isError(n_packed));
  check_exact(decompress_zstd, n_packed);
}

static void xz_is_read(void **state) {
  size_t n_packed = 0;
  size_t n_out;

  (void)state;
  assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, original,
                                           N_BYTES, packed, &n_packed,
                                           sizeof(packed)),
                   LZMA_OK);
  uint8_t *const out = decompress_xz(packed, n_packed, ROOM, &n_out);
  assert_non_null(out);
  assert_int_equal(n_out, N_BYTES);
  assert_memory_equal(original, out, N_BYTES);
  free(out);
  assert_null(decompress_xz(packed, n_packed, N_BYTES - 1, &n_out));
  assert_null(decompress_xz(packed, n_packed, 0, &n_out));
  assert_null(decompress_xz(packed, n_packed / 2, ROOM, &n_out));
  assert_null(decompress_xz(packed, 0, ROOM, &n_out));
  packed[n_packed / 2] ^= 0xff;
  assert_null(decompress_xz(packed, n_packed, ROOM, &n_out));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zlib_is_read),
      cmocka_unit_test(zstd_is_read),
      cmocka_unit_test(xz_is_read),
  };
  make_original();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
