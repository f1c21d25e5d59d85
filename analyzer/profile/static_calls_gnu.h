/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the bytes that GNU gprof -c reads as calls: part of static_calls.h.
 */
#ifndef ARCLINE_STATIC_CALLS_GNU_H
#define ARCLINE_STATIC_CALLS_GNU_H

struct err;
struct profile;
struct model_object;

/** Add the arcs of one object. Returns 0; or -1 with *err set (no memory). */
int static_calls_gnu_add(const struct model_object *object,
                         struct profile *profile, struct err *err);

#endif
