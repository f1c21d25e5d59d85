/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The buffer is all of the file, so its offset stays 0. */
#include "write/byte_sink.h"

/* Makes room for n_more bytes. */
static void grow(struct write_sink *sink, size_t n_more) {
  const struct write_byte_sink *of = (const struct write_byte_sink *)sink;
  const size_t n_used = (size_t)(sink->at - sink->first);
  const size_t n_bytes = (size_t)(sink->end - sink->first);
  size_t n_new = n_bytes;

  while (n_new - n_used < n_more)
    n_new *= 2;
  uint8_t *bytes = of->resize(sink->first, n_used, n_bytes, n_new);
  if (!bytes) {
    // Later bytes are discarded, but still need room.
    sink->error = sink->error ? sink->error : of->no_memory;
    sink->at = sink->first;
    return;
  }
  sink->first = bytes;
  sink->at = bytes + n_used;
  sink->end = bytes + n_new;
}

static void flush(struct write_sink *sink) { grow(sink, WRITE_SINK_ROOM); }

static void put_zeros(struct write_sink *sink, size_t n) {
  if ((size_t)(sink->end - sink->at) < n)
    grow(sink, n);
  if (sink->error)
    return;
  __builtin_memset(sink->at, 0, n);
  sink->at += n;
}

static void patch(struct write_sink *sink, uint64_t offset, const void *bytes,
                  size_t n) {
  if (!sink->error)
    __builtin_memcpy(sink->first + offset, bytes, n);
}

void write_byte_sink_init(struct write_byte_sink *out, uint8_t *bytes,
                          size_t n_bytes, write_byte_sink_resize *resize,
                          int no_memory) {
  *out = (struct write_byte_sink){.sink = {.first = bytes,
                                           .at = bytes,
                                           .end = bytes + n_bytes,
                                           .flush = flush,
                                           .put_zeros = put_zeros,
                                           .patch = patch},
                                  .resize = resize,
                                  .no_memory = no_memory};
}
