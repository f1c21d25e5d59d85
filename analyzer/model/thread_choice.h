/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Restricts the samples of a program to those of some threads. Side files have
 * samples by thread and call stack (FORMAT.md, part 5); histograms and all
 * other records of samples are replaced by these, so that every report follows.
 * Calls and counts of blocks stay those of all threads.
 */
#ifndef ARCLINE_THREAD_CHOICE_H
#define ARCLINE_THREAD_CHOICE_H

#include <stddef.h>

struct err;
struct model;

/** All zero chooses all threads. */
struct thread_choice {
  const char **texts; /* patterns of names, as of the shell; or ids */
  size_t n_texts, max_texts;
};

/** Add a choice; text is borrowed. Returns 0; or -1 with *err set: it is empty;
 * no memory. */
int thread_choice_add(struct thread_choice *choice, const char *text,
                      struct err *err);

/**
 * Apply it to the side files and histograms of a program, after
 * model_read_profiles().
 *
 * Returns 0; or -1 with *err set: no side file has samples by thread, no thread
 * fits a text, a side file is damaged, or no memory.
 */
int thread_choice_apply(const struct thread_choice *choice, struct model *model,
                        struct err *err);

/** Free; an empty one may be released too. */
void thread_choice_release(struct thread_choice *choice);

#endif
