/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Controls the profiler from within the profiled program. Optional: without
 * these calls, one profile is written at exit, to gmon.out by default.
 *
 * All functions act on the whole process. They are thread-safe and
 * async-signal-safe: any thread may call them, and so may signal handlers. None
 * of them ends the program or changes errno.
 *
 * arcline_dump(), arcline_reset() and _mcleanup() run one at a time. They wait
 * for one another, at most 10 seconds, and block all signals of the calling
 * thread meanwhile. Other threads continue and are counted.
 *
 * A process that is not profiled ignores the calls: a set-user-ID program, or
 * any other that runs with AT_SECURE, and a child of fork() with the setting
 * fork=off. Settings are those of ARCLINE_OPTIONS, see arcline(1). */
#ifndef ARCLINE_ARCLINE_H
#define ARCLINE_ARCLINE_H

#ifdef __cplusplus
extern "C" {
#endif

/** Write the profile now, with the same files as at exit. Counting continues. A
 * later dump replaces these files; if the setting out= has %n or %t, it has
 * files of its own, and if it has %m, it adds to them.
 *
 * Returns 0 on success, or if the process is not profiled. Returns the negative
 * errno of the first file that cannot be written; the others are written.
 * Returns -EDEADLK if the calling thread is writing already, or if another one
 * takes more than 10 seconds; -ENOSYS with the setting syscalls=none. */
int arcline_dump(void);

/** Set all counts, arcs and samples to zero. Calls between arcline_dump() and
 * this function are lost; `arcline ctl --reset` and out=%n lose none.
 *
 * Has no effect if another thread writes for more than 10 seconds. */
void arcline_reset(void);

/** Resume sampling after arcline_stop(). Sampling is on when the program
 * starts, unless the setting is hz=0. */
void arcline_start(void);

/** Pause sampling in all threads. Calls and basic blocks are counted all the
 * same. Calls do not nest: one arcline_start() resumes. */
void arcline_stop(void);

/*
 * The traditional names, as in glibc's <sys/gmon.h>.
 */

/** Resume sampling, which _mcleanup() has stopped. The addresses are ignored:
 * profiling starts by itself and covers the whole program. */
void monstartup(unsigned long low_pc, unsigned long high_pc);

/** Call arcline_stop() if mode is 0, and arcline_start() otherwise. */
void moncontrol(int mode);

/** Stop sampling, and write the profile unless it has not changed since the
 * last file. Later counts are written at exit. Errors are reported as messages
 * of the runtime. */
void _mcleanup(void);

#ifdef __cplusplus
}
#endif

#endif
