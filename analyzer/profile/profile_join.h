/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Adds arcs between objects, and time, to a profile (profile.h) of several
 * objects. Its symbol table has the symbols of all of them, each object's
 * addresses moved to a range of their own; its flags have PROFILE_OUTSIDE.
 */
#ifndef ARCLINE_PROFILE_JOIN_H
#define ARCLINE_PROFILE_JOIN_H

#include "profile/profile.h"

/**
 * Add an arc between objects, by index of symbol. The same calls are subtracted
 * from the callee's calls from outside, as far as there are any.
 *
 * i_child  a function.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int profile_add_cross_arc(struct profile *profile, uint32_t i_parent,
                          uint32_t i_child, uint64_t count, struct err *err);

/** Add to an arc the time that its callee took when called from there. An arc
 * without calls is made if there is none: their number may be unknown. Returns
 * 0, or -1 with *err set (no memory). */
int profile_weigh_arc(struct profile *profile, uint32_t i_parent,
                      uint32_t i_child, double ticks, struct err *err);

/** Add to an arc the time of its calls, with all that the callee called, as
 * call stacks measured it; once for each arc. One that is not there is one of
 * stack_arcs. Returns 0, or -1 with *err set (no memory). */
int profile_measure_arc(struct profile *profile, uint32_t i_parent,
                        uint32_t i_child, double ticks, struct err *err);

/** Move calls of a function from one caller to another, as many as the first
 * one made. Returns 0, or -1 with *err set (no memory). */
int profile_move_calls(struct profile *profile, uint32_t i_parent,
                       uint32_t i_new_parent, uint32_t i_child, uint64_t count,
                       struct err *err);

/** Add samples to a symbol, besides those of measures. */
void profile_add_ticks(struct profile *profile, size_t i_symbol, double ticks);

/** Move self time to another symbol, as much as there is; it is dropped if the
 * user deselected that one. Returns the time moved. */
double profile_move_ticks(struct profile *profile, size_t i_from, size_t i_to,
                          double ticks);

/** The function that a symbol belongs to: itself, or the next function below.
 * PROFILE_NONE: none. */
uint32_t profile_function_of(const struct profile *profile, size_t i_symbol);

#endif
