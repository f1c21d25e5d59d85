/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts that outlive a load of an object, less those of resets. */
#ifndef ARCLINE_RT_KEPT_H
#define ARCLINE_RT_KEPT_H

#include "process.h"

/** Subtract all that has been counted so far. Returns 0 or -ENOMEM. */
int rt_kept_reset(struct rt_object *object);
/** Save what goes away with the object's mapping: it is about to be unmapped.
 */
void rt_kept_unload(struct rt_object *object);
/** In fork()'s child: nothing is kept. */
void rt_kept_zero(struct rt_object *object);
void rt_kept_release(struct rt_object *object);

#endif
