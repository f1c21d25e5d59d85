/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Runs git and reads its output. */
#ifndef ARCLINE_GIT_H
#define ARCLINE_GIT_H

#include <stdio.h>

struct err;

/** How git is run. */
struct git_command {
  char *const *argv;  /* argv[0] is "git"; ends with NULL */
  const char *option; /* that needs git, for messages */
  FILE *input;        /* NULL: that of this process */
};

/** Reads the output. Returns 0, or -1 with *err set. */
typedef int git_read(FILE *stream, void *context, struct err *err);

/**
 * Run git in the working directory.
 *
 * Returns 0; or -1 with *err set: git is missing, or fails with a message of
 * its own; the error of read.
 */
int git_run(const struct git_command *command, git_read *read, void *context,
            struct err *err);

#endif
