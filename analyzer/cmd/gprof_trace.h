/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * What `arcline gprof -d` tells of each step once it is done. What no step
 * leaves behind is traced where it happens: see base/trace.h.
 */
#ifndef ARCLINE_GPROF_TRACE_H
#define ARCLINE_GPROF_TRACE_H

struct callgraph;
struct gprof_options;
struct model;
struct symspec_tables;

/** The symbol table. */
void gprof_trace_symbols(const struct model *model);

/** Selections as they were given, and the symbols they chose. */
void gprof_trace_selections(const struct gprof_options *options,
                            const struct symspec_tables *tables);

/** Arcs, cycles, time that was passed on, and order of entries. */
void gprof_trace_graph(const struct callgraph *graph);

#endif
