/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds source file, line and function of an address in debug information. It
 * is decoded one compilation unit at a time, at the first look-up of one of its
 * addresses. Missing or damaged debug information is absence, never an error:
 * an address without an answer is an ordinary result. Independent of profiles;
 * does not read source text (source.h).
 *
 * An answer is the same for a whole interval of addresses. Callers that need
 * the answers of a range get its break points (lines_breaks_find) and look up
 * one address per interval.
 *
 * Its parts: func_table, debug_info and split, which use libdw, too, and
 * theirs; line_table, line_files, text_names.
 */
#ifndef ARCLINE_LINES_H
#define ARCLINE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct file_naming;
struct lines;

/** "No file" as a file index. */
#define LINES_NO_FILE UINT32_MAX

enum lines_flags {
  /**
   * Answer as GNU gprof does, oddities included: function ranges in DWARF 5's
   * indexed form are not seen, names without a linkage name come from the
   * symbol table (which one may depend on the first address of the function
   * that was looked up). Without it, answers are those of the debug
   * information.
   */
  LINES_GNU = 1 << 0,
  /** Make GNU gprof's mistakes, too: leave files with split debug information
   * alone. */
  LINES_GNU_BUGS = 1 << 1,
  /** Begin in file 0 in DWARF 5, as GNU gprof before 2.44 does. */
  LINES_FILE_0 = 1 << 2,
};

/** File, line and function of an address. */
struct line_pos {
  uint32_t i_file;  /* index for lines_file_name(), or LINES_NO_FILE */
  uint32_t line;    /* from 1; 0: not known */
  const char *func; /* innermost function, inlined ones included; linkage name
                       if there is one; NULL: not known */
};

/** Addresses at which an answer may change. */
struct lines_breaks {
  uint64_t *vaddrs; /* ascending, unique; the first is the range's start */
  size_t n_vaddrs;
};

/**
 * Open the debug information of an ELF file.
 *
 * path   borrowed until lines_close().
 * flags  enum lines_flags.
 * naming  borrowed until lines_close(); NULL: names are as recorded.
 *
 * Returns 0; or -1 with *err set and *out NULL.
 * Owns:   caller closes *out. All strings live until then.
 * Errors: unreadable, not ELF, no memory. No debug information is none: then
 *         lines_has_debug() is false and nothing is ever found.
 */
int lines_open(const char *path, unsigned flags,
               const struct file_naming *naming, struct lines **out,
               struct err *err);

/** Is there any line table? */
bool lines_has_debug(const struct lines *lines);

/**
 * Look an address up. O(log n) once its unit is decoded.
 *
 * out  always set; parts that are not known are empty.
 *
 * Returns true if file, line and function are all known.
 */
bool lines_find(struct lines *lines, uint64_t vaddr, struct line_pos *out);

/**
 * As lines_find(), for callers that need file and line alone: the function may
 * be wrong. If line table and symbol table have the answer, the functions of
 * the unit, most of the debug information, are not read.
 *
 * needs_line  otherwise the line is some number that is not 0, and line tables
 *             take hardly any memory.
 */
bool lines_find_place(struct lines *lines, uint64_t vaddr, bool needs_line,
                      struct line_pos *out);

/**
 * Find the functions at vaddr: the innermost one first, then those that it was
 * inlined into; the last one is the function that the code belongs to.
 *
 * names  room for max; lives as lines do. Further functions are left out.
 *
 * Returns how many; 0: nothing is known.
 */
size_t lines_find_inlined(struct lines *lines, uint64_t vaddr,
                          const char **names, size_t max);

/**
 * Find every address in [low, high) at which the answer may change: rows and
 * ends of line tables, starts and ends of functions and of inlined copies.
 * Decodes the units in the range.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int lines_breaks_find(struct lines *lines, uint64_t low, uint64_t high,
                      struct lines_breaks *out, struct err *err);

/** Free; an empty one may be released too. */
void lines_breaks_release(struct lines_breaks *breaks);

/**
 * Number of different source files named so far: by the line tables of all
 * units decoded until now. Indices stay valid when more are added.
 */
size_t lines_n_files(const struct lines *lines);

/**
 * Name of a file: by the naming; without one, absolute if the debug information
 * allows (directory and compilation directory put before it), not normalised.
 * Equal names have equal indices and are the same pointer.
 */
const char *lines_file_name(const struct lines *lines, uint32_t i_file);

/** Close; NULL is allowed. */
void lines_close(struct lines *lines);

#endif
