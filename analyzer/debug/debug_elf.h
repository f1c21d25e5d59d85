/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * ELF files that are put together in memory out of debug sections, for libdw
 * to read: sections that were compressed, by zlib or zstd, and those of split
 * units. Part of lines.h.
 */
#ifndef ARCLINE_DEBUG_ELF_H
#define ARCLINE_DEBUG_ELF_H

#include "debug/line_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Elf;
struct err;

/** A section in memory. */
struct debug_section {
  const char *name;
  struct line_bytes bytes;
};

enum { DEBUG_SECTIONS = 14 }; /* at most, in one file */

/** The debug sections of an ELF file. All zero is none. */
struct debug_sections {
  struct debug_section list[DEBUG_SECTIONS];
  size_t n;
  uint8_t *memory; /* what they lie in, with room for headers before them: to be
                      freed by the owner */
  size_t n_bytes;  /* of memory */
  bool is_complete;     /* none is damaged or too large */
  uint8_t class, order; /* as in e_ident */
  uint16_t machine;
};

/**
 * Copy the debug sections of an ELF file, decompressing those that are
 * compressed. Sections that claim to be larger than plausible are left out, as
 * are damaged ones.
 *
 * file_bytes  size of the file.
 * suffix      that names of sections have; left out in those of the copies.
 *
 * Returns 0; or -1 with *err set (no memory) and *out none.
 */
int debug_sections_load(struct Elf *original, size_t file_bytes,
                        const char *suffix, struct debug_sections *out,
                        struct err *err);

/**
 * Make an ELF file of sections.
 *
 * from   what they belong to. Only one file may be made of it at a time.
 * parts  sections of it, or parts of these.
 *
 * Returns an ELF file for elf_end(), which borrows the memory until then; or
 * NULL (no memory).
 */
struct Elf *debug_elf_compose(const struct debug_sections *from,
                              const struct debug_section *parts,
                              size_t n_parts);

/**
 * Make an ELF file of the debug sections of another one, if any of these is
 * compressed.
 *
 * path    for a warning about sections that are left out.
 * memory  what to free() after elf_end(*out).
 *
 * Returns 0; or -1 with *err set (no memory). *out is NULL if none is
 * compressed, and the file can be read as it is.
 */
int debug_elf_expand(struct Elf *original, size_t file_bytes, const char *path,
                     struct Elf **out, uint8_t **memory, struct err *err);

#endif
