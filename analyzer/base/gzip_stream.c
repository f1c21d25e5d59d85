/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/gzip_stream.h"

#include "base/err.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

/** Cookie of a compressing stream. */
struct gzip {
  FILE *under;
  z_stream zlib;
};

/** Compress the input of the zlib stream. Returns 0 or -1. */
static int compress_all(struct gzip *gzip, int flush) {
  unsigned char bytes[1 << 14];
  int rc;
  do {
    gzip->zlib.next_out = bytes;
    gzip->zlib.avail_out = sizeof(bytes);
    rc = deflate(&gzip->zlib, flush);
    const size_t n = sizeof(bytes) - gzip->zlib.avail_out;
    if (fwrite(bytes, 1, n, gzip->under) != n)
      return -1;
  } while (gzip->zlib.avail_out == 0);
  return rc == Z_STREAM_ERROR ? -1 : 0;
}

static ssize_t write_some(void *cookie, const char *bytes, size_t n_bytes) {
  struct gzip *const gzip = cookie;
  const size_t n = n_bytes < INT_MAX ? n_bytes : INT_MAX; // zlib's limit
  gzip->zlib.next_in = (Bytef *)(uintptr_t)bytes;
  gzip->zlib.avail_in = (uInt)n;
  return compress_all(gzip, Z_NO_FLUSH) == 0 ? (ssize_t)n : 0;
}

static int finish(void *cookie) {
  struct gzip *const gzip = cookie;
  gzip->zlib.avail_in = 0;
  const int rc = compress_all(gzip, Z_FINISH);
  deflateEnd(&gzip->zlib);
  free(gzip);
  return rc;
}

FILE *gzip_stream_open(FILE *under, struct err *err) {
  static const int with_gzip_head = 16; // added to the window's bits
  const cookie_io_functions_t functions = {.write = write_some,
                                           .close = finish};
  struct gzip *const gzip = calloc(1, sizeof(*gzip));
  FILE *stream = NULL;
  if (gzip) {
    gzip->under = under;
    if (deflateInit2(&gzip->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                     MAX_WBITS + with_gzip_head, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) == Z_OK) {
      stream = fopencookie(gzip, "w", functions);
      if (!stream)
        deflateEnd(&gzip->zlib);
    }
  }
  if (stream)
    return stream;
  free(gzip);
  err_no_memory(err);
  return NULL;
}
