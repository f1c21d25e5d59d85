/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Controls the profiler from within the profiled program. Optional: without
 * these calls one gmon.out is written at exit. All functions may be called from
 * any thread and from signal handlers, and do nothing in a program that is
 * set-user-ID or otherwise runs with AT_SECURE. */
#ifndef ARCLINE_ARCLINE_H
#define ARCLINE_ARCLINE_H

#ifdef __cplusplus
extern "C" {
#endif

/** Write the profile as it is now, as at exit. Counting continues; a later dump
 * replaces this one.
 *
 * Returns 0; or a negative errno if a file could not be written. */
int arcline_dump(void);

/** Set all counts, arcs and samples back to zero. */
void arcline_reset(void);

/** Take timer samples again after arcline_stop(). On at start-up. */
void arcline_start(void);

/** Take no timer samples until arcline_start(). Calls and blocks still count.
 */
void arcline_stop(void);

/*
 * The traditional names, as in glibc's <sys/gmon.h>.
 */

/** Take timer samples again after _mcleanup(). Otherwise does nothing:
 * profiling starts by itself, over all of the program's text. */
void monstartup(unsigned long low_pc, unsigned long high_pc);

/** arcline_stop() if mode is 0, else arcline_start(). */
void moncontrol(int mode);

/** Write the profile, unless nothing has changed since the last file, and take
 * no more timer samples. Later counts are written at exit. */
void _mcleanup(void);

#ifdef __cplusplus
}
#endif

#endif
