/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Describes processes that left no profile, as related processes have recorded
 * in side files: `lost' records whose words begin with "processes-" (FORMAT.md,
 * part 5). */
#ifndef ARCLINE_MISSING_H
#define ARCLINE_MISSING_H

#include <stdbool.h>
#include <stddef.h>

struct runs;

enum { MISSING_BYTES = 512 }; /* longer than any text */

/** Whether the word of a `lost' record is about processes. */
bool missing_is_kind(const char *what);

/** Make a text without a newline: "2 of 3 processes left no profile: 1 killed
 * by a signal, ...". Returns the number of processes; 0: there is no text. */
size_t missing_describe(const struct runs *runs, char text[MISSING_BYTES]);

#endif
