/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Compares the rights of threads. */
#ifndef ARCLINE_RT_RIGHTS_H
#define ARCLINE_RT_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

/** Digests of lines of /proc/self/task/TID/status. */
struct rt_rights {
  uint64_t credentials; /* ids, groups, capabilities, no_new_privs */
  uint64_t filters;     /* of system calls */
};

/** Returns false if there is no /proc, or the thread has ended. Domains of
 * Landlock are not shown there, only no_new_privs, which most programs set
 * before they enter one. Runs: hook. */
bool rt_rights_read(uint32_t tid, struct rt_rights *out);

#endif
