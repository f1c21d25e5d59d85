/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Sets the base of the segment GS: the bias of the executable's cells, one per
 * thread, for code that counts through it. 0, as in a new process, means the
 * cells themselves; a new thread begins with its creator's. Does nothing on
 * machines other than x86-64. */
#ifndef ARCLINE_RT_SEGMENT_H
#define ARCLINE_RT_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

/** May there be such a base? The kernel rejects negative ones, and if the
 * processor has no instruction for it, nothing else can set it. Runs: hook. */
bool rt_segment_can_be(intptr_t bias);
/** Set that of the calling thread. Returns whether that was possible. Runs:
 * hook. */
bool rt_segment_set(intptr_t bias);
/** A library counts through GS, too: from now on only 0 is set. Runs:
 * startup. */
void rt_segment_give_up(void);
/** The number of these calls. Runs: hook. */
uint64_t rt_segment_n_libraries(void);

#endif
