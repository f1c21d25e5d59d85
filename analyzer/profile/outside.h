/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds functions outside of instrumented objects that side files recorded
 * samples or calls of (FORMAT.md, part 5). Each becomes a symbol of the
 * program, in an object of its own kind, so that reports treat them like
 * others. An object whose functions are unknown is one function: <libc.so.6>,
 * <kernel>. Part of side_join.h.
 */
#ifndef ARCLINE_OUTSIDE_H
#define ARCLINE_OUTSIDE_H

#include <stddef.h>
#include <stdint.h>

#include "base/map64.h"

struct functions_by_name;
struct err;
struct model;
struct outside_call;
struct outside_function;
struct outside_object;

/** No such symbol. */
#define OUTSIDE_NONE SIZE_MAX

/** All zero is empty. */
struct outside {
  struct outside_object *objects; /* private, like all that follows */
  size_t n_objects, max_objects;
  size_t **i_objects; /* by side file and entry */
  struct outside_function *functions;
  size_t n_functions, max_functions;
  struct outside_call *calls; /* by side file, caller and name */
  size_t n_calls, max_calls;
  size_t n_sides;
  size_t i_kernel; /* function that system calls' time belongs to; or
                      OUTSIDE_NONE */
};

/** Does the program itself have a function that calls by this name may go to?
 * i_side, i_entry: of the caller. */
typedef int outside_is_inside(const void *context, size_t i_side,
                              size_t i_entry, const char *name);

/**
 * Find the functions, and add a symbol for each.
 *
 * program    its symbols are loaded; borrowed until outside_release().
 * is_inside  whose calls are left out; context is handed to it.
 *
 * An object that is not the one that was run any more is warned of.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns: caller calls outside_release(out), when the program's symbols are used
 *       no more.
 */
int outside_init(struct outside *out, struct model *program,
                 outside_is_inside *is_inside, const void *context,
                 struct err *err);

/** The symbol of a sampled place; OUTSIDE_NONE: it is not outside.
 *
 * offset  in the file of the side file's entry. */
size_t outside_at(const struct outside *outside, size_t i_side, size_t i_entry,
                  uint64_t offset);

/** The symbol that calls by name go to; OUTSIDE_NONE: none outside. */
size_t outside_callee(const struct outside *outside, size_t i_side,
                      size_t i_entry, const char *name);

/** The symbol of time in system calls; OUTSIDE_NONE: there is none. */
size_t outside_kernel(const struct outside *outside);

/** The function at which stacks of threads that wait end; OUTSIDE_NONE: no side
 * file has any. */
size_t outside_waiting(const struct outside *outside);

/** The symbol of the profiler's own work: writing files. OUTSIDE_NONE: no side
 * file has such time. */
size_t outside_profiler(const struct outside *outside);

/** The symbol that most likely is meant by a name; OUTSIDE_NONE: none. */
size_t outside_named(const struct outside *outside, const char *name);

/** Free; an empty one may be released too. */
void outside_release(struct outside *outside);

#endif
