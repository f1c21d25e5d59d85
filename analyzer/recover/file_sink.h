/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes to a stream through a sink (core/write/sink.h); stretches of zeros
 * become holes of the file. */
#ifndef ARCLINE_FILE_SINK_H
#define ARCLINE_FILE_SINK_H

#include "write/sink.h"

#include <stdio.h>

struct err;

struct file_sink {
  struct write_sink sink; /* first, so that one pointer serves for both */
  FILE *to;
  FILE *stream;     /* a temporary one if `to` cannot seek, as a pipe */
  uint64_t n_zeros; /* put, but not written yet */
  uint8_t buffer[WRITE_SINK_ROOM];
};

/** Begin at the start of an empty stream, which keeps its errors. Returns 0, or
 * -1 with *err set and nothing to end. */
int file_sink_begin(struct file_sink *file, FILE *to, struct err *err);

/** Write what is left. Returns 0, or -1 with *err set. */
int file_sink_end(struct file_sink *file, struct err *err);

#endif
