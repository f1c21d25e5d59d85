/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Sorts the nodes of a call graph into the order of its listing, and numbers
 * them. Part of callgraph.h, its only user.
 *
 * Nearly all symbols of a large program are idle: never called, no time of
 * their own or of callees. They are at the end, by name. Those that are no
 * nodes are not listed, but the numbers count them.
 */
#ifndef ARCLINE_CALLGRAPH_LIST_H
#define ARCLINE_CALLGRAPH_LIST_H

struct callgraph;
struct err;

/**
 * Fill graph->listing and the index of each node.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int callgraph_list(struct callgraph *graph, struct err *err);

#endif
