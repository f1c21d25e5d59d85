/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines the encoding of graphs, bodies, plans and terms in the constant data.
 *
 * A graph is a sequence of ULEB128 numbers (DWARF 5, 7.6). "Z" marks
 * numbers that hold a signed value, zigzag encoded: (v << 1) ^ (v >> 63).
 * "S" marks offsets into the function's strings, where long names may be
 * shortened (arcline/name_hash.h).
 *
 *   name S            linkage name
 *   n_nodes           without EXIT
 *   n_edges
 *   n_aliases         further linkage names of the function
 *   n_aliases times:
 *     alias S
 *   n_edges times, those from EXIT first, then those from node 0, 1, ...:
 *     to << 5 | is_next << 4 | has_counter << 3 | kind
 *                     kind: enum arcline_edge_kind. Counters are numbered in
 *                     the order of the edges that have one. is_next: it comes
 *                     from the node after that of the edge before (after EXIT
 *                     is node 0); else from the same one. The first comes from
 *                     EXIT. to: 0 is EXIT, else Z(to - from - 1) + 1, where
 *                     EXIT as from is -1. Of kind ARCLINE_EDGE_NONE is no edge,
 *                     but a node that none leaves.
 *   n_calls           call sites, in order of node
 *   n_calls times:
 *     node            the node that the call ends or is in
 *     callee S        linkage name; 0 ("") for an indirect call
 *
 * Encoded data of a body, in the same manner:
 *
 *   own               1 + the slot of the source function whose own body it is,
 *                     or 0
 *   n_copies          of source functions, in the order of the plan
 *   n_copies times:
 *     slot            of the function
 *   plan_bytes        0: edge i of n_cells is cell i, and the copies have an
 *                     edge for each counter, one copy after the other
 *   plan              of that many bytes
 *   addresses of nodes, until the end, by function:
 *     slot            of the function
 *     n
 *     i32[n]          where the nodes begin: the distance from the body's
 *                     entry, in the byte order of the machine. -1: the compiler
 *                     deleted the block after listing it
 *     n times:
 *       Z(node - previous node)
 *                     "previous" starts at 0
 *
 * A node may have no address (its block was merged away) or several (it was
 * inlined or unrolled); all of them have the same count.
 *
 * Encoded plan:
 *
 *   n_nodes           without EXIT
 *   n_edges
 *   n_edges times, unless n_nodes is 0; then each edge is isolated and has a
 *   cell:
 *     from << 1 | has_cell
 *                     cells are numbered in the order of the edges that have
 *                     one. from: 0, the edge is isolated: it leads from EXIT to
 *                     EXIT; else 1 + an end
 *     to              an end, unless the edge is isolated
 *   for each copy:
 *     n_edges         that are the copy's; they follow those of the copy before
 *     terms_bytes     0: there are as many as counters, each of them one's
 *     terms           of that many bytes
 *
 * An end is 0 for EXIT, 1 for the node that was not mentioned before, with the
 * next number; n + 1 for the n-th last one of those mentioned so far.
 *
 * Encoded terms list the counters that the copy's edges count, edge by edge and
 * counter by counter. Until the end, the two lowest bits of a number v mean
 *
 *   0                 the next (v >> 2) + 1 counters have an edge each
 *   1                 the next (v >> 2) + 1 counters have none, or no more
 *   2                 (v >> 2) + 1 edges are of the counter that is next, which
 *                     stays the next one
 *   3                 so is one edge, times v >> 2; if that is 0, times the
 *                     number that follows
 *
 * A counter's value in the copy is the sum of its edges.
 */
#ifndef ARCLINE_ENCODING_H
#define ARCLINE_ENCODING_H

enum arcline_edge_kind {
  ARCLINE_EDGE_JUMP = 0,   /* unconditional, several cases joined, or by a
                              branch that the source does not have */
  ARCLINE_EDGE_BRANCH = 1, /* one outcome of a source condition or switch, with
                              or without a branch; two may lead to one node */
  ARCLINE_EDGE_RETURN_TO = 2, /* from a call to what follows it */
  ARCLINE_EDGE_ENTRY = 3,     /* EXIT to node 0 */
  ARCLINE_EDGE_EXIT = 4,      /* return or resume: to EXIT */
  ARCLINE_EDGE_ABRUPT = 5,    /* a call that did not come back: to EXIT */
  ARCLINE_EDGE_REENTRY =
      6, /* EXIT to a node that is entered in ways that cannot be distinguished
            (landing pad, target of a computed goto, second return of setjmp) */
  ARCLINE_EDGE_NONE = 7, /* encoded only: no edge leaves the node */
};

/* Packing of the numbers above. */
#define ARCLINE_EDGE_KIND_BITS 3
#define ARCLINE_EDGE_HAS_COUNTER (1u << ARCLINE_EDGE_KIND_BITS)
#define ARCLINE_EDGE_IS_NEXT (2u << ARCLINE_EDGE_KIND_BITS)
#define ARCLINE_EDGE_TO_BITS 5

enum arcline_term_kind {
  ARCLINE_TERM_EACH = 0,
  ARCLINE_TERM_NONE = 1,
  ARCLINE_TERM_SAME = 2,
  ARCLINE_TERM_TIMES = 3,
};
#define ARCLINE_TERM_BITS 2

#endif
