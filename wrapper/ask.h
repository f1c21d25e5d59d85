/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Runs a program for the text that it prints. */
#ifndef ARCLINE_WRAPPER_ASK_H
#define ARCLINE_WRAPPER_ASK_H

/**
 * Run a program, without input.
 *
 * argv    its arguments; the first is the program, as execvp() takes it.
 * stream  STDOUT_FILENO or STDERR_FILENO: to read; the other one is lost.
 *
 * Returns what it printed, which the caller frees; NULL if it cannot be run or
 * does not exit with 0.
 */
char *ask_program(char *const *argv, int stream);

#endif
