/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Opens streams that compress their output. */
#ifndef ARCLINE_GZIP_STREAM_H
#define ARCLINE_GZIP_STREAM_H

#include <stdio.h>

struct err;

/**
 * Begin a file of gzip (RFC 1952) in another stream. The bytes depend on the
 * input alone: no time and no name are stored.
 *
 * under  stays open when the new one is closed, which completes the file, and
 *        keeps errors of writing.
 *
 * Returns a stream for fclose(); or NULL with *err set (no memory).
 */
FILE *gzip_stream_open(FILE *under, struct err *err);

#endif
