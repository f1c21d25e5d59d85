/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * ELF files that are put together in memory out of debug sections, for libdw
 * to read: sections that were compressed, by zlib or zstd, and those of split
 * units. Part of lines.h.
 */
#ifndef ARCLINE_DEBUG_ELF_H
#define ARCLINE_DEBUG_ELF_H

#include "debug/line_table.h"

#include <stddef.h>
#include <stdint.h>

struct Elf;
struct err;

/** A section in memory. */
struct debug_section {
  const char *name;
  struct line_bytes bytes;
};

enum {
  DEBUG_SECTIONS = 12,          /* at most, in one file */
  DEBUG_HEADER_BYTES = 64 * 20, /* of one, with the names of sections */
};

/**
 * Make an ELF file of sections that are in memory.
 *
 * like      it is of the same class and byte order.
 * at        DEBUG_HEADER_BYTES for its headers, aligned to 8 bytes.
 * sections  lie behind that, in one piece of memory with it. Names other than
 *           those of sections that are read are passed over.
 * end       of that piece of memory.
 *
 * Returns an ELF file for elf_end(), or NULL (no memory). The memory is
 * borrowed until then.
 */
struct Elf *debug_elf_compose(struct Elf *like, uint8_t *at,
                              const struct debug_section *sections,
                              size_t n_sections, const uint8_t *end);

/**
 * Copy the debug sections of an ELF file, decompressing those that are
 * compressed.
 *
 * file_bytes  size of the file.
 * path        for a warning about sections that claim to be larger than
 *             plausible, which are then left out, as are damaged ones.
 * memory      what to free() after elf_end(*out).
 *
 * Returns 0; or -1 with *err set (no memory). *out is NULL if none is
 * compressed, and the file can be read as it is.
 */
int debug_elf_expand(struct Elf *original, size_t file_bytes, const char *path,
                     struct Elf **out, uint8_t **memory, struct err *err);

#endif
