/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Opens the debug information of an image, in the image or in a debug file of
 * its own, compressed or not. Part of lines.h.
 */
#ifndef ARCLINE_DEBUG_INFO_H
#define ARCLINE_DEBUG_INFO_H

#include "base/mapped_file.h"
#include "debug/debug_elf.h"
#include "debug/debug_file.h"
#include "debug/line_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Dwarf;
struct Elf;
struct err;

/** Debug sections as libdw reads them. All zero: none. */
struct debug_dwarf {
  struct Dwarf *dwarf;
  struct Elf *elf;
  struct debug_sections sections;
};

struct debug_info {
  struct Dwarf *dwarf; /* NULL: there is none */
  struct line_sections sections;
  struct line_bytes abbrevs; /* .debug_abbrev */
  struct line_bytes addrs;   /* .debug_addr */
  struct line_bytes ranges;  /* .debug_ranges */
  size_t n_info_bytes;       /* of .debug_info */
  size_t n_bytes;            /* of the memory that contains them */
  uint64_t lowest;           /* address of code; UINT64_MAX: there is none */
  struct Elf *elf;           /* the image */
  size_t i_text;             /* its section .text, or 0 */
  size_t i_file_text;        /* that of file */
  struct debug_file file;    /* opened if the image has no lines itself */
  bool has_alternative;      /* dwarf may refer to that of dwz's file */
  struct mapped_file image;  /* private from here */
  struct debug_dwarf own, alternative;
  struct debug_file alternative_file;
};

/**
 * Open an image.
 *
 * Returns 0; or -1 with *err set. *out is to be closed either way.
 * Errors: unreadable, not ELF, no memory.
 */
int debug_info_open(const char *path, struct debug_info *out, struct err *err);

void debug_info_close(struct debug_info *info);

#endif
