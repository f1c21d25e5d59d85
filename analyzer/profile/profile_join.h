/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * What a profile of several objects needs besides profile.h. Its symbol table
 * holds the symbols of all of them, each object's addresses moved to a place
 * of their own; its flags have PROFILE_JOINED.
 */
#ifndef ARCLINE_PROFILE_JOIN_H
#define ARCLINE_PROFILE_JOIN_H

#include "profile/profile.h"

/**
 * Add an arc between objects, by index of symbol. The same calls are taken off
 * the callee's calls from outside, as far as there are any.
 *
 * i_child  a function.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int profile_add_cross_arc(struct profile *profile, uint32_t i_parent,
                          uint32_t i_child, uint64_t count, struct err *err);

/** Say how much time a symbol's callee took when it was called from there. An
 * arc without calls is made if there is none: how many there were need not be
 * known. Returns 0, or -1 with *err set (no memory). */
int profile_weigh_arc(struct profile *profile, uint32_t i_parent,
                      uint32_t i_child, double ticks, struct err *err);

/** Have calls of a function made by another one than it seemed: as many of them
 * as that one made. Returns 0, or -1 with *err set (no memory). */
int profile_move_calls(struct profile *profile, uint32_t i_parent,
                       uint32_t i_new_parent, uint32_t i_child, uint64_t count,
                       struct err *err);

/** Add samples to a symbol, besides those of measures. */
void profile_add_ticks(struct profile *profile, size_t i_symbol, double ticks);

/** Have self time belong to another symbol: as much of it as there is, and
 * nowhere if the user deselected that. Returns how much it is. */
double profile_move_ticks(struct profile *profile, size_t i_from, size_t i_to,
                          double ticks);

/** The function that a symbol belongs to: itself, or the next function below.
 * PROFILE_NONE: none. */
uint32_t profile_function_of(const struct profile *profile, size_t i_symbol);

#endif
