/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Maps addresses to the functions of one compilation unit, inlined copies
 * included: to the innermost one, which is that of the smallest range of those
 * that contain the address. Part of lines.h, its only user.
 */
#ifndef ARCLINE_FUNC_TABLE_H
#define ARCLINE_FUNC_TABLE_H

#include "debug/line_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Dwarf;
struct err;
struct unit_addresses;

/** A function or an inlined copy of one. */
struct func {
  const char *name; /* lives as long as the Dwarf; NULL: has none */
  uint64_t low;     /* start of its first range */
  bool is_linkage;  /* the name is the linkage name, or no better one can be
                       found */
  bool is_inlined;  /* a copy in the code of another one */
  size_t i_caller;  /* of a copy: the function around it, in func_table.funcs;
                       FUNC_NONE: not known */
};

#define FUNC_NONE SIZE_MAX

/** A stretch of code whose innermost function is the same. */
struct func_span {
  uint64_t low, high;
  size_t i_func;
};

/** All zero is empty. */
struct func_table {
  struct func *funcs;
  size_t n_funcs;
  struct func_span *spans; /* ascending, not overlapping */
  size_t n_spans;
  size_t span_hint; /* private: where the last function was found */
};

/** How to read a unit. */
struct func_options {
  bool is_gnu;               /* see LINES_GNU */
  uint64_t lowest;           /* ranges that begin below it are left out */
  size_t *range_budget;      /* ranges that may still be read, over all units */
  size_t *walk_budget;       /* bytes of abbreviations that may still be read */
  struct line_bytes abbrevs; /* .debug_abbrev */
  size_t n_info_bytes;       /* of .debug_info */
  bool is_big_endian;
  bool has_alternative;               /* there is a file of shared entries */
  const struct unit_addresses *split; /* of a split unit; NULL: the unit is not
                                         split */
};

/**
 * Read the functions of the unit whose DIE is at an offset of .debug_info.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty. Damaged entries
 * are left out.
 */
int func_table_load(struct Dwarf *dwarf, uint64_t die_off,
                    const struct func_options *options, struct func_table *out,
                    struct err *err);

/**
 * Do all values of an entry end before its unit does? libdw returns strings
 * that do not.
 *
 * die  a Dwarf_Die.
 */
bool func_table_is_whole(void *die);

/** Find the innermost function at vaddr, or NULL. Quick for one address after
 * the other: sorted.h. */
struct func *func_table_find(struct func_table *table, uint64_t vaddr);

/** Free; an empty table may be released too. */
void func_table_release(struct func_table *table);

#endif
