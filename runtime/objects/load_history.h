/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Records the addresses of objects, now and in earlier loads. */
#ifndef ARCLINE_RT_LOAD_HISTORY_H
#define ARCLINE_RT_LOAD_HISTORY_H

#include "objects/objects.h"

/** A pc outside of the given object, as an end of an arc (SOLVE_OUTSIDE).
 * Threads keep pcs of objects that have been unloaded since, and others may
 * have taken their place: 0 if the object is ambiguous, or if there is none.
 * is_callee: it is the beginning of a function. Runs: exit, handler-safe. */
uint64_t rt_load_history_find(uint64_t pc, bool is_callee);

/** Record the object's addresses before it is unmapped. Runs: exit. */
void rt_load_history_remember(struct rt_object *object);

void rt_load_history_release(struct rt_object *object); /* exit */

#endif
