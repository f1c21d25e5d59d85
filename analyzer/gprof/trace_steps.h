/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints traces of `arcline gprof -d` after each step. Data that no step leaves
 * in memory is traced at its source: see base/trace.h.
 */
#ifndef ARCLINE_TRACE_STEPS_H
#define ARCLINE_TRACE_STEPS_H

#include <stddef.h>

struct callgraph;
struct model;
struct symspec;
struct symspec_tables;

/** The symbol table. */
void trace_step_symbols(const struct model *model);

/** Trace selections, and the symbols that they chose. */
void trace_step_selections(const struct symspec *specs, size_t n_specs,
                           const struct symspec_tables *tables);

/** Arcs, cycles, propagated time, and order of entries. */
void trace_step_graph(const struct callgraph *graph);

#endif
