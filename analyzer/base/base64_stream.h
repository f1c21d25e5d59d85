/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Opens streams that write their output as text, in base64 (RFC 4648). */
#ifndef ARCLINE_BASE64_STREAM_H
#define ARCLINE_BASE64_STREAM_H

#include <stdio.h>

struct err;

/**
 * Begin a text of base64 in another stream, on one line without its end.
 *
 * under  stays open when the new one is closed, which completes the text, and
 *        keeps errors of writing.
 *
 * Returns a stream for fclose(); or NULL with *err set (no memory).
 */
FILE *base64_stream_open(FILE *under, struct err *err);

#endif
