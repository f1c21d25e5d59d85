/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Sends commands to a running program and receives its answers. The form of
 * both is in arcline/ctl_format.h.
 */
#ifndef ARCLINE_CTL_CLIENT_H
#define ARCLINE_CTL_CLIENT_H

#include "arcline/ctl_format.h"

#include <stdbool.h>
#include <sys/types.h>

struct err;

struct ctl_request {
  pid_t pid;
  enum arcline_ctl_command command;
  bool
      is_forced; /* also if it has filtered its system calls since it started */
  long timeout_s; /* how long to wait for it */
};

/**
 * Ask.
 *
 * answer  lines; their control characters are not to be trusted.
 *
 * Returns 0; or -1 with *err set and *answer NULL: it cannot be reached, does
 * not answer, or rejects the command.
 * Owns:   caller frees *answer.
 */
int ctl_ask(const struct ctl_request *request, char **answer, struct err *err);

#endif
