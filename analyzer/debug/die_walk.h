/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Walks over all entries (DIEs) of a compilation unit, in the order of the
 * file, and stops at functions. It determines how long entries are, not what
 * they mean: values are passed on unread, for libdw to read. libdw's own walk
 * looks each entry's abbreviation up several times, and skips the entries below
 * it once more at each level of nesting. Part of func_table.h, its only user.
 *
 * Reads untrusted bytes; work is linear in those of the unit and of the
 * abbreviations that it uses.
 */
#ifndef ARCLINE_DIE_WALK_H
#define ARCLINE_DIE_WALK_H

#include "debug/line_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/** The bytes of a unit. */
struct die_unit {
  struct line_bytes dies; /* from the unit's own entry to its end */
  struct line_bytes
      abbrevs;      /* from the unit's first one to the section's end */
  unsigned version; /* of DWARF */
  unsigned address_bytes;
  unsigned offset_bytes;
  bool is_big_endian;
};

/** An attribute of an entry. */
struct die_value {
  unsigned attr;        /* DW_AT_...; 0: the entry has none */
  unsigned form;        /* DW_FORM_... */
  const uint8_t *bytes; /* in the unit */
};

/** A function or an inlined copy of one. */
struct die_func {
  const uint8_t *bytes; /* where the entry begins */
  unsigned depth;       /* how many entries it is in */
  unsigned least_depth; /* of the entries after the last function, and its own:
                           functions of this depth and more have ended */
  bool is_inlined;      /* a copy */
  struct die_value name;
  struct die_value linkage_name; /* or its form before DWARF 4 */
  struct die_value origin; /* abstract origin or, if none, specification */
  struct die_value low_pc, high_pc, ranges;
  /* Some value is not in the unit: all of them should be read by libdw. */
  bool has_remote_values;
};

struct die_walk;

/** Start a walk. Returns NULL with *err set (no memory). Caller ends it; the
 * bytes are borrowed until then. */
struct die_walk *die_walk_begin(const struct die_unit *unit, struct err *err);

/**
 * Advance to the next function.
 *
 * Returns 1; 0 at the end of the unit, or at damage; or -1 with *err set (no
 * memory).
 */
int die_walk_next(struct die_walk *walk, struct die_func *out, struct err *err);

/** Bytes of abbreviations that were read. */
size_t die_walk_abbrev_bytes(const struct die_walk *walk);

/** NULL is allowed. */
void die_walk_end(struct die_walk *walk);

#endif
