/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Memory for who reads counts and writes files: of one thread at a time, and
 * for a while. Small pieces are cut from one mapping, so that they cost neither
 * a system call nor a page each. */
#ifndef ARCLINE_RT_SCRATCH_H
#define ARCLINE_RT_SCRATCH_H

#include "os/os.h"

enum { RT_SCRATCH_BYTES = 3 << 19 }; /* too few for a large page */

/** Have the mapping in advance; startup. */
void rt_scratch_init(void);
/** From now on, until it is closed, pieces are cut. Without it each is a
 * mapping of its own. */
void rt_scratch_open(void);
/** Whatever has been taken since is gone. is_last: the process ends, and takes
 * it along. */
void rt_scratch_close(bool is_last);
/** Zeroed memory, 16-byte aligned, or NULL. */
void *rt_take(size_t bytes);
void rt_give(void *memory, size_t bytes);

#endif
