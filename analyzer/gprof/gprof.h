/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints the reports of `arcline gprof`: layout only, all numbers come from
 * profile.h and callgraph.h. With brief set, output is the same bytes as GNU
 * gprof's; without, explain.h adds explanations in our own words.
 */
#ifndef ARCLINE_GPROF_H
#define ARCLINE_GPROF_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/callgraph.h"
#include "profile/names.h"

struct err;
struct measured;

struct gprof_layout {
  bool is_brief;      /* no explanations */
  bool has_zero_rows; /* of functions without calls and time */
  bool is_by_line;    /* the symbol table has lines */
  bool is_bsd;        /* the form of BSD's gprof */
  unsigned width;     /* of the index, in columns; at least 1 */
  struct name_style names;
};

/** Output of reports. */
struct gprof_output {
  FILE *stream;
  struct names *names; /* of the symbols that are reported */
  bool has_text; /* something was printed: the next report begins a page */
};

/** Begin a report: a form feed, unless it is the first. */
void gprof_begin(struct gprof_output *output);

/** Print the flat profile. Returns 0, or -1 with *err set (no memory). */
int gprof_flat(const struct callgraph *graph,
               const struct gprof_layout *options, struct gprof_output *output,
               struct err *err);

/** Print the call graph. Returns 0, or -1 with *err set (no memory). */
int gprof_graph(const struct callgraph *graph,
                const struct gprof_layout *options, struct gprof_output *output,
                struct err *err);

/** Print the index by name that belongs to the call graph. Returns 0, or -1
 * with *err set (no memory). */
int gprof_index(const struct callgraph *graph,
                const struct gprof_layout *options, struct gprof_output *output,
                struct err *err);

/** Print measured inclusive times beside those of the call graph. Returns 0, or
 * -1 with *err set (no memory). */
int gprof_measured(const struct callgraph *graph,
                   const struct measured *measured,
                   const struct gprof_layout *options,
                   struct gprof_output *output, struct err *err);

#endif
