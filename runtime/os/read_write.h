/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads and writes pieces of files whole. The call is repeated after signals,
 * but not for ever. All of it runs: hook. */
#ifndef ARCLINE_RT_READ_WRITE_H
#define ARCLINE_RT_READ_WRITE_H

#include <stddef.h>
#include <stdint.h>

/** Read up to n_bytes from an offset on: fewer at the end of the file. Returns
 * how many, or a negative errno. */
long rt_read_at(long fd, void *bytes, size_t n_bytes, uint64_t offset);
/** Write n_bytes from an offset on. Returns 0 or a negative errno; then part of
 * them may have been written. */
int rt_write_at(long fd, const void *bytes, size_t n_bytes, uint64_t offset);

#endif
