/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Where the bytes of a file go. Everything is handler-safe. */
#ifndef ARCLINE_RT_SINK_H
#define ARCLINE_RT_SINK_H

#include "os/os.h"

enum { RT_SINK_ROOM = 4096 }; /* bytes that fit into an empty buffer */

/** A buffer, and what is done when it is full. */
struct rt_sink {
  uint8_t *first;    /* of the buffer */
  uint8_t *at, *end; /* room for the bytes to come */
  uint64_t offset;   /* of the buffer in the file */
  /** Make room for RT_SINK_ROOM bytes at least, whether it fails or not. After
   * a failure, in which error is set, nothing is kept. */
  void (*flush)(struct rt_sink *sink);
  /** Put n zeros. */
  void (*put_zeros)(struct rt_sink *sink, size_t n);
  /** Replace bytes that were put before. */
  void (*patch)(struct rt_sink *sink, uint64_t offset, const void *bytes,
                size_t n);
  int error; /* 0 or negative errno, of the first failure */
};

/** Returns where the next n bytes go, RT_SINK_ROOM at most. */
static inline uint8_t *rt_sink_take(struct rt_sink *sink, size_t n) {
  if ((size_t)(sink->end - sink->at) < n)
    sink->flush(sink);
  uint8_t *at = sink->at;
  sink->at += n;
  return at;
}

/** Put any number of bytes. */
static inline void rt_sink_put(struct rt_sink *sink, const void *bytes,
                               size_t n) {
  const uint8_t *from = bytes;

  for (; n > RT_SINK_ROOM; from += RT_SINK_ROOM, n -= RT_SINK_ROOM)
    rt_copy(rt_sink_take(sink, RT_SINK_ROOM), from, RT_SINK_ROOM);
  rt_copy(rt_sink_take(sink, n), from, n);
}

#endif
