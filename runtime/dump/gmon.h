/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** A profile as the bytes of a gmon.out file. */
#ifndef ARCLINE_RT_GMON_H
#define ARCLINE_RT_GMON_H

#include "os/sink.h"
#include "solve/totals.h"

/** Write a whole gmon.out file; the end of it stays in the buffer.
 * profile: a const struct rt_profile. Returns sink->error.
 * Runs: handler-safe. */
int rt_gmon_write(const void *profile, struct rt_sink *sink);

#endif
