/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** A profile as the bytes of a gmon.out file. */
#ifndef ARCLINE_RT_GMON_H
#define ARCLINE_RT_GMON_H

#include "profile.h"

/** Where bytes go. error is sticky: after the first failure nothing is put. */
struct rt_sink {
  int (*put)(struct rt_sink *sink, const void *bytes, size_t n);
  int error; /* 0 or negative errno */
};

/** Write a whole gmon.out file. profile: a const struct rt_profile.
 * Returns sink->error. Runs: handler-safe. */
int rt_gmon_write(const void *profile, struct rt_sink *sink);

#endif
