/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Distinguishes the exit of the program from the end of a library in it. */
#ifndef ARCLINE_RT_EXIT_WORD_H
#define ARCLINE_RT_EXIT_WORD_H

#include <stdbool.h>
#include <stdint.h>

/** Start to detect exit(); startup. */
void rt_watch_exit(void);
/** The word that records exit(), or NULL: it outlives the library, and serves
 * its next load. */
uint32_t **rt_exit_word(void);
/** Has exit() begun since? Otherwise the library is being unloaded. */
bool rt_has_exit_begun(void);

#endif
