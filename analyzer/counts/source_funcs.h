/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Lists the functions of the source, for reports of coverage: instances of a
 * template are one function, and so are the variants of a constructor or
 * destructor; functions that the compiler made are left out. Reports of calls
 * and times have those of line_counts.h.
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_SOURCE_FUNCS_H
#define ARCLINE_SOURCE_FUNCS_H

#include "counts/line_counts.h"

struct err;

/** A function of the source. Its first line is one that has code. */
struct source_func {
  struct flow_line pos;
  uint32_t last_line; /* last line of its code in that file; 0: unknown */
  const char *name;   /* linkage name of one of its instances */
  uint64_t n_entries; /* of all instances */
  uint32_t n_blocks, n_run_blocks; /* of the best instance */
};

/** In order of file, line and name. All zero is empty. */
struct source_funcs {
  struct source_func *funcs;
  size_t n_funcs;
};

/**
 * List the functions of the source.
 *
 * counts  complete; lends the names.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int source_funcs_build(const struct line_counts *counts,
                       struct source_funcs *out, struct err *err);

/** Free; an empty one may be released too. */
void source_funcs_release(struct source_funcs *funcs);

#endif
