/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the counts of children that cannot write them: those that were
 * killed, or left by functions of libc that the runtime does not intercept. A
 * relative does it; with pools, any relative. */
#ifndef ARCLINE_RT_RELATIVES_H
#define ARCLINE_RT_RELATIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "life/output.h"

/** Before fork(): provide memory that a child can share. By the thread that may
 * write. */
void rt_relatives_prepare(void);
/** In a child of that process, which has counted nothing yet: count in the
 * shared memory. */
void rt_relatives_share(uint32_t parent);
/** Write the counts of relatives that are gone. By the thread that writes. */
void rt_relatives_write(const struct rt_output_mode *mode);

#endif
