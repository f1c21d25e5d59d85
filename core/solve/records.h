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
  SOLVE_NO_FUNC, /* of a body */
  SOLVE_NO_COPY, /* one of its copies is of no function */
  SOLVE_CELLS_OUTSIDE,
  SOLVE_CELLS_OVERLAP,
  SOLVE_DATA_OUTSIDE,
  SOLVE_DATA_OPEN,
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

/** A body's data, taken apart. */
struct solve_body_data {
  uint32_t own; /* 1 + slot, or 0 */
  uint32_t n_copies;
  struct arcline_cursor copies; /* n_copies slots */
  struct arcline_cursor plan;   /* empty: none */
  struct arcline_cursor addrs;
};

/** Take apart the data of a body. */
enum solve_reason solve_read_body(const struct solve_image *image,
                                  const struct arcline_body *record,
                                  struct solve_body_data *out);

/** A unit's list of functions. */
struct solve_slots {
  const arcline_rel32 *funcs;
  uint32_t n; /* 0: there is no such list */
};

/** Find the list that a body's slots are of. */
struct solve_slots solve_body_slots(const struct solve_image *image,
                                    const struct arcline_body *record);

/** Number of the function in a slot, or SOLVE_NONE. */
static inline uint32_t solve_slot_func(const struct solve_image *image,
                                       const struct solve_slots *slots,
                                       uint32_t slot) {
  return slot < slots->n && slots->funcs[slot]
             ? solve_func_at(image, solve_target(&image->sections[SOLVE_DATA],
                                                 &slots->funcs[slot]))
             : SOLVE_NONE;
}

/** The n bytes of a section that a field in another one points to, or NULL. */
const uint8_t *solve_find_data(const struct solve_image *image,
                               enum solve_section_id section,
                               const arcline_rel32 *field,
                               enum solve_section_id target, uint32_t n);

#endif
