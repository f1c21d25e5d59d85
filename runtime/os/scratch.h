/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Allocates temporary memory while counts are read and files written: for one
 * thread at a time. Small pieces are cut from one mapping, so that they cost
 * neither a system call nor a page each. */
#ifndef ARCLINE_RT_SCRATCH_H
#define ARCLINE_RT_SCRATCH_H

#include "os/os.h"

enum { RT_SCRATCH_BYTES = 3 << 19 }; /* too few for a large page */

/** Make the mapping in advance; startup. */
void rt_scratch_init(void);
/** Start to cut pieces from the mapping, until rt_scratch_close(). Otherwise
 * each piece is a mapping of its own. */
void rt_scratch_open(void);
/** Free all that was allocated since rt_scratch_open(). is_last: the process
 * ends, so that nothing needs to be unmapped. */
void rt_scratch_close(bool is_last);
/** Zeroed memory, 16-byte aligned, or NULL. */
void *rt_alloc(size_t bytes);
/** As rt_alloc(), for text: only the first byte is zeroed. */
char *rt_alloc_text(size_t bytes);
void rt_free(void *memory, size_t bytes);
/** Give back the rest of the piece that was allocated last, and of which no
 * more than the first bytes were written. rt_free() gets its former size. */
void rt_trim(void *memory, size_t n_written);
/** As rt_alloc(), for one user of that size at a time, and not zeroed: the
 * memory of the last such user, which has its pages already. */
void *rt_buffer(size_t bytes);

#endif
