/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** The environment, and the names of files that follow from it. */
#ifndef ARCLINE_RT_OPTIONS_H
#define ARCLINE_RT_OPTIONS_H

#include "os.h"
#include "process.h"

struct rt_options {
  char out[RT_MAX_PATH];    /* pattern, or "" */
  char prefix[RT_MAX_PATH]; /* GMON_OUT_PREFIX, or "" */
  unsigned rate_hz;         /* 0: no sampling */
  unsigned verbose;
  bool is_persistent; /* persist=mmap */
  unsigned max_mib;   /* of threads' cells; 0: no limit */
  char program[RT_MAX_SUFFIX];
};

void rt_options_read(struct rt_options *out); /* startup */
/** Parse "key=value:..."; complain about what is wrong. */
void rt_options_parse(const char *text, struct rt_options *out);

/** Append the name of the file to write now, by the current process. */
void rt_options_name(const struct rt_options *options, const char *suffix,
                     struct rt_str *out);

#endif
