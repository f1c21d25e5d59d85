/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The reports of `arcline gprof`: layout only, all numbers come from profile.h
 * and callgraph.h. With brief set, output is the same bytes as GNU gprof's;
 * without, explain.h adds explanations in our own words.
 */
#ifndef ARCLINE_REPORT_H
#define ARCLINE_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/callgraph.h"
#include "report/names.h"

struct err;
struct measured;

struct report_options {
  bool is_brief;      /* no explanations */
  bool has_zero_rows; /* show what was never called and took no time */
  bool is_by_line;    /* the symbol table holds lines */
  bool is_bsd;        /* the form of BSD's gprof */
  unsigned width;     /* of the index, in columns; at least 1 */
  struct name_style names;
};

/** Where reports go. */
struct report_output {
  FILE *stream;
  struct names *names; /* of the symbols that are reported */
  bool has_text; /* something was printed: the next report begins a page */
};

/** Begin a report: a form feed, unless it is the first. */
void report_begin(struct report_output *output);

/** Print the flat profile. Returns 0, or -1 with *err set (no memory). */
int report_flat(const struct callgraph *graph,
                const struct report_options *options,
                struct report_output *output, struct err *err);

/** Print the call graph. Returns 0, or -1 with *err set (no memory). */
int report_graph(const struct callgraph *graph,
                 const struct report_options *options,
                 struct report_output *output, struct err *err);

/** Print the index by name that belongs to the call graph. Returns 0, or -1
 * with *err set (no memory). */
int report_index(const struct callgraph *graph,
                 const struct report_options *options,
                 struct report_output *output, struct err *err);

/** Print measured inclusive times beside those of the call graph. Returns 0, or
 * -1 with *err set (no memory). */
int report_measured(const struct callgraph *graph,
                    const struct measured *measured,
                    const struct report_options *options,
                    struct report_output *output, struct err *err);

#endif
