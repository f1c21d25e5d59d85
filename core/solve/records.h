/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads and checks records of the constant data. */
#ifndef ARCLINE_SOLVE_RECORDS_H
#define ARCLINE_SOLVE_RECORDS_H

#include "solve/graph.h"
#include "solve/solve_image.h"

/** The reason for which a record cannot be used. */
enum solve_reason {
  SOLVE_FINE,
  SOLVE_VERSION, /* of a function: another one than this solver's */
  SOLVE_GRAPH_OUTSIDE,
  SOLVE_STRINGS_OUTSIDE,
  SOLVE_STRINGS_OPEN,
  SOLVE_GRAPH_HEAD,
  SOLVE_NAME_OUTSIDE,
  SOLVE_MANY_COUNTERS,
  SOLVE_ALIASES,
  SOLVE_GRAPH,   /* edges or calls are damaged, or counts do not follow */
  SOLVE_NO_BODY, /* of a copy */
  SOLVE_NO_FUNC, /* of a body or copy */
  SOLVE_CELLS_OUTSIDE,
  SOLVE_CELLS_OVERLAP,
  SOLVE_PLAN_OUTSIDE,
  SOLVE_PLAN_HEAD,
  SOLVE_PLAN,
  SOLVE_EDGES_OUTSIDE,
  SOLVE_TERMS,
  SOLVE_OVERLAP, /* encoded bytes are used more than once */
};

/** The first record that could not be used. */
struct solve_damage {
  enum solve_section_id section;
  size_t i_record;
  enum solve_reason reason; /* SOLVE_FINE: there is none */
};

/** A source function's record, decoded as far as its aliases. */
struct solve_func_record {
  const char *strings;            /* strings_bytes of them, ending in a NUL */
  struct arcline_graph_head head; /* its name is in the strings */
  struct arcline_cursor aliases;  /* n_aliases numbers; after them the edges */
  uint32_t n_aliases;
};

/** Read function number i. */
enum solve_reason solve_read_func(const struct solve_image *image, size_t i,
                                  struct solve_func_record *out);

/** The n bytes of the data section that a field points to, or NULL. */
const uint8_t *solve_find_data(const struct solve_image *image,
                               enum solve_section_id section,
                               const arcline_rel32 *field, uint32_t n);

#endif
