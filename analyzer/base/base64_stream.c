/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/base64_stream.h"

#include "base/err.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_BYTES = 3, GROUP_DIGITS = 4 };

/** Cookie of a stream. */
struct base64 {
  FILE *under;
  size_t n_bytes; // of a group that is not complete yet
  unsigned char bytes[GROUP_BYTES];
};

/** Write the group, filled up with "=". Returns 0 or -1. */
static int write_group(struct base64 *base64) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                               "uvwxyz0123456789+/";
  const unsigned char *const at = base64->bytes;
  const uint32_t bits = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
  char text[GROUP_DIGITS];

  for (unsigned i = 0; i < GROUP_DIGITS; i++)
    text[i] = i <= base64->n_bytes ? digits[bits >> (18 - 6 * i) & 0x3f] : '=';
  memset(base64->bytes, 0, sizeof(base64->bytes));
  base64->n_bytes = 0;
  return fwrite_unlocked(text, 1, sizeof(text), base64->under) == sizeof(text)
             ? 0
             : -1;
}

static ssize_t write_some(void *cookie, const char *bytes, size_t n_bytes) {
  struct base64 *const base64 = cookie;

  for (size_t i = 0; i < n_bytes; i++) {
    base64->bytes[base64->n_bytes++] = (unsigned char)bytes[i];
    if (base64->n_bytes == GROUP_BYTES && write_group(base64))
      return 0;
  }
  return (ssize_t)n_bytes;
}

static int finish(void *cookie) {
  struct base64 *const base64 = cookie;
  const int rc = base64->n_bytes ? write_group(base64) : 0;

  free(base64);
  return rc;
}

FILE *base64_stream_open(FILE *under, struct err *err) {
  const cookie_io_functions_t functions = {.write = write_some,
                                           .close = finish};
  struct base64 *const base64 = calloc(1, sizeof(*base64));
  FILE *const stream = base64 ? fopencookie(base64, "w", functions) : NULL;

  if (stream) {
    base64->under = under;
    return stream;
  }
  free(base64);
  err_no_memory(err);
  return NULL;
}
