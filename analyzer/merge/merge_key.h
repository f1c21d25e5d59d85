/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Decides whether profiles are of one object, and side files of one
 * program. */
#ifndef ARCLINE_MERGE_KEY_H
#define ARCLINE_MERGE_KEY_H

#include "sum/side_sum.h"

#include <stdbool.h>

/** Hexadecimal digits of the build-id in a mark. */
enum { MERGE_ID_TEXT = 16 };

/** Are two files of one object, or of one program? Each may be damaged. */
bool merge_is_same(const struct sum_file *a, const struct sum_file *b,
                   bool is_side);

/** Store the build-id of a profile, as text of MERGE_ID_TEXT digits and NUL.
 * Returns false if it has none. */
bool merge_build_id(const struct sum_file *profile, char *out);

/** The same of an object of a side file; zeros at the end may be missing there.
 */
bool merge_object_id(struct side_word build_id, char *out);

#endif
