/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads what the kernel reports of a thread in /proc. */
#ifndef ARCLINE_RT_TASK_FILE_H
#define ARCLINE_RT_TASK_FILE_H

#include <stddef.h>
#include <stdint.h>

/** Open /proc/self/task/TID/FILE for reading. Returns a descriptor or a
 * negative errno. Runs: hook. */
long rt_task_file_open(uint32_t tid, const char *file);
/** Read the start of /proc/self/task/TID/FILE. Returns the number of bytes, or
 * a negative errno. Runs: hook. */
long rt_task_file_read(uint32_t tid, const char *file, char *out, size_t room);

#endif
