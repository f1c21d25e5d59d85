/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines the records that the pass leaves in every instrumented object; abi.h
 * explains them. Their sizes never change (docs/FORMAT.md, 7.4).
 */
#ifndef ARCLINE_RECORDS_H
#define ARCLINE_RECORDS_H

#include <stdint.h>

/** (address of the target) - (address of the field), so that the data needs no
 * run-time relocation. */
typedef int32_t arcline_rel32;

/**
 * One source function, in ARCLINE_SECTION_FUNCS. 8-byte aligned, fixed size.
 * A function in a COMDAT group has one record in the whole program.
 */
struct arcline_func {
  uint64_t id;         /* hash of name, graph, lines and, if local, unit */
  arcline_rel32 graph; /* encoded graph, in ARCLINE_SECTION_DATA */
  uint32_t graph_bytes;
  arcline_rel32 strings; /* NUL-terminated strings; offset 0 is "" */
  uint32_t strings_bytes;
  uint32_t n_counters; /* of the graph */
  uint16_t version;    /* ARCLINE_ABI_VERSION */
  uint16_t flags;      /* enum arcline_func_flags */
};

enum arcline_func_flags {
  ARCLINE_FUNC_COMDAT = 1 << 0, /* may be instantiated in several units */
  ARCLINE_FUNC_LOCAL = 1 << 1,  /* its name is valid in its unit only */
  ARCLINE_FUNC_ARCS = 1 << 2,   /* arcs to it follow from the counts of call
                                   sites; else they are counted by
                                   __arcline_mcount(), or not at all */
  ARCLINE_FUNC_WEAK = 1 << 3,   /* another unit's function of the same name may
                                   be called instead */
  ARCLINE_FUNC_MADE = 1 << 4,   /* the compiler made it: the source has no such
                                   function */
};

/** The source functions that the bodies of a unit refer to, in
 * ARCLINE_SECTION_DATA. 4-byte aligned. Followed by arcline_rel32[n]: a
 * function's place in the list is its slot. */
struct arcline_unit {
  uint32_t n;
};

/** A body, in ARCLINE_SECTION_BODIES. 4-byte aligned, fixed size. */
struct arcline_body {
  arcline_rel32 pc;    /* its entry, or 0 */
  arcline_rel32 unit;  /* the struct arcline_unit that slots are of */
  arcline_rel32 cells; /* in ARCLINE_SECTION_CELLS, or 0 */
  uint32_t n_cells;
  arcline_rel32 data; /* encoded, in ARCLINE_SECTION_PLANS */
  uint32_t data_bytes;
};

/**
 * An indirect call site of a copy, in ARCLINE_SECTION_SITES. 8-byte aligned,
 * fixed size; written at run time.
 */
struct arcline_site {
  uint64_t callee;    /* pc of the first callee; 0 before the first call */
  uint64_t second;    /* pc of the second callee, or 0 */
  arcline_rel32 body; /* the struct arcline_body that it belongs to */
  uint32_t call;      /* index into the call sites of that function's graph */
  arcline_rel32 cell; /* counts calls of the second callee; 0: nothing does */
  uint32_t copy;      /* number of the copy in the body */
};

/**
 * A unit with code that counts through the segment register GS, in
 * ARCLINE_SECTION_SEGMENTS. Such code is for executables: GS contains the bias
 * of the executable's cells. A shared object that has one counts wrongly in
 * threads whose GS is not 0.
 */
struct arcline_segment {
  arcline_rel32 object;  /* __arcline_ready */
  arcline_rel32 threads; /* __arcline_threads */
};

#endif
