/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Creates the folders of a file. */
#ifndef ARCLINE_RT_FOLDERS_H
#define ARCLINE_RT_FOLDERS_H

/** Create the missing folders of a path; others may create them at the same
 * time. Returns 0, or a negative errno of the first that is still missing.
 * Runs: handler-safe.
 *
 * scratch  RT_MAX_PATH bytes. */
long rt_make_folders(const char *path, char *scratch);

#endif
