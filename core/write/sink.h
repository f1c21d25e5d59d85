/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Buffers the bytes of a file that is written. Freestanding, like all of this
 * folder; safe in signal handlers. */
#ifndef ARCLINE_WRITE_SINK_H
#define ARCLINE_WRITE_SINK_H

#include <stddef.h>
#include <stdint.h>

enum { WRITE_SINK_ROOM = 4096 }; /* bytes that fit into an empty buffer */

/** A buffer, and what is done when it is full. */
struct write_sink {
  uint8_t *first;    /* of the buffer */
  uint8_t *at, *end; /* room for the bytes to come */
  uint64_t offset;   /* of the buffer in the file */
  /** Make room for WRITE_SINK_ROOM bytes at least, whether it fails or not.
   * After a failure, in which error is set, nothing is kept. */
  void (*flush)(struct write_sink *sink);
  /** Put n zeros. */
  void (*put_zeros)(struct write_sink *sink, size_t n);
  /** Replace bytes that were put before. */
  void (*patch)(struct write_sink *sink, uint64_t offset, const void *bytes,
                size_t n);
  int error; /* 0 or negative errno, of the first failure */
};

/** Returns memory for the next n bytes, WRITE_SINK_ROOM at most. */
static inline uint8_t *write_sink_reserve(struct write_sink *sink, size_t n) {
  if ((size_t)(sink->end - sink->at) < n)
    sink->flush(sink);
  uint8_t *at = sink->at;
  sink->at += n;
  return at;
}

/** Put any number of bytes. */
static inline void write_sink_put(struct write_sink *sink, const void *bytes,
                                  size_t n) {
  const uint8_t *from = bytes;

  while (n) {
    const size_t part = n < WRITE_SINK_ROOM ? n : WRITE_SINK_ROOM;
    uint8_t *at = write_sink_reserve(sink, part);
    for (size_t i = 0; i < part; i++)
      at[i] = from[i];
    from += part;
    n -= part;
  }
}

#endif
