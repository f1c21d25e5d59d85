/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Computes the time in functions without lines to print it at: those of
 * libraries, recorded by side files, and of objects that are not instrumented.
 * It belongs to the lines that call them.
 */
#ifndef ARCLINE_LIBRARY_TIMES_H
#define ARCLINE_LIBRARY_TIMES_H

#include <stddef.h>

struct err;
struct graph_profile;
struct line_counts;

/** A function that lines call. */
struct library_time {
  const char *name;          /* by which it is called; borrowed */
  double n_samples_per_call; /* average of its calls */
};

/** By name. All zero is empty. */
struct library_times {
  struct library_time *callees; /* that took samples */
  size_t n_callees;
  double n_samples_outside; /* of all code outside of the objects */
};

/**
 * Compute the time of the functions that lines call.
 *
 * program  its symbols are loaded, none is deselected, and the profiles of its
 *          model were read. Its own profile is not used: here the callees of
 *          inlined functions are those of the functions around them.
 * counts   names are borrowed; functions that have lines there are left out.
 *
 * Returns 0; or -1 with *err set and *out empty. Without side files the result
 * is empty.
 * Owns:   caller releases *out.
 * Errors: those of side files; no memory.
 */
int library_times_load(const struct graph_profile *program,
                       const struct line_counts *counts,
                       struct library_times *out, struct err *err);

/** Time of a number of calls of a function; 0 if it is unknown. */
double library_times_of(const struct library_times *times, const char *name,
                        double n_calls);

/** Free; an empty one may be released too. */
void library_times_release(struct library_times *times);

#endif
