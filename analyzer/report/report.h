/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints `arcline report`, the overview of a profile: a heading, then functions
 * with time and calls, or callers and callees of some of them, or the hottest
 * lines, or threads. Layout only: all numbers are computed by other modules.
 */
#ifndef ARCLINE_REPORT_H
#define ARCLINE_REPORT_H

#include "base/screen.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;
struct graph_profile;
struct inlined;
struct model;
struct names;
struct programs;
struct runs;
struct threads;

/** Contents of a column; also the key that rows are sorted by. */
enum report_field {
  FIELD_SHARE,       /* self time, per cent of all */
  FIELD_SELF,        /* the same in seconds */
  FIELD_TOTAL_SHARE, /* inclusive: measured, otherwise an estimate */
  FIELD_TOTAL,
  FIELD_PROPAGATED, /* the same, shared out by calls */
  FIELD_MEASURED,   /* the same, as call stacks measured it */
  FIELD_WAIT,       /* of that, time in which the thread waited */
  FIELD_CALLS,
  FIELD_PER_CALL, /* self time of one call */
  FIELD_FILE,     /* and line of the definition */
  FIELD_OBJECT,   /* that the function is in */
  FIELD_NAME,
  N_REPORT_FIELDS,
};

/** Options of the report. */
struct report_options {
  bool has_fields; /* otherwise the columns that have data */
  bool fields[N_REPORT_FIELDS];
  enum report_field sort;
  bool has_sort;      /* otherwise self time, or calls if there is no time */
  size_t top;         /* rows at most; 0: all */
  double min_percent; /* of the time: rows with less are left out */
  bool has_focus, has_ignore;
  regex_t focus, ignore; /* of demangled names */
  struct screen screen;
};

/** The data to print. Borrowed. */
struct report {
  struct graph_profile *program; /* its graph is built; functions are located */
  const struct inlined *inlined; /* of the program */
  struct names *names;           /* of its graph's symbols */
  const struct report_options *options;
};

/** The name of field i; NULL: there is none. */
const char *report_field_at(size_t i);

/** Read the name of a field. Returns 0, or -1 with *err set. */
int report_parse_field(const char *option, const char *name, size_t n_name,
                       enum report_field *out, struct err *err);

/** The data of the heading. */
struct report_heading {
  const struct model *model;
  const struct programs *programs; /* of the model */
  const struct runs *runs;
  const struct screen *screen;
  double n_samples;
  double n_stack_signals; /* stack traces that were recorded; 0: none */
  double n_calls;         /* that were counted; less than 0: unknown */
  size_t n_others;        /* older profiles in the folder */
};

/** Print the profile's program and runs, and notes about missing data. */
void report_print_heading(const struct report_heading *heading, FILE *out);

/** Print programs and libraries with their times, so many at most; 0: all.
 * Nothing is printed of one program. */
void report_print_programs(const struct report_heading *heading, size_t top,
                           FILE *out);

/** Print threads with their times, so many rows at most; 0: all. */
void report_print_threads(const struct report_heading *heading,
                          const struct threads *threads, size_t top, FILE *out);

/** Print the functions. Returns 0, or -1 with *err set. */
int report_print_functions(const struct report *report, FILE *out,
                           struct err *err);

/** Print callers and callees of functions. Returns 0, or -1 with *err set. */
int report_print_tree(const struct report *report, FILE *out, struct err *err);

#endif
