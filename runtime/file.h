/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Whole files, or none. */
#ifndef ARCLINE_RT_FILE_H
#define ARCLINE_RT_FILE_H

#include "gmon.h"

/** Write the profile into a file beside path, then rename it to path.
 * Returns 0 or a negative errno with any former file intact. The caller has
 * blocked all signals. -EFTYPE stands for "not a regular file". */
int rt_file_write(const char *path, const struct rt_profile *profile);

#endif
