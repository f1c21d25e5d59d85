/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The interface of a fuzz target: libFuzzer's, which replay.c calls as well,
 * and input in the form that readers want it.
 */
#ifndef ARCLINE_FUZZ_H
#define ARCLINE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/** Try one input. Whatever it is, this returns 0 and leaves no files or
 * memory. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes);

/** Inputs that a target can pass as files at the same time. */
enum { FUZZ_FILES = 4 };

/**
 * Make a file in memory of the bytes; the file of this number that was made
 * before is replaced.
 *
 * Returns its path, which stays valid.
 */
const char *fuzz_file(unsigned i_file, const uint8_t *bytes, size_t n_bytes);

/**
 * Go to a temporary folder in TMPDIR, for commands that write files. Their
 * output is discarded from then on. The folder is removed at the end of the
 * process, unless that is a crash.
 */
void fuzz_folder_enter(void);

/** Give a file in memory, made already, a name in the folder: "in/NAME". */
void fuzz_folder_link(unsigned i_file, const char *name);

/** Remove files written to the folder, and return to the previous folder. */
void fuzz_folder_leave(void);

/**
 * A copy that ends at the end of its memory, so that reads beyond are detected,
 * and with a NUL after it if is_text.
 *
 * Owns: caller frees it. Never NULL.
 */
void *fuzz_copy(const uint8_t *bytes, size_t n_bytes, int is_text);

/** Take the first byte off the input; 0 if there is none. */
static inline unsigned fuzz_take(const uint8_t **bytes, size_t *n_bytes) {
  if (*n_bytes == 0)
    return 0;
  --*n_bytes;
  return *(*bytes)++;
}

#endif
