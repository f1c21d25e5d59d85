/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gmon/byte_sink.h"

#include <errno.h>
#include <stdlib.h>

enum { MIN_BYTES = 4 * WRITE_SINK_ROOM };

static uint8_t *resize(uint8_t *bytes, size_t n_used, size_t n_bytes,
                       size_t n_new) {
  (void)n_used, (void)n_bytes;
  return realloc(bytes, n_new);
}

int byte_sink_begin(struct write_byte_sink *bytes) {
  struct write_sink *const sink = &bytes->sink;
  uint8_t *const memory = sink->first ? sink->first : malloc(MIN_BYTES);
  if (!memory)
    return -1;
  write_byte_sink_init(bytes, memory,
                       sink->first ? (size_t)(sink->end - sink->first)
                                   : MIN_BYTES,
                       resize, -ENOMEM);
  return 0;
}

struct sum_file byte_sink_file(const struct write_byte_sink *bytes) {
  const struct write_sink *const sink = &bytes->sink;
  return (struct sum_file){.bytes = sink->first,
                           .n_bytes = (size_t)(sink->at - sink->first)};
}

void byte_sink_release(struct write_byte_sink *bytes) {
  free(bytes->sink.first);
  *bytes = (struct write_byte_sink){0};
}
