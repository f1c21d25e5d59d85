/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Builds a file as a whole in memory, of any allocator. Freestanding, like all
 * of this folder. */
#ifndef ARCLINE_WRITE_BYTE_SINK_H
#define ARCLINE_WRITE_BYTE_SINK_H

#include "write/sink.h"

/**
 * Move a file into larger memory.
 *
 * n_used  bytes of the file so far; n_bytes, n_new: of the memory.
 *
 * Returns the memory, whose predecessor is freed; or NULL (no memory), with the
 * predecessor as it was.
 */
typedef uint8_t *write_byte_sink_resize(uint8_t *bytes, size_t n_used,
                                        size_t n_bytes, size_t n_new);

/** Its bytes are those from sink.first to sink.at. */
struct write_byte_sink {
  struct write_sink sink; /* first, so that one pointer serves for both */
  write_byte_sink_resize *resize;
  int no_memory; /* sink.error if that fails: -ENOMEM of the system */
};

/** Begin a file in memory of n_bytes, WRITE_SINK_ROOM at least, which the
 * caller frees: sink.first to sink.end, wherever that is by then. */
void write_byte_sink_init(struct write_byte_sink *out, uint8_t *bytes,
                          size_t n_bytes, write_byte_sink_resize *resize,
                          int no_memory);

#endif
