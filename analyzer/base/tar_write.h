/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes tar files, as all programs read them: ustar, with extended headers of
 * pax for names and numbers that are too long for it. Owners are not recorded.
 * Errors of writing stay with the stream.
 */
#ifndef ARCLINE_TAR_WRITE_H
#define ARCLINE_TAR_WRITE_H

#include <stdint.h>
#include <stdio.h>

/** Begin a file; the caller writes its bytes, then calls tar_write_end(). */
void tar_write_file(FILE *out, const char *name, uint64_t n_bytes,
                    int64_t written);

/** Write the padding after a file's bytes. */
void tar_write_end(FILE *out, uint64_t n_bytes);

/** Write another name of a file, as a hard link. */
void tar_write_link(FILE *out, const char *name, const char *target,
                    int64_t written);

/** Write the end of the tar file. */
void tar_write_finish(FILE *out);

#endif
