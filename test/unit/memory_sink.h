/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** A sink that keeps all bytes, for tests of writers. */
#ifndef ARCLINE_TEST_MEMORY_SINK_H
#define ARCLINE_TEST_MEMORY_SINK_H

#include <stdlib.h>
#include <string.h>

#include "write/sink.h"

struct memory_sink {
  struct write_sink sink; /* first, so that one pointer serves for both */
  uint8_t *bytes;
  size_t n_bytes, n_flushes;
  size_t fails_at; /* the flush that fails, from 1; 0: none */
  int error;       /* of that */
  uint8_t buffer[2 * WRITE_SINK_ROOM]; /* a reserve may find some in use */
};

static inline void memory_sink_add(struct memory_sink *memory,
                                   const void *bytes, size_t n) {
  uint8_t *const grown = realloc(memory->bytes, memory->n_bytes + n + 1);
  if (!grown)
    abort();
  memory->bytes = grown;
  if (bytes)
    memcpy(memory->bytes + memory->n_bytes, bytes, n);
  else
    memset(memory->bytes + memory->n_bytes, 0, n);
  memory->n_bytes += n;
}

/** Empties the buffer, as at the end of a file. */
static inline void memory_sink_flush(struct write_sink *sink) {
  struct memory_sink *memory = (struct memory_sink *)sink;
  const size_t n = (size_t)(sink->at - memory->buffer);

  sink->at = memory->buffer;
  sink->offset += n;
  if (sink->error)
    return;
  if (++memory->n_flushes == memory->fails_at)
    sink->error = memory->error;
  else
    memory_sink_add(memory, memory->buffer, n);
}

static inline void memory_sink_zeros(struct write_sink *sink, size_t n) {
  memory_sink_flush(sink);
  if (sink->error)
    return;
  memory_sink_add((struct memory_sink *)sink, NULL, n);
  sink->offset += n;
}

static inline void memory_sink_patch(struct write_sink *sink, uint64_t offset,
                                     const void *patched, size_t n) {
  struct memory_sink *memory = (struct memory_sink *)sink;

  memory_sink_flush(sink);
  if (sink->error)
    return;
  if (offset + n > memory->n_bytes)
    abort();
  memcpy(memory->bytes + offset, patched, n);
}

/** Free memory->bytes afterwards. */
static inline void memory_sink_init(struct memory_sink *memory) {
  *memory = (struct memory_sink){0};
  memory->sink =
      (struct write_sink){.first = memory->buffer,
                          .at = memory->buffer,
                          .end = memory->buffer + sizeof(memory->buffer),
                          .flush = memory_sink_flush,
                          .put_zeros = memory_sink_zeros,
                          .patch = memory_sink_patch};
}

#endif
