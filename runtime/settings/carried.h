/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Options for a program that a process executes in an environment without
 * them, as servers do that give their successor the variables of their own
 * choice. */
#ifndef ARCLINE_RT_CARRIED_H
#define ARCLINE_RT_CARRIED_H

#include "settings/environment.h"

/** What goes from one program of a process to the next. */
struct rt_carried {
  char folder[RT_MAX_PATH];  /* that relative names are of, or "" */
  char options[RT_MAX_PATH]; /* as in ARCLINE_OPTIONS; "": none */
};

/** Before the process executes the program at path: leave them, unless
 * environment, or, if that is NULL, the process's own one has ARCLINE_OPTIONS,
 * or it is a program that would not look. Runs: handler-safe, also in a child
 * of vfork(). */
void rt_carry(const struct rt_carried *carried, const char *path,
              char *const *environment);
/** Take what the program before this one has left. Returns false if there is
 * nothing. Runs: startup. */
bool rt_carried_take(struct rt_carried *out);

#endif
