/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds the file that a function of the exec family executes. */
#ifndef ARCLINE_RT_EXECUTABLE_H
#define ARCLINE_RT_EXECUTABLE_H

#include <stdbool.h>
#include <stdint.h>

/** Find its path: *path is file itself, or text, of RT_MAX_PATH bytes, or NULL
 * if only that function can find it. Returns false if there is nothing to
 * execute. Runs: handler-safe, also in a child of vfork().
 *
 * how, file  as in __arcline_before_exec(). */
bool rt_executable_find(uint32_t how, const void *file, char *text,
                        const char **path);

#endif
