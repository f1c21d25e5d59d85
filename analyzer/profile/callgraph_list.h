/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The order in which a call graph lists its nodes, and their numbers in that
 * order. Part of callgraph.h, which alone uses it.
 *
 * Nearly all symbols of a large program are idle: never called, no time of
 * their own or of what they called. They stand at the end, by name. Those that
 * are no nodes are not listed, but numbers tell how many there are before.
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
