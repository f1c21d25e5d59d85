/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines the contract between the pass, the runtime and the analyzer: the
 * constant data that the pass leaves in every instrumented object, its
 * sections, records (records.h), encoded sequences (encoding.h), and the
 * symbols that the code refers to (symbols.h). Layout only; valid C and C++;
 * includes nothing but <stdint.h>. docs/FORMAT.md, "Constant data", is the
 * prose of these pages.
 *
 * Flow graph
 * ----------
 * The pass describes each source function by a flow graph. A node is a basic
 * block of the source, cut after every call that may not return. Nodes are
 * numbered from 0 (the entry); one more node, number n_nodes, is EXIT: the
 * world outside of the function. Every way into and out of the function is an
 * edge from or to EXIT, so flow is conserved at every node, EXIT included.
 * Edges without a counter form a spanning tree of the graph, hence all counts
 * follow from the counters by solving the flow equations.
 *
 * Bodies and copies
 * -----------------
 * A *body* is a function as it is left in the code after all inlining. It
 * contains a *copy* of its own source function and of each one that was inlined
 * into it. Each copy counts apart from all other copies, so a graph's counters
 * have a value for each copy: solving the graph with the values of one copy
 * gives the counts of that copy, with the sum over all copies the counts of the
 * source.
 *
 * Cells
 * -----
 * The numbers that the code increments are called cells. If a body's flow makes
 * one increment follow from others, there is no cell for it; the body's *plan*,
 * itself a flow graph, is used to compute it. The edges of the plan are the
 * increments that the body has or that were left out; a copy's *terms* identify
 * those that make up the value of a graph's counter.
 *
 * Cells of all bodies of one linked object lie in one section. A thread counts
 * in a copy of that section of its own, `bias` bytes away from it; counts made
 * before a thread has one go to the section itself, and so do those that the
 * main thread makes by way of GS. A cell's total is the sum of the section's
 * and of all threads'.
 *
 * Arcs
 * ----
 * A direct call was made as often as its node was run. Of an indirect call the
 * first two callees are kept in the call site's record. Calls of the second one
 * are counted by a cell, calls of any other by __arcline_indirect(), and the
 * rest of the node's count are calls of the first one.
 */
#ifndef ARCLINE_ABI_H
#define ARCLINE_ABI_H

#include "arcline/encoding.h"
#include "arcline/records.h"
#include "arcline/symbols.h"

/** Version of everything on these pages; recorded in every function record. */
#define ARCLINE_ABI_VERSION 8

/* Sections. C identifiers, so that the linker defines __start_ and __stop_. */
#define ARCLINE_SECTION_CELLS "__arcline_cnts"    /* uint64_t[], all zero */
#define ARCLINE_SECTION_FUNCS "__arcline_func"    /* struct arcline_func[] */
#define ARCLINE_SECTION_BODIES "__arcline_body"   /* struct arcline_body[] */
#define ARCLINE_SECTION_COPIES "__arcline_copy"   /* struct arcline_copy[] */
#define ARCLINE_SECTION_SITES "__arcline_site"    /* struct arcline_site[] */
#define ARCLINE_SECTION_DATA "__arcline_data"     /* graphs, plans, strings */
#define ARCLINE_SECTION_ADDRS "__arcline_addr"    /* struct arcline_addrs */
#define ARCLINE_SECTION_SEGMENTS "__arcline_segm" /* arcline_segment[] */
#define ARCLINE_SECTION_LINES "__arcline_line"    /* not loaded: lines, files */

#endif
