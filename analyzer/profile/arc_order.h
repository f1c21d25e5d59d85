/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Orders functions, or object files, for a linker: those that call each other
 * often are placed together. Pure; n log n in symbols and arcs.
 *
 * The rules are GNU gprof's. Functions with many callers come first. Then arcs
 * are processed in order of calls: each places its two ends side by side, or
 * one of them at the nearer end of the chain that contains the other.
 */
#ifndef ARCLINE_ARC_ORDER_H
#define ARCLINE_ARC_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

struct err;

/** The graph to order. */
struct arc_order_graph {
  size_t n_symbols;               /* in order of address */
  size_t n_nodes;                 /* symbols, and other ends of arcs */
  const struct profile_arc *arcs; /* in order of first appearance; calls of
                                     oneself do not matter */
  size_t n_arcs;
};

/** Nodes in their new order. All zero is empty. */
struct arc_order {
  uint32_t *nodes;
  size_t n_nodes;
};

/**
 * Put functions in order. Those without callers come last, by address, unless a
 * function needs them near.
 *
 * is_gnu  as GNU gprof does: the last one of the functions that come first may
 *         be left out, and one without callers may come twice. Otherwise each
 *         symbol comes once.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int arc_order_functions(const struct arc_order_graph *graph, bool is_gnu,
                        struct arc_order *out, struct err *err);

/**
 * Put object files in order; each is one node.
 *
 * is_file  per node: it is a file; others are left out.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int arc_order_files(const struct arc_order_graph *graph, const bool *is_file,
                    struct arc_order *out, struct err *err);

/** Free; an empty one may be released too. */
void arc_order_release(struct arc_order *order);

#endif
