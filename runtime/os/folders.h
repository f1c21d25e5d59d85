/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Folders that files are to be in. */
#ifndef ARCLINE_RT_FOLDERS_H
#define ARCLINE_RT_FOLDERS_H

#include <stdbool.h>

/** Make the folders that a path leads through, as far as possible. Returns
 * whether there is one more than before; others may make them at the same time.
 * Runs: handler-safe.
 *
 * scratch  RT_MAX_PATH bytes. */
bool rt_make_folders(const char *path, char *scratch);

#endif
