/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Executes commands of `arcline ctl`; see include/arcline/ctl_format.h. */
#ifndef ARCLINE_RT_CONTROL_H
#define ARCLINE_RT_CONTROL_H

#include <signal.h>

#include "os/os.h"

/** The operations that commands run. */
struct rt_control_ops {
  /** Write all files; add to written a newline and a name for each, and the
   * error if it could not be written. is_reset: counts that were written are
   * subtracted, and none is lost in between. Returns 0 or a negative errno. */
  int (*dump)(bool is_reset, struct rt_str *written);
  void (*reset)(void);
};

/** Announce that SIGPROF is ours and commands are accepted. Runs: startup. */
void rt_control_init(const struct rt_control_ops *ops);
/** Accept no more commands. Runs: exit, in fork()'s child. */
void rt_control_release(void);
void rt_control_in_child(void); /* in fork()'s child */
/** If a signal is a command, execute and answer it. Returns whether it was.
 * Runs: handler-safe. */
bool rt_control_handle(const siginfo_t *info);

#endif
