/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the formats of `arcline export` that are of functions:
 * docs/FORMATS.md.
 */
#ifndef ARCLINE_EXPORT_PROGRAM_H
#define ARCLINE_EXPORT_PROGRAM_H

#include <stdio.h>

struct err;
struct graph_profile;

/**
 * Write everything in one format.
 *
 * program  its call graph is built; symbols have their files, if the row of the
 *          format requests them.
 * out      the caller checks it for errors.
 *
 * Returns 0, or -1 with *err set: no memory; of those made of call stacks:
 * there are none.
 */
typedef int export_program_writer(const struct graph_profile *program,
                                  FILE *out, struct err *err);

/** Input of callgrind_annotate and KCachegrind. Source: "Callgrind Format
 * Specification" of Valgrind's manual. */
export_program_writer export_callgrind;

/** The call graph for graphviz. Nodes and arcs that are too small to be seen
 * are left out. */
export_program_writer export_dot;

/** A line for each call stack, as flamegraph.pl and many others read it. */
export_program_writer export_folded;

/** docs/JSON.md. */
export_program_writer export_json;

/** profile.proto of https://github.com/google/pprof, not compressed. */
export_program_writer export_pprof;

/** Call stacks for https://www.speedscope.app. */
export_program_writer export_speedscope;

#endif
