/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Builds a file as a whole in memory of malloc(): struct write_byte_sink of
 * core/write. All zero: no file. */
#ifndef ARCLINE_BYTE_SINK_H
#define ARCLINE_BYTE_SINK_H

#include "sum/gmon_sum.h"
#include "write/byte_sink.h"

/** Begin a new file; memory of the previous one is reused. Returns 0, or -1 (no
 * memory). */
int byte_sink_begin(struct write_byte_sink *bytes);

/** The bytes so far; borrowed until the next use of *bytes. */
struct sum_file byte_sink_file(const struct write_byte_sink *bytes);

/** Free; one that is all zero may be released too. */
void byte_sink_release(struct write_byte_sink *bytes);

#endif
