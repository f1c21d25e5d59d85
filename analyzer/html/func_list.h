/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Lists the functions of a report: those of the source, which have exact calls
 * and lines, joined with the symbols of the call graph, which have times. A
 * function that was inlined everywhere has no symbol; one of a library has no
 * line.
 */
#ifndef ARCLINE_FUNC_LIST_H
#define ARCLINE_FUNC_LIST_H

#include "counts/flow_data.h"

#include <stddef.h>
#include <stdint.h>

struct err;
struct graph_profile;
struct inlined;
struct line_counts;

/** "No such thing" of the numbers below. */
#define FUNC_NONE UINT32_MAX

/** Figures of a function. */
struct html_figures {
  uint64_t n_calls, n_inlined;
  double self, total;
  bool is_estimate;
};

struct html_func {
  const char *name;           /* linkage name; borrowed */
  char *text;                 /* demangled */
  char *brief;                /* the same, shortened; NULL: not needed */
  const char *object;         /* that the symbol is in; NULL: unknown */
  uint32_t i_symbol;          /* of the profile; or FUNC_NONE */
  uint32_t i_line_func;       /* of line_counts.funcs; or FUNC_NONE */
  struct flow_line pos;       /* i_file FUNC_NONE: unknown */
  uint64_t n_calls;           /* all of them, recursive ones, too */
  uint64_t n_inlined;         /* of these: inlined in the caller */
  double self, total;         /* in samples; 0 without a symbol */
  bool is_estimate;           /* total */
  bool is_of_several;         /* each of several objects has a row */
  struct html_figures others; /* of their other rows, if i_line_func is known */
};

/** A linkage name. A function may have several: those of a C++ constructor are
 * one function of the source. */
struct func_name {
  const char *name;
  uint32_t i_func;
};

/** All zero is empty. */
struct func_list {
  const struct line_counts *counts;
  struct html_func *funcs; /* most self time first */
  uint32_t n_funcs;
  uint32_t *of_line_func;  /* index of a function by that of line_counts */
  uint32_t *of_symbol;     /* by that of the profile; or FUNC_NONE */
  struct func_name *names; /* private: sorted; the next, too */
  size_t n_names;
  struct func_name *aliases; /* with numbers of line_counts */
  size_t n_aliases;
  uint32_t *callees;    /* by call of line_counts; or FUNC_NONE */
  uint32_t *callers;    /* private: of line_callers_find() */
  uint32_t *calls;      /* calls that were made, grouped by callee */
  uint32_t *first_call; /* of a function, in calls; one more at the end */
};

/**
 * Join them.
 *
 * program  its call graph is built; lends names.
 * inlined  of the program.
 * counts   callees of indirect calls are named; borrowed until release.
 * flow     that they were built from; lends further names. Names of files that
 *          symbols are in are added.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int func_list_build(const struct graph_profile *program,
                    const struct inlined *inlined,
                    const struct line_counts *counts, struct flow_data *flow,
                    struct func_list *out, struct err *err);

/** A function's short name. */
static inline const char *func_brief(const struct html_func *func) {
  return func->brief ? func->brief : func->text;
}

/** The function of a linkage name, of several the one in a file; or FUNC_NONE.
 */
uint32_t func_list_find(const struct func_list *list, const char *name,
                        uint32_t i_file);

/** The function of a flow graph, by name and place; or FUNC_NONE. */
uint32_t func_list_of_flow(const struct func_list *list,
                           const struct flow_func *func);

/** The function of the source that a call is in; or FUNC_NONE. */
uint32_t func_list_around(const struct func_list *table, uint32_t i_call);

/** Free; an empty one may be released too. */
void func_list_release(struct func_list *table);

#endif
