/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the build-id of an ELF file.
 *
 * libelf finds no note whose size is no multiple of 4 at the end of a section:
 * it expects padding there, which linkers leave out.
 */
#ifndef ARCLINE_BUILD_ID_H
#define ARCLINE_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

struct Elf;

/** Find the build-id in the first note section that has one; *out stays valid
 * as long as the file is open. Returns the number of bytes, or 0. */
size_t build_id_find(struct Elf *elf, const uint8_t **out);

#endif
