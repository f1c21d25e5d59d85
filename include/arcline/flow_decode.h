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

/** Read three numbers. Returns 0, or -1 if they are cut short. */
ARCLINE_HOT int arcline_read_three(struct arcline_cursor *cursor,
                                   uint64_t out[3]) {
  const uint8_t *at = cursor->at;

  if (cursor->end - at < 3 * ARCLINE_ULEB_BYTES) {
    out[0] = arcline_read_uleb(cursor);
    out[1] = arcline_read_uleb(cursor);
    out[2] = arcline_read_uleb(cursor);
    return cursor->bad ? -1 : 0;
  }
  if (!(at = arcline_take_uleb(at, &out[0])) ||
      !(at = arcline_take_uleb(at, &out[1])) ||
      !(at = arcline_take_uleb(at, &out[2]))) {
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

/** Pass over n numbers. */
static inline void arcline_skip_numbers(struct arcline_cursor *cursor,
                                        uint64_t n) {
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
  uint32_t name;     /* string offset of the linkage name */
  uint32_t file;     /* string offset of the defining file */
  uint32_t line;     /* of the definition; 0 if unknown */
  uint32_t comp_dir; /* string offset of the compilation directory */
  uint32_t n_nodes;  /* without EXIT */
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
  out->file = arcline_read_u32(cursor);
  out->line = arcline_read_u32(cursor);
  out->comp_dir = arcline_read_u32(cursor);
  out->n_nodes = arcline_read_u32(cursor);
  out->n_edges = arcline_read_u32(cursor);
  uint64_t left = (uint64_t)(cursor->end - cursor->at);
  if (cursor->bad || out->n_nodes == 0 || out->n_nodes > left ||
      out->n_edges > left)
    return -1;
  return 0;
}

/**
 * Read the head of an encoded plan into n_nodes and n_edges of *out and leave
 * the cursor at the first edge. Returns as arcline_read_graph_head().
 */
static inline int arcline_read_plan_head(struct arcline_cursor *cursor,
                                         struct arcline_graph_head *out) {
  *out = (struct arcline_graph_head){0};
  out->n_nodes = arcline_read_u32(cursor);
  out->n_edges = arcline_read_u32(cursor);
  uint64_t left = (uint64_t)(cursor->end - cursor->at);
  if (cursor->bad || out->n_nodes > left || out->n_edges > left)
    return -1;
  return 0;
}

/** Read the next edge. Returns 0, or -1 if it is cut short or out of range. */
ARCLINE_HOT int arcline_read_edge(struct arcline_cursor *cursor,
                                  const struct arcline_graph_head *head,
                                  uint32_t n_counters,
                                  struct arcline_edge *out) {
  uint64_t numbers[3];

  if (arcline_read_three(cursor, numbers))
    return -1;
  const uint64_t tag = numbers[2];
  const uint64_t counter_plus_1 = tag >> ARCLINE_EDGE_KIND_BITS;
  if (numbers[0] > head->n_nodes || numbers[1] > head->n_nodes ||
      counter_plus_1 > n_counters)
    return -1;
  out->from = (uint32_t)numbers[0];
  out->to = (uint32_t)numbers[1];
  out->kind = (uint32_t)(tag & ((1u << ARCLINE_EDGE_KIND_BITS) - 1));
  out->counter =
      counter_plus_1 ? (uint32_t)(counter_plus_1 - 1) : ARCLINE_NO_COUNTER;
  out->count = 0;
  return 0;
}

/** A call site. */
struct arcline_call {
  uint32_t node;
  int64_t line;    /* minus that of the definition */
  uint32_t file;   /* string offset */
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
 * The caller checks the strings. */
static inline int arcline_read_call(struct arcline_cursor *cursor,
                                    const struct arcline_graph_head *head,
                                    struct arcline_call *out) {
  out->node = arcline_read_u32(cursor);
  out->line = arcline_unzigzag(arcline_read_uleb(cursor));
  out->file = arcline_read_u32(cursor);
  out->callee = arcline_read_u32(cursor);
  return cursor->bad || out->node >= head->n_nodes ? -1 : 0;
}

#define ARCLINE_CALL_BYTES 4 /* at least */

#endif
