/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Computes the inclusive time of functions from the call stacks of side files
 * (FORMAT.md, 5.2), to check gprof's assumption that all calls of a function
 * take equally long.
 */
#ifndef ARCLINE_MEASURED_H
#define ARCLINE_MEASURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct callgraph;
struct profile_arc;
struct err;
struct profile;
struct side_join;

/** In ticks, as in the profile. All zero: there are no stacks. */
struct measured {
  double total_ticks;     /* of all samples with a stack */
  double n_stack_signals; /* at the program, that brought them */
  double squares;         /* of the ticks that each of them stands for; 0: they
                             stand for the same, or it is not recorded */
  double cut_ticks;       /* of these: outer frames are missing */
  double waiting_ticks;   /* of these: the thread waited */
};

/**
 * Add up the stacks: symbol_counts.inclusive and waiting of functions, and
 * profile_arc.inclusive of calls from other functions, in stack_arcs if there
 * is no arc for them. Arcs to functions outside of instrumented code get the
 * time that they took as weight: a library function's time depends on its
 * caller, and its calls from other libraries are not counted.
 *
 * profile  of the program, after side_join_apply().
 *
 * Returns 0; or -1 with *err set (no memory).
 */
int measured_make(const struct side_join *join, struct profile *profile,
                  struct measured *out, struct err *err);

/** Select the samples that intervals are computed from: all for self times,
 * those with a stack for total times, if there are any.
 *
 * total_ticks  of the program. */
struct measured measured_sample(const struct measured *measured,
                                double total_ticks, bool is_self);

/** How far off the measured time of a function may be, in ticks: half the width
 * of its 95 % confidence interval. */
double measured_error(const struct measured *measured, double ticks);

/** The same for another probability: z standard deviations instead of 1.96. */
double measured_error_at(const struct measured *measured, double ticks,
                         double z);

/** Does the time that was measured differ from another one of the same function
 * by more than chance, and by enough to be of interest: by a hundredth of all
 * time? */
bool measured_differs(const struct measured *measured, double ticks,
                      double other_ticks);

/** Inclusive time of a function. */
struct total_time {
  double ticks;
  bool is_estimate; /* not measured: shared out by calls, as if all calls of a
                       function took equally long */
};

/** Time to print for a function: the measured one, if there is any. Without
 * one, the time by calls, unless it is too much to be on no stack by chance:
 * then the function's own time.
 *
 * i_symbol  of the graph. */
struct total_time measured_total(const struct measured *measured,
                                 const struct callgraph *graph,
                                 size_t i_symbol);

/** Time to print for the calls of an arc, with all that the callee called: the
 * measured one if the callee is on a stack. Otherwise the part by calls of the
 * callee's time, as measured_total() has it.
 *
 * arc  of the graph's profile, one of its stack_arcs too. */
double measured_arc(const struct measured *measured,
                    const struct callgraph *graph,
                    const struct profile_arc *arc);

/** The same for calls of a function by callers that are not on a stack. */
double measured_outside(const struct callgraph *graph, size_t i_symbol);

#endif
