/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Compares names of source files with patterns of the user.
 */
#ifndef ARCLINE_SOURCE_PATTERN_H
#define ARCLINE_SOURCE_PATTERN_H

#include <stdbool.h>

/** Does a pattern as of the shell fit the whole name, or the end of it after a
 * slash? One that begins with "../" is of the working directory. Of one that is
 * absolute or begins so, links in the part without special characters may have
 * been followed in the name. */
bool source_matches(const char *pattern, const char *name);

/** Is it a pattern of one folder, which source_real() of a name may be in? */
bool source_pattern_has_folder(const char *pattern);

#endif
