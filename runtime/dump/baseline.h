/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Keeps the baseline of an object, which is added to its counts: counts of its
 * earlier loads, less those that a reset has removed. */
#ifndef ARCLINE_RT_BASELINE_H
#define ARCLINE_RT_BASELINE_H

#include "dump/profile.h"

/** The next baseline, which will replace the present one. */
struct rt_baseline_next {
  struct arcline_live_baseline *record; /* or NULL */
  size_t n_room;
};

/** Make the baseline for when the collected (not yet solved) profile is to be
 * subtracted from all that follows. Then commit, or cancel, which does nothing
 * after a commit. Returns 0 or -ENOMEM. */
int rt_baseline_prepare(struct rt_object *object,
                        const struct rt_profile *profile,
                        struct rt_baseline_next *out);
void rt_baseline_commit(struct rt_object *object,
                        struct rt_baseline_next *next);
void rt_baseline_cancel(struct rt_object *object,
                        struct rt_baseline_next *next);

/** Subtract all that has been counted so far. Returns 0 or -ENOMEM. */
int rt_baseline_reset(struct rt_object *object);
/** Save what goes away with the object's mapping: it is about to be unmapped.
 */
void rt_baseline_unload(struct rt_object *object);
/** In fork()'s child: there is none. */
void rt_baseline_zero(struct rt_object *object);
void rt_baseline_release(struct rt_object *object);

#endif
