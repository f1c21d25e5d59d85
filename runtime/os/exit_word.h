/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Distinguishes the exit of the program from the end of a library in it. */
#ifndef ARCLINE_RT_EXIT_WORD_H
#define ARCLINE_RT_EXIT_WORD_H

#include <stdbool.h>
#include <stdint.h>

/** Start to detect exit(), in a library that may be unloaded; startup. */
void rt_watch_exit(void);
/** The word that records exit(), or NULL: it outlives the library, and serves
 * its next load. */
uint32_t **rt_exit_word(void);
/** Has exit() begun since? Otherwise the library is being unloaded, unless a
 * constructor of another one opened it before main(): libc takes the last
 * registration first, and that of the destructors comes after constructors.
 * True if exit() is not detected. */
bool rt_has_exit_begun(void);
/** Also true if the first thread called exit(), whenever the library was
 * opened; or if that thread has ended alone. */
bool rt_may_exit_have_begun(void);

#endif
