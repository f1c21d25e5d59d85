/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Dumps at an interval (dump=), in the thread that takes a sample when a dump
 * is due: a process that does not run has nothing new to write. */
#ifndef ARCLINE_RT_INTERVAL_H
#define ARCLINE_RT_INTERVAL_H

/** seconds: 0: none. dump: handler-safe; with all signals blocked, and on a
 * stack of RT_STACK_BYTES. Runs: startup. */
void rt_interval_init(unsigned seconds, void (*dump)(void));
/** Dump if it is time. Runs: hook, in the handler of SIGPROF. */
void rt_interval_check(void);
/** Start the interval again. Runs: in fork()'s child. */
void rt_interval_in_child(void);

#endif
