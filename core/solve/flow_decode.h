/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Decoding of what abi.h calls encoded: graphs, plans and terms. The runtime
 * does it when it dumps, the analyzer when it reads; one text for both, so that
 * they cannot disagree. Freestanding: no libc, no allocation, no recursion.
 * Safe on hostile input: every read is checked, and every function ends after a
 * number of steps linear in its input.
 */
#ifndef ARCLINE_FLOW_DECODE_H
#define ARCLINE_FLOW_DECODE_H

#include <stdint.h>

#include "arcline/abi.h"

/* Loops run over millions of numbers, with the cursor in registers. */
#define ARCLINE_HOT static inline __attribute__((always_inline))

/** Reading position in encoded data. Once bad, it stays bad and reads 0. */
struct arcline_cursor {
  const uint8_t *at;
  const uint8_t *end;
  int bad;
};

/** Read one ULEB128 number; 0 and cursor->bad if there is none within bounds.
 */
static inline uint64_t arcline_read_uleb(struct arcline_cursor *cursor) {
  uint64_t value = 0;

  if (cursor->at != cursor->end && *cursor->at < 0x80)
    return *cursor->at++; // nearly all numbers are small
  for (unsigned shift = 0; !cursor->bad; shift += 7) {
    if (cursor->at == cursor->end || shift > 63) {
      cursor->bad = 1;
      break;
    }
    uint8_t byte = *cursor->at++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
  return 0;
}

#define ARCLINE_ULEB_BYTES 10 /* at most */

/**
 * Read one ULEB128 number where the caller knows of ARCLINE_ULEB_BYTES bytes.
 * Returns where the next one begins, or NULL if this one does not end.
 */
ARCLINE_HOT const uint8_t *arcline_take_uleb(const uint8_t *at, uint64_t *out) {
  const uint64_t first = at[0];
  if (first < 0x80) {
    *out = first;
    return at + 1;
  }
  const uint64_t second = at[1];
  if (second < 0x80) {
    *out = (first & 0x7f) | second << 7;
    return at + 2;
  }
  *out = 0;
  for (unsigned shift = 0; shift <= 63; shift += 7) {
    const uint8_t byte = *at++;
    *out |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return at;
  }
  return 0;
}

/** Read one number. Returns 0, or -1 if it is cut short. */
ARCLINE_HOT int arcline_read_one(struct arcline_cursor *cursor, uint64_t *out) {
  if (cursor->end - cursor->at < ARCLINE_ULEB_BYTES) {
    *out = arcline_read_uleb(cursor);
    return cursor->bad ? -1 : 0;
  }
  const uint8_t *at = arcline_take_uleb(cursor->at, out);
  if (!at) {
    cursor->bad = 1;
    return -1;
  }
  cursor->at = at;
  return 0;
}

/** Read a number that must fit into 32 bits; else the cursor goes bad. */
static inline uint32_t arcline_read_u32(struct arcline_cursor *cursor) {
  uint64_t value = arcline_read_uleb(cursor);

  if (value > UINT32_MAX) {
    cursor->bad = 1;
    return 0;
  }
  return (uint32_t)value;
}

/** Pass over n numbers, of which each ends in a byte below 0x80. */
static inline void arcline_skip_numbers(struct arcline_cursor *cursor,
                                        uint64_t n) {
  const uint64_t ones = UINT64_MAX / 0xff;

  for (; n >= 8 && cursor->end - cursor->at >= 8; cursor->at += 8) {
    uint64_t bytes;
    __builtin_memcpy(&bytes, cursor->at, sizeof(bytes));
    n -= 8 - ((bytes >> 7 & ones) * ones >> 56);
  }
  while (n && cursor->at != cursor->end)
    n -= *cursor->at++ < 0x80;
  if (n)
    cursor->bad = 1;
}

/** Undo the zigzag encoding of a signed number. */
static inline int64_t arcline_unzigzag(uint64_t value) {
  return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

#define ARCLINE_NO_COUNTER UINT32_MAX

/** What stands before the edges of an encoded graph. */
struct arcline_graph_head {
  uint32_t name;    /* string offset of the linkage name */
  uint32_t n_nodes; /* without EXIT */
  uint32_t n_edges;
};

/** One edge; count is filled in from the counter or by arcline_flow_solve(). */
struct arcline_edge {
  uint32_t from; /* node; n_nodes is EXIT */
  uint32_t to;
  uint32_t counter; /* of the graph, cell of the body, or ARCLINE_NO_COUNTER */
  uint32_t kind;    /* enum arcline_edge_kind */
  uint64_t count;
};

/**
 * Read the head of an encoded graph and leave the cursor at the first edge.
 *
 * Returns 0; or -1 if the data is cut short or claims more nodes or edges than
 * its bytes could hold, so that n_nodes and n_edges are safe sizes to allocate.
 */
static inline int arcline_read_graph_head(struct arcline_cursor *cursor,
                                          struct arcline_graph_head *out) {
  out->name = arcline_read_u32(cursor);
  out->n_nodes = arcline_read_u32(cursor);
  out->n_edges = arcline_read_u32(cursor);
  uint64_t left = (uint64_t)(cursor->end - cursor->at);
  if (cursor->bad || out->n_nodes == 0 || out->n_nodes > left ||
      out->n_edges > left)
    return -1;
  return 0;
}

/** How far the edges of a graph or plan have been read; begins as
 * {n_nodes, 0} for a graph, and as {0} for a plan. */
struct arcline_edge_place {
  uint32_t node;    /* graph: where the last edge came from; plan: how many
                       nodes were mentioned */
  uint32_t counter; /* the next one, or cell */
};

/** Read the next edge of a graph. Returns 0, or -1 if it is cut short or out of
 * range. */
ARCLINE_HOT int arcline_read_edge(struct arcline_cursor *cursor,
                                  const struct arcline_graph_head *head,
                                  uint32_t n_counters,
                                  struct arcline_edge_place *place,
                                  struct arcline_edge *out) {
  const uint32_t exit = head->n_nodes;
  uint64_t tag;

  do {
    if (arcline_read_one(cursor, &tag))
      return -1;
    if (tag & ARCLINE_EDGE_IS_NEXT)
      place->node = place->node == exit ? 0 : place->node + 1;
    out->kind = (uint32_t)tag & ((1u << ARCLINE_EDGE_KIND_BITS) - 1);
  } while (out->kind == ARCLINE_EDGE_NONE);
  out->from = place->node;
  out->to = exit;
  if (tag >> ARCLINE_EDGE_TO_BITS) {
    const int64_t from = place->node == exit ? -1 : (int64_t)place->node;
    const uint64_t to =
        (uint64_t)(from + 1) +
        (uint64_t)arcline_unzigzag((tag >> ARCLINE_EDGE_TO_BITS) - 1);
    if (to >= exit)
      return -1;
    out->to = (uint32_t)to;
  }
  out->counter = ARCLINE_NO_COUNTER;
  out->count = 0;
  if (tag & ARCLINE_EDGE_HAS_COUNTER) {
    if (place->counter >= n_counters)
      return -1;
    out->counter = place->counter++;
  }
  return 0;
}

/** A call site. */
struct arcline_call {
  uint32_t node;
  uint32_t callee; /* string offset; 0 for an indirect call */
};

/**
 * Read how many elements of at least element_bytes follow. Returns the number,
 * or 0 and sets cursor->bad if they would not fit into what is left.
 */
static inline uint32_t arcline_read_length(struct arcline_cursor *cursor,
                                           uint32_t element_bytes) {
  uint32_t n = arcline_read_u32(cursor);

  if (n > (uint64_t)(cursor->end - cursor->at) / element_bytes)
    cursor->bad = 1;
  return cursor->bad ? 0 : n;
}

/** Read the next call site. Returns 0, or -1 if it is cut short or of no node.
 * The caller checks the callee's string. */
static inline int arcline_read_call(struct arcline_cursor *cursor,
                                    const struct arcline_graph_head *head,
                                    struct arcline_call *out) {
  out->node = arcline_read_u32(cursor);
  out->callee = arcline_read_u32(cursor);
  return cursor->bad || out->node >= head->n_nodes ? -1 : 0;
}

#define ARCLINE_CALL_BYTES 2 /* at least */

/** What stands before the edges of an encoded plan. */
struct arcline_plan_head {
  uint32_t n_nodes; /* without EXIT; 0: no edge is listed */
  uint32_t n_edges;
};

/**
 * Read the head of an encoded plan and leave the cursor at the first edge, or
 * behind the edges if none is listed. Returns 0; or -1 if it is cut short or
 * claims more than its bytes and the body's n_cells cells allow.
 */
static inline int arcline_read_plan_head(struct arcline_cursor *cursor,
                                         uint32_t n_cells,
                                         struct arcline_plan_head *out) {
  out->n_nodes = arcline_read_u32(cursor);
  out->n_edges = arcline_read_u32(cursor);
  uint64_t left = (uint64_t)(cursor->end - cursor->at);
  if (cursor->bad || out->n_nodes > left ||
      out->n_edges > (out->n_nodes ? left : n_cells))
    return -1;
  return 0;
}

/** The node that an end of an edge of a plan means; *end is false if there is
 * no such node. */
ARCLINE_HOT uint32_t arcline_plan_end(uint64_t code,
                                      const struct arcline_plan_head *head,
                                      struct arcline_edge_place *place,
                                      int *is_bad) {
  if (code == 0)
    return head->n_nodes;
  if (code == 1) {
    *is_bad |= place->node == head->n_nodes;
    return place->node++;
  }
  *is_bad |= code - 1 > place->node;
  return place->node - (uint32_t)(code - 1);
}

/** Read the next edge of a plan that lists them; its counter is a cell. Returns
 * 0, or -1 if it is cut short or out of range. */
ARCLINE_HOT int arcline_read_plan_edge(struct arcline_cursor *cursor,
                                       const struct arcline_plan_head *head,
                                       uint32_t n_cells,
                                       struct arcline_edge_place *place,
                                       struct arcline_edge *out) {
  uint64_t from, to;
  int is_bad = 0;

  if (arcline_read_one(cursor, &from))
    return -1;
  *out = (struct arcline_edge){head->n_nodes, head->n_nodes, ARCLINE_NO_COUNTER,
                               0, 0};
  if (from >> 1) {
    if (arcline_read_one(cursor, &to))
      return -1;
    out->from = arcline_plan_end((from >> 1) - 1, head, place, &is_bad);
    if (is_bad)
      return -1;
    out->to = arcline_plan_end(to, head, place, &is_bad);
  }
  if (from & 1) {
    is_bad |= place->counter >= n_cells;
    out->counter = place->counter++;
  }
  return is_bad ? -1 : 0;
}

#endif
