/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines the contract between the pass, the runtime and the analyzer: the
 * constant data that the pass leaves in every instrumented object, its
 * sections, records (records.h), encoded sequences (encoding.h,
 * line_encoding.h), and the symbols that the code refers to (symbols.h). Layout
 * only; valid C and C++; includes nothing but <stdint.h>. docs/FORMAT.md,
 * "Constant data", describes it.
 *
 * Flow graph
 * ----------
 * The pass describes each source function by a flow graph. A node is a basic
 * block of the source, cut after every call that may not return. Nodes are
 * numbered from 0 (the entry); one more node, number n_nodes, is EXIT: the
 * world outside of the function. Every way into and out of the function is an
 * edge from or to EXIT, so that flow is conserved at every node, EXIT included.
 * Edges without a counter form a spanning tree of the graph. All counts are
 * therefore determined by the counters, through the flow equations.
 *
 * Bodies and copies
 * -----------------
 * A *body* is a function in the code after all inlining. It contains a *copy*
 * of its own source function and of each one that was inlined into it. Each
 * copy counts separately, so that a graph's counters have a value for each
 * copy. Solving the graph with the values of one copy gives the counts of that
 * copy; with the sums over all copies, the counts of the source.
 *
 * Cells
 * -----
 * The numbers that the code increments are called cells. An increment that
 * follows from others by the body's flow has no cell; it is computed by the
 * body's *plan*, itself a flow graph. The edges of the plan are the increments
 * that the body has or that were left out. A copy's *terms* identify those that
 * add up to the value of a graph's counter.
 *
 * Cells of all bodies of one linked object are in one section. Each thread
 * counts in its own copy of that section, `bias` bytes away from it. Before a
 * thread has a copy, it counts in the section itself; so does the main thread
 * if its code counts through GS. The total of a cell is the sum of the section
 * and of all threads.
 *
 * Arcs
 * ----
 * A direct call was made as often as its node was run. The call site's record
 * of an indirect call has the first two callees. A cell counts calls of the
 * second one, __arcline_indirect() calls of any other; the rest of the node's
 * count are calls of the first one.
 */
#ifndef ARCLINE_ABI_H
#define ARCLINE_ABI_H

#include "arcline/encoding.h"
#include "arcline/line_encoding.h"
#include "arcline/records.h"
#include "arcline/symbols.h"

/** Version of everything on these pages; recorded in every function record. */
#define ARCLINE_ABI_VERSION 9

/* Sections. C identifiers, so that the linker defines __start_ and __stop_;
   runtime/start/no_libc.c refers to these, too. */
#define ARCLINE_SECTION_CELLS "__arcline_cnts"    /* uint64_t[], all zero */
#define ARCLINE_SECTION_FUNCS "__arcline_func"    /* struct arcline_func[] */
#define ARCLINE_SECTION_BODIES "__arcline_body"   /* struct arcline_body[] */
#define ARCLINE_SECTION_SITES "__arcline_site"    /* struct arcline_site[] */
#define ARCLINE_SECTION_PLANS "__arcline_plan"    /* encoded data of bodies */
#define ARCLINE_SECTION_DATA "__arcline_data"     /* graphs, strings, units */
#define ARCLINE_SECTION_SEGMENTS "__arcline_segm" /* arcline_segment[] */
#define ARCLINE_SECTION_OPTIONS "__arcline_opts"  /* text, optional */
#define ARCLINE_SECTION_LINES "__arcline_line"    /* not loaded: lines, files */

#endif
