/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Passes options on to a program that a process executes in an environment
   without them, as servers do that restart themselves with a selected set of
   variables.
 */
#ifndef ARCLINE_RT_EXEC_OPTIONS_H
#define ARCLINE_RT_EXEC_OPTIONS_H

#include "settings/settings.h"

/** Options that one program of a process leaves to the next. Texts or NULL. */
struct rt_exec_options {
  const char *folder;  /* of relative names */
  const char *options; /* as in ARCLINE_OPTIONS */
  const char *context; /* as in ARCLINE_CONTEXT */
};

/** Before the process executes the program at path: leave the options to it,
 * unless environment (NULL: the process's own) has ARCLINE_OPTIONS, or the
 * program has no runtime to read them. Runs: handler-safe, also in a child of
 * vfork(). */
void rt_exec_options_leave(const struct rt_exec_options *options,
                           const char *path, char *const *environment);
/** The process ends although it may have left options, since exec() failed:
 * remove them. Runs: as above. */
void rt_exec_options_withdraw(void);
/** Read and remove the options that the previous program has left. Returns
 * false if there are none. Runs: startup. */
bool rt_exec_options_receive(struct rt_exec_options *out);

#endif
