/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Opens split debug information: units whose entries are in a file of their own
 * (NAME.dwo, of -gsplit-dwarf) or in a package of all of these (IMAGE.dwp). The
 * image keeps a skeleton with line tables and addresses. DWARF 5, and its
 * precursor in DWARF 4. Part of lines.h.
 *
 * Files must be regular ones, and units have the id that the skeleton names.
 */
#ifndef ARCLINE_SPLIT_H
#define ARCLINE_SPLIT_H

#include "debug/range_list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Dwarf;
struct Elf;
struct err;
struct split_files;

/** The contents of a skeleton. */
struct split_skeleton {
  uint64_t id;
  const char *name;     /* of the file */
  const char *comp_dir; /* or NULL */
  unsigned version;
  unsigned address_bytes, offset_bytes;
  uint64_t addr_base, ranges_base, low_pc;
};

/** Read a skeleton. Returns false if the unit whose entry is at die_off is not
 * one. Strings live as long as the Dwarf. */
bool split_skeleton_read(struct Dwarf *dwarf, uint64_t die_off,
                         struct split_skeleton *out);

/** An open unit. */
struct split_unit {
  struct Dwarf *dwarf;
  struct Elf *elf;           /* private */
  uint64_t die_off;          /* its own entry */
  struct line_bytes abbrevs; /* input of func_table.h */
  size_t n_info_bytes;
  struct unit_addresses addresses;
};

/**
 * Start without any file open.
 *
 * image_path         its package and folder are searched, too.
 * addrs, old_ranges  the image's .debug_addr and .debug_ranges.
 *
 * Strings and bytes are borrowed. Returns NULL with *err set (no memory).
 */
struct split_files *split_files_create(const char *image_path,
                                       struct line_bytes addrs,
                                       struct line_bytes old_ranges,
                                       bool is_big_endian, struct err *err);

/**
 * Open a unit. One at a time: close it before the next one. Names that are read
 * from it live as long as `files`. No unit can be opened twice.
 *
 * Returns 1; 0 if it cannot be found; -1 with *err set (no memory).
 */
int split_unit_open(struct split_files *files,
                    const struct split_skeleton *skeleton,
                    struct split_unit *out, struct err *err);

void split_unit_close(struct split_unit *unit);

/** Bytes of debug sections in all files that were read. */
size_t split_files_bytes(const struct split_files *files);

/** NULL is allowed. */
void split_files_destroy(struct split_files *files);

#endif
