/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** What children have counted that are ended by others, or by functions of libc
 * that the runtime does not see, is written by a relative; into a pool, in
 * which it does not matter who writes. */
#ifndef ARCLINE_RT_RELATIVES_H
#define ARCLINE_RT_RELATIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "life/output.h"

/** Before fork(), by the thread that may write: see that there is memory that a
 * child can share. */
void rt_relatives_prepare(void);
/** In a child of that process, which has counted nothing yet: count in it. */
void rt_relatives_share(uint32_t parent);
/** Write what those had that are gone. By the thread that writes. */
void rt_relatives_write(const struct rt_output_mode *mode);

#endif
