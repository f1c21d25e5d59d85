/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Disassembles AArch64 code by capstone. Part of instructions.h.
 */
#ifndef ARCLINE_AARCH64_CODE_H
#define ARCLINE_AARCH64_CODE_H

#include "image/instructions.h"

struct err;

/**
 * Load capstone, once; it stays.
 *
 * path  of the image that needs it, for errors.
 *
 * Returns 0; or -1 with *err set: it is not installed, or was missing when this
 * program was built.
 */
int aarch64_code_load(const char *path, struct err *err);

/** instructions_list(), after aarch64_code_load(). */
int aarch64_code_list(const uint8_t *bytes, size_t n_bytes, uint64_t vaddr,
                      instruction_found *found, void *context);

#endif
