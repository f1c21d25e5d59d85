/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Creates the folders of a file. */
#ifndef ARCLINE_RT_FOLDERS_H
#define ARCLINE_RT_FOLDERS_H

#include <stdbool.h>

/** Create the missing folders of a path, as far as possible. Returns whether
 * there is one more than before; others may create them at the same time. Runs:
 * handler-safe.
 *
 * scratch  RT_MAX_PATH bytes. */
bool rt_make_folders(const char *path, char *scratch);

#endif
