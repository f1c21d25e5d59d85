/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Time of functions with what they called, as the call stacks of side files
 * measured it (FORMAT.md, 5.2): what gprof's assumption, that all calls of a
 * function take equally long, is held against.
 */
#ifndef ARCLINE_MEASURED_H
#define ARCLINE_MEASURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct callgraph;
struct err;
struct profile;
struct side_join;

/** In ticks, as in the profile. All zero: there are no stacks. */
struct measured {
  double total_ticks; /* of all samples with a stack */
  double n_looks;     /* at the program, that brought them */
  double cut_ticks;   /* of these: outer frames are missing */
};

/**
 * Add up the stacks: symbol_counts.inclusive of functions. And weigh the arcs
 * to functions outside of instrumented code by the time that they took: how
 * long a library's function runs depends on who calls it, and of calls from
 * other libraries there is no number.
 *
 * profile  of the program, after side_join_apply().
 *
 * Returns 0; or -1 with *err set (no memory).
 */
int measured_make(const struct side_join *join, struct profile *profile,
                  struct measured *out, struct err *err);

/** How far off the measured time of a function may be, in ticks: half the width
 * of the interval in which it lies with a probability of 95 %. */
double measured_error(const struct measured *measured, double ticks);

/** The same for another probability: z standard deviations instead of 1.96. */
double measured_error_at(const struct measured *measured, double ticks,
                         double z);

/** Does the time that was measured differ from another one of the same function
 * by more than chance, and by enough to be of interest: by a hundredth of all
 * time? */
bool measured_differs(const struct measured *measured, double ticks,
                      double other_ticks);

/** Time of a function with what it called. */
struct total_time {
  double ticks;
  bool is_estimate; /* not measured: shared out by calls, as if all calls of a
                       function took equally long */
};

/** What to show of a function: measured time, where there is one. A function
 * that no stack has is taken for one of which chance left it out if what calls
 * give is little enough for that; else it takes no more than its own time.
 *
 * i_symbol  of the graph. */
struct total_time measured_total(const struct measured *measured,
                                 const struct callgraph *graph,
                                 size_t i_symbol);

#endif
