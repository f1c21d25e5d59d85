/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds files that were installed together with this program, relative to its
 * own path, so that the tree can be moved.
 */
#ifndef ARCLINE_INSTALLED_H
#define ARCLINE_INSTALLED_H

#include <stdio.h>

/** Find a command's manual page. Returns its path, to free(); or NULL. */
char *installed_find_page(const char *command);

/** Print for which LLVMs there are plugins, and their compilers, a line each;
 * nothing if there are none, as in a build folder. */
void installed_print_plugins(FILE *out);

#endif
