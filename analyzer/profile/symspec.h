/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Parses and matches selections of symbols, the arguments of the options -p,
 * -P, -q, -Q and others: a function name, a file, a line, or a combination; or
 * two of them with a slash between, for an arc. The rules are GNU gprof's.
 */
#ifndef ARCLINE_SYMSPEC_H
#define ARCLINE_SYMSPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/symtab.h"

struct err;

/** Purpose of a selection. */
enum symspec_use {
  SYMSPEC_FLAT,  /* rows of the flat profile, and samples */
  SYMSPEC_GRAPH, /* entries of the call graph */
  SYMSPEC_TIME,  /* functions that propagate time */
  SYMSPEC_ANNO,  /* annotated source */
  SYMSPEC_EXEC,  /* execution counts */
  SYMSPEC_ARCS,  /* arcs: text has a slash between caller and callee */
  SYMSPEC_N_USES,
};

/** One selection as the user wrote it. */
struct symspec {
  enum symspec_use use;
  bool is_exclude;
  const char *text; /* borrowed */
};

/** The selected symbols of one use. */
struct symspec_filter {
  struct symtab include;
  struct symtab exclude;
};

/** All selections, resolved against a symbol table. */
struct symspec_tables {
  struct symspec_filter
      filters[SYMSPEC_N_USES]; /* those of ARCS are of callers, with the index
                                  of their callees as line */
  uint64_t *include_reaches; /* of ARCS, for each range of callers: the last */
  uint64_t *exclude_reaches; /* byte of all ranges up to this one */
  struct symtab *callees;    /* of the selections of arcs */
  size_t n_callees;
};

/**
 * Resolve selections; the profiling functions (mcount and similar ones) are
 * always excluded from FLAT, GRAPH and TIME.
 *
 * symtab  has files and lines already if a spec names one.
 *
 * Returns 0, or -1 with *err set (no memory) and *out empty.
 * A selection that matches nothing is no error: it selects nothing.
 */
int symspec_resolve(const struct symtab *symtab, const struct symspec *specs,
                    size_t n_specs, struct symspec_tables *out,
                    struct err *err);

/** True if some selection is by file or line, so that these are needed. */
bool symspec_needs_files(const struct symspec *specs, size_t n_specs);

/** Is the symbol at vaddr in? In the include list, or that is empty and it is
 * not in the exclude list. */
bool symspec_allows(const struct symspec_tables *tables, enum symspec_use use,
                    uint64_t vaddr);

/** The same for an arc between two symbols; caller NULL: unknown. */
bool symspec_allows_arc(const struct symspec_tables *tables,
                        const struct symbol *caller,
                        const struct symbol *callee);

/** Is the symbol at vaddr in the include list? */
bool symspec_is_included(const struct symspec_tables *tables,
                         enum symspec_use use, uint64_t vaddr);

/** Is the symbol at vaddr in the exclude list? */
bool symspec_is_excluded(const struct symspec_tables *tables,
                         enum symspec_use use, uint64_t vaddr);

/** Free; released tables are empty and allow everything. */
void symspec_release(struct symspec_tables *tables);

#endif
