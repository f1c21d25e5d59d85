/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** What gmon files cannot hold, for the side file; docs/FORMAT.md, "Side file".
 */
#ifndef ARCLINE_RT_SIDE_H
#define ARCLINE_RT_SIDE_H

#include "dump/profile.h"
#include "settings/settings.h"

#define RT_SIDE_SUFFIX ".arcline" /* behind the name of the main profile */

/** Take out of a solved profile the arcs that leave the object, and keep them
 * and those from other objects, of which the ends outside become 0 in the
 * profile. What is kept replaces what was, and outlives the object's mapping.
 * Returns 0 or -ENOMEM. Runs: exit, handler-safe. */
int rt_side_take(struct rt_object *object, struct rt_profile *profile);

/** Forget what was kept. */
void rt_side_release(struct rt_object *object);

/** Write a whole side file. settings: a const struct rt_settings.
 * Returns sink->error. Runs: exit, handler-safe. */
int rt_side_write(const void *settings, struct write_sink *sink);

/** The next file is of one process more, which is no more. */
void rt_side_add_process(void);
/** Whether processes left no profile of which the file that was added to has
 * nothing yet. Runs: handler-safe. */
bool rt_side_has_news(void);
/** What was written last counts no more: the next file adds to it. */
void rt_side_commit(void);
void rt_side_in_child(void); /* in fork()'s child */

#endif
