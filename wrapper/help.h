/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints the options of arcline-cc. */
#ifndef ARCLINE_WRAPPER_HELP_H
#define ARCLINE_WRAPPER_HELP_H

#include <stdbool.h>

/** name: of the program, in usage and examples. */
void help_print(const char *name, bool is_cxx);

#endif
