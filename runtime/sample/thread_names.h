/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds the names of threads, as pthread_setname_np() sets them. */
#ifndef ARCLINE_RT_THREAD_NAMES_H
#define ARCLINE_RT_THREAD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { RT_THREAD_NAME_BYTES = 16 }; /* the kernel's limit, with the NUL */

/** The calling thread ends: keep its name. tid: its own. Runs: hook. */
void rt_thread_names_keep(uint32_t tid);
/** The name of a thread that runs, or of one that rt_thread_names_keep() was
 * called in. Returns false if it is unknown or empty. Runs: handler-safe. */
bool rt_thread_names_find(uint32_t tid, char out[RT_THREAD_NAME_BYTES]);
void rt_thread_names_release(void); /* exit */

#endif
