/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Shows progress on a terminal: one line on standard error, from one second
 * after the start, which is erased at the end. Nothing is ever written to files
 * and pipes.
 */
#ifndef ARCLINE_PROGRESS_H
#define ARCLINE_PROGRESS_H

/** Begin, if standard error is a terminal; otherwise nothing below has an
 * effect. Uses the timer of real time and its signal. */
void progress_begin(void);

/** Set the current step and its object: "reading", a path. Both are copied. */
void progress_step(const char *what, const char *name);

/** End, and erase the line. May be called again. */
void progress_end(void);

#endif
