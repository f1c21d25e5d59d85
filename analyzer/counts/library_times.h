/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Time in functions that have no lines of their own to show it at: those of
 * libraries, told by side files, and of objects that are not instrumented. It
 * belongs to the lines that call them.
 */
#ifndef ARCLINE_LIBRARY_TIMES_H
#define ARCLINE_LIBRARY_TIMES_H

#include <stddef.h>

struct err;
struct graph_profile;
struct line_counts;

/** A function that lines call. */
struct library_time {
  const char *name;          /* that it is called by; borrowed */
  double n_samples_per_call; /* what a call takes on average */
};

/** By name. All zero is empty. */
struct library_times {
  struct library_time *callees; /* that took samples */
  size_t n_callees;
  double n_samples_outside; /* of all that lies outside of the objects */
};

/**
 * Find out what the functions that lines call took.
 *
 * program  its symbols are loaded, nothing of them is deselected, and the
 *          profiles of its model were read. What was added to it is not looked
 *          at: the time of what inlined functions call is that of the functions
 *          around them here.
 * counts   lends names; functions that have lines there are left out.
 *
 * Returns 0; or -1 with *err set and *out empty. Without side files the result
 * is empty.
 * Owns:   caller releases *out.
 * Errors: those of side files; no memory.
 */
int library_times_load(const struct graph_profile *program,
                       const struct line_counts *counts,
                       struct library_times *out, struct err *err);

/** What calls of a function took; 0 if it is not known. */
double library_times_of(const struct library_times *times, const char *name,
                        double n_calls);

/** Free; an empty one may be released too. */
void library_times_release(struct library_times *times);

#endif
