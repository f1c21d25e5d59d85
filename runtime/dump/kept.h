/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts that outlive a load of an object, less those of resets. */
#ifndef ARCLINE_RT_KEPT_H
#define ARCLINE_RT_KEPT_H

#include "solve/totals.h"

/** What is to take the place of what is kept. */
struct rt_kept_next {
  struct arcline_live_kept *kept; /* or NULL */
  size_t n_room;
};

/** Make what is to be kept once the collected (not yet solved) profile is to be
 * subtracted from all that follows. Then commit, or cancel, which does nothing
 * after a commit. Returns 0 or -ENOMEM. */
int rt_kept_prepare(struct rt_object *object, const struct rt_profile *profile,
                    struct rt_kept_next *out);
void rt_kept_commit(struct rt_object *object, struct rt_kept_next *next);
void rt_kept_cancel(struct rt_object *object, struct rt_kept_next *next);

/** Subtract all that has been counted so far. Returns 0 or -ENOMEM. */
int rt_kept_reset(struct rt_object *object);
/** Save what goes away with the object's mapping: it is about to be unmapped.
 */
void rt_kept_unload(struct rt_object *object);
/** In fork()'s child: nothing is kept. */
void rt_kept_zero(struct rt_object *object);
void rt_kept_release(struct rt_object *object);

#endif
