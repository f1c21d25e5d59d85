/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds calls in a program's code, whether they were made or not.
 */
#ifndef ARCLINE_STATIC_CALLS_H
#define ARCLINE_STATIC_CALLS_H

#include <stdbool.h>

struct err;
struct profile;
struct model;

/**
 * Add an arc without calls for each call that is in the code and not yet in
 * the profile: in order of address, so that reports list them so.
 *
 * model       the profile is of its symbols.
 * is_as_gnu   find the bytes that GNU gprof reads as calls
 *             (static_calls_gnu.c).
 *
 * Functions are called, and jumped to from outside (the last call of a
 * function often is a jump); also through the tables of the dynamic linker.
 *
 * Returns 0; or -1 with *err set. Code of other machines than x86-64, i386
 * and AArch64: a warning.
 */
int static_calls_add(const struct model *model, bool is_as_gnu,
                     struct profile *profile, struct err *err);

#endif
