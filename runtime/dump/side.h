/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the side file: all that has no place in gmon files; docs/FORMAT.md,
 * "Side file". */
#ifndef ARCLINE_RT_SIDE_H
#define ARCLINE_RT_SIDE_H

#include "dump/pool_words.h"
#include "dump/profile.h"
#include "settings/settings.h"

#define RT_SIDE_SUFFIX ".arcline" /* after the name of the main profile */

/** Remove arcs that leave the object from a solved profile and keep them; keep
 * a copy of arcs from other objects, whose callers become 0 in the profile.
 * They replace those kept before, and outlive the object's mapping. Returns 0
 * or -ENOMEM. Runs: exit, handler-safe. */
int rt_side_keep_crossing(struct rt_object *object, struct rt_profile *profile);

/** Free the arcs that were kept. */
void rt_side_release(struct rt_object *object);

/** The content of a side file. main: the object after which it is named, or
 * NULL. In a pool it comes first, by which processes recognise the files of
 * their own kind; else objects are in the dynamic linker's search order. */
struct rt_side {
  const struct rt_settings *settings;
  const struct rt_object *main;
};

/** Write a whole side file. side: a const struct rt_side. Returns sink->error.
 * Runs: exit, handler-safe. */
int rt_side_write(const void *side, struct write_sink *sink);

/** The next file has the counts of one more process, which has ended. */
void rt_side_add_process(void);
/** Are there processes without a profile that are not listed in the file yet?
 * Runs: handler-safe. */
bool rt_side_has_news(void);
/** The figures of this process and of n_ended ones for the pool of its main
 * object, which has them in place of the side file. Returns false if the side
 * file has lines with other numbers. Runs: exit, handler-safe. */
bool rt_side_find_figures(const struct rt_settings *settings, uint64_t n_ended,
                          struct rt_pool_figures *out);
/** The last file is written: the next one has only what comes after it. */
void rt_side_commit(void);
/** Counts were set to zero: set samples, CPU time and lost calls to zero, too.
 * Runs: handler-safe. */
void rt_side_reset(void);
void rt_side_in_child(void); /* in fork()'s child */

#endif
