/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/decompress.h"

#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

enum {
  FIRST_XZ_BYTES = 1 << 16,
  MAX_XZ_MEMORY = 1 << 26, // for its own tables; xz takes 9 MiB by default
};

static uInt at_most_uint(size_t n) {
  return n < UINT32_MAX ? (uInt)n : UINT32_MAX;
}

bool decompress_zlib(const uint8_t *bytes, size_t n_bytes, uint8_t *out,
                     size_t n_out) {
  z_stream stream = {.next_in = (Bytef *)bytes, .next_out = out};
  if (inflateInit(&stream) != Z_OK)
    return false;
  // Its counts have 32 bits.
  size_t left_in = n_bytes, left_out = n_out;
  int rc = Z_OK;
  while (rc == Z_OK) {
    const uInt in = at_most_uint(left_in), room = at_most_uint(left_out);
    stream.avail_in = in;
    stream.avail_out = room;
    rc = inflate(&stream, Z_NO_FLUSH);
    left_in -= in - stream.avail_in;
    left_out -= room - stream.avail_out;
    if (in == stream.avail_in && room == stream.avail_out)
      break;
  }
  inflateEnd(&stream);
  return rc == Z_STREAM_END && left_out == 0;
}

bool decompress_zstd(const uint8_t *bytes, size_t n_bytes, uint8_t *out,
                     size_t n_out) {
  return ZSTD_decompress(out, n_out, bytes, n_bytes) == n_out;
}

/** Let the stream write to *out, which grows up to max_out. */
static lzma_ret run_xz(lzma_stream *stream, size_t max_out, uint8_t **out) {
  size_t capacity = 0;
  lzma_ret rc = LZMA_OK;
  while (rc == LZMA_OK && capacity < max_out) {
    const size_t filled = capacity;
    capacity = capacity ? 2 * capacity : FIRST_XZ_BYTES;
    if (capacity > max_out)
      capacity = max_out;
    uint8_t *const grown = realloc(*out, capacity);
    if (!grown)
      return LZMA_MEM_ERROR;
    *out = grown;
    stream->next_out = grown + filled;
    stream->avail_out = capacity - filled;
    do
      rc = lzma_code(stream, LZMA_FINISH);
    while (rc == LZMA_OK && stream->avail_out);
  }
  return rc;
}

uint8_t *decompress_xz(const uint8_t *bytes, size_t n_bytes, size_t max_out,
                       size_t *n_out) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, MAX_XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
    return NULL;
  stream.next_in = bytes;
  stream.avail_in = n_bytes;
  uint8_t *out = NULL;
  const lzma_ret rc = run_xz(&stream, max_out, &out);
  *n_out = (size_t)stream.total_out;
  lzma_end(&stream);
  if (rc == LZMA_STREAM_END)
    return out;
  free(out);
  return NULL;
}
