/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Builds ELF files in memory out of debug sections, for libdw to read: those of
 * an image or debug file, decompressed if they were, and those of split units.
 * Part of lines.h.
 *
 * libdw never gets a file as it is: it would decompress sections that are never
 * read, to any size that they claim, and write into their headers, which may be
 * mapped from the file.
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

enum {
  DEBUG_SECTIONS = 12,         /* as many as there are names */
  DEBUG_ELF_ROOM_BYTES = 2048, /* for headers before a file */
};

/** The debug sections of an ELF file. All zero: no sections. */
struct debug_sections {
  struct debug_section list[DEBUG_SECTIONS];
  size_t n;
  uint8_t *start;   /* of the memory around them, headers first; NULL: none */
  size_t n_bytes;   /* from there */
  bool is_copy;     /* and not part of the file */
  bool is_complete; /* none is damaged or too large */
  uint8_t class, order; /* as in e_ident */
  uint16_t machine;
};

/**
 * Find the debug sections of an ELF file. If one is compressed, all are copied
 * and decompressed: sections that claim to be larger than plausible are left
 * out, as are damaged ones. Of several with one name, the last one is taken.
 *
 * file    the whole file, after DEBUG_ELF_ROOM_BYTES that are writable:
 *         sections stay in it; or its size alone, and they are copied.
 * suffix  that names of sections have; left out in those of the result.
 *
 * Returns 0; or -1 with *err set (no memory) and *out none.
 *
 * Owns: caller releases *out.
 */
int debug_sections_load(struct Elf *original, struct line_bytes file,
                        const char *suffix, struct debug_sections *out,
                        struct err *err);

/** The bytes of a section; none if it is missing. */
struct line_bytes debug_sections_find(const struct debug_section *sections,
                                      size_t n_sections, const char *name);

void debug_sections_release(struct debug_sections *sections);

/**
 * Make an ELF file of sections.
 *
 * from   the sections that they belong to. Only one file may be made of it at a
 *        time.
 * parts  sections of it, or parts of these.
 *
 * Returns an ELF file for elf_end(), which borrows the memory until then; or
 * NULL (no memory).
 */
struct Elf *debug_elf_compose(const struct debug_sections *from,
                              const struct debug_section *parts,
                              size_t n_parts);

/** May strings of a section be read by libelf? Not of a compressed one, which
 * it would decompress, to any size that it claims. */
bool debug_elf_has_strings(struct Elf *elf, size_t i_section);

/** Find the section with the names of an ELF file's sections. Returns false if
 * there is none, or if its strings may not be read. */
bool debug_elf_find_names(struct Elf *elf, size_t *i_names);

#endif
