/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * What was measured, per symbol: the sum of any number of gmon files, joined
 * with a symbol table. Calls and blocks are charged while files are read;
 * histogram samples are spread over symbols by profile_finish().
 *
 * Reports get it const. Cycles and propagated time: callgraph.h. Profiles of
 * several objects: profile_join.h.
 */
#ifndef ARCLINE_PROFILE_H
#define ARCLINE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map64.h"
#include "gmon/gmon_read.h"
#include "image/symtab.h"
#include "profile/call_sites.h"
#include "profile/profile_parts.h"
#include "profile/symspec.h"

struct err;

enum profile_flags {
  PROFILE_BLOCKS = 1 << 0, /* keep basic-block counts */
  /* Of several objects: calls whose callers are not known are kept, while GNU
     gprof drops them. */
  PROFILE_JOINED = 1 << 1,
  /* As GNU gprof: no more than ten blocks of a symbol, and samples of different
     rates are added up. */
  PROFILE_GNU = 1 << 2,
  PROFILE_CALL_SITES = 1 << 3, /* keep calls by address, too */
};

struct profile {
  const struct symtab *symtab;
  const struct symspec_tables *filters;
  unsigned flags; /* enum profile_flags */

  struct symbol_counts *counts; /* symtab->n_symbols of them */
  struct profile_arc *arcs;     /* in order of first appearance */
  size_t n_arcs;
  struct call_sites call_sites; /* but deselected ones; PROFILE_CALL_SITES */
  struct profile_block *blocks;
  size_t n_blocks;
  struct profile_histogram *histograms; /* in order of first appearance */
  size_t n_histograms;

  /* From the first histogram read; 0 and "" if there was none. */
  uint32_t rate_hz;
  const char *rate_path; /* of the file that tells it */
  char dimension[GMON_DIMENSION_BYTES + 1];
  char abbreviation;
  double scale; /* of the first histogram with bins; 0: no bins */

  bool has_histogram; /* some record of the kind was read */
  bool has_arcs;
  bool has_blocks;     /* kept, with PROFILE_BLOCKS */
  bool ignored_blocks; /* read, but not kept */
  double total_ticks;  /* set by profile_finish() */

  const struct symtab_object *object; /* private from here */
  double object_scale;                /* 0: no bins yet */
  uint64_t last_from;                 /* where the last arc came from, if */
  size_t last_parent;                 /* has_last; SYMTAB_NONE: nobody known */
  bool has_last;
  size_t arc_capacity;
  uint32_t *function_of; /* per symbol: it, or the next function below */
  size_t block_capacity;
  struct map64 arc_index;       /* parent and child -> index of arc */
  struct map64 block_index;     /* vaddr -> index of block */
  struct map64 histogram_index; /* low_pc -> index of histogram */
};

/**
 * Start an empty profile.
 *
 * symtab, filters  borrowed until profile_release().
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int profile_init(struct profile *profile, const struct symtab *symtab,
                 const struct symspec_tables *filters, unsigned flags,
                 struct err *err);

/**
 * Add all records of a gmon file.
 *
 * reader    at the start of its file.
 * contents  what the file held.
 *
 * Errors: those of the reader; histograms that overlap, or that differ in
 *         scale or unit from what was read before. The profile is then fit for
 *         profile_release() only.
 */
int profile_add(struct profile *profile, struct gmon_reader *reader,
                struct profile_contents *contents, struct err *err);

/** Add an arc by address. One with an unknown end is dropped, as in GNU gprof,
 * unless PROFILE_JOINED. Returns 0, or -1 with *err set (no memory). */
int profile_add_arc(struct profile *profile, uint64_t from_vaddr,
                    uint64_t self_vaddr, uint64_t count, struct err *err);

/** Is there an arc between two symbols? */
bool profile_has_arc(const struct profile *profile, uint32_t i_parent,
                     uint32_t i_child);

/** Add an arc without calls between two symbols, unless there is one. The
 * user's choice of arcs is not looked at, as in GNU gprof. */
int profile_add_static_arc(struct profile *profile, uint32_t i_parent,
                           uint32_t i_child, struct err *err);

/** Spread samples over symbols and tell recursive calls from others. Once,
 * after the last profile_add(). */
void profile_finish(struct profile *profile);

/** Free everything but the symbol table. A released profile is empty. */
void profile_release(struct profile *profile);

#endif
