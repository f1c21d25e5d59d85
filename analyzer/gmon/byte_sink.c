/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gmon/byte_sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_BYTES = 4 * WRITE_SINK_ROOM };

/** Make room for n_more bytes. The buffer is all of the file, so its offset
 * stays 0. */
static void grow(struct write_sink *sink, size_t n_more) {
  const size_t n_bytes = (size_t)(sink->at - sink->first);
  size_t n_room = (size_t)(sink->end - sink->first);
  while (n_room - n_bytes < n_more)
    n_room *= 2;
  uint8_t *const bytes = realloc(sink->first, n_room);
  if (!bytes) {
    // Later bytes are discarded, but still need room.
    sink->error = sink->error ? sink->error : -ENOMEM;
    sink->at = sink->first;
    return;
  }
  sink->first = bytes;
  sink->at = bytes + n_bytes;
  sink->end = bytes + n_room;
}

static void flush(struct write_sink *sink) { grow(sink, WRITE_SINK_ROOM); }

static void put_zeros(struct write_sink *sink, size_t n) {
  if ((size_t)(sink->end - sink->at) < n)
    grow(sink, n);
  if (sink->error)
    return;
  memset(sink->at, 0, n);
  sink->at += n;
}

static void patch(struct write_sink *sink, uint64_t offset, const void *bytes,
                  size_t n) {
  if (!sink->error)
    memcpy(sink->first + offset, bytes, n);
}

int byte_sink_begin(struct byte_sink *bytes) {
  struct write_sink *const sink = &bytes->sink;
  if (!sink->first) {
    uint8_t *const memory = malloc(MIN_BYTES);
    if (!memory)
      return -1;
    *sink = (struct write_sink){.first = memory,
                                .end = memory + MIN_BYTES,
                                .flush = flush,
                                .put_zeros = put_zeros,
                                .patch = patch};
  }
  sink->at = sink->first;
  sink->error = 0;
  return 0;
}

struct sum_file byte_sink_file(const struct byte_sink *bytes) {
  const struct write_sink *const sink = &bytes->sink;
  return (struct sum_file){.bytes = sink->first,
                           .n_bytes = (size_t)(sink->at - sink->first)};
}

void byte_sink_release(struct byte_sink *bytes) {
  free(bytes->sink.first);
  *bytes = (struct byte_sink){0};
}
