/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes files that appear as a whole or not at all. */
#ifndef ARCLINE_RT_FILE_H
#define ARCLINE_RT_FILE_H

#include "write/sink.h"

/** Have a file written beside path, then rename it to path.
 *
 * write  puts all bytes into the sink and returns sink->error.
 * what   goes to write.
 *
 * Returns 0 or a negative errno with any former file intact. The caller has
 * blocked all signals. -RT_EFTYPE stands for "not a regular file". */
int rt_file_write(const char *path,
                  int (*write)(const void *what, struct write_sink *sink),
                  const void *what);
/** The same for the file of that inode, which the caller has locked, at path:
 * the temporary name is derived from the inode, so that no other process can be
 * using it, and a file left by a process that was killed is removed. */
int rt_file_replace(const char *path, uint64_t locked_inode,
                    int (*write)(const void *what, struct write_sink *sink),
                    const void *what);
/** As rt_file_write(), but only if there is nothing of that name: else -EEXIST.
 */
int rt_file_create(const char *path,
                   int (*write)(const void *what, struct write_sink *sink),
                   const void *what);
/** The caller's thread has crashed in there, or in the caller: remove what it
 * had written. Runs: handler-safe. */
void rt_file_give_up(void);

#endif
