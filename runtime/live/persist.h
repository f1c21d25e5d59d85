/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Maps memory that counts from a file (persist=mmap), so that it is there when
 * the process is killed, or from memory that relatives share. Does nothing
 * without one of these. */
#ifndef ARCLINE_RT_PERSIST_H
#define ARCLINE_RT_PERSIST_H

#include "arcline/live_format.h"
#include "objects/objects.h"
#include "settings/settings.h"

/** Create the file. Runs: startup. */
void rt_persist_start(const struct rt_settings *settings,
                      const struct rt_clock *clock);
/** Move memory, fresh from rt_map(), to the file. If the disk is full or the
 * file cannot be opened, it stays as it is, and the file records that something
 * is missing. Returns whether it was moved. Runs: hook.
 *
 * detail  of the region; see live_format.h. */
bool rt_persist_back(enum arcline_live_kind kind,
                     const struct rt_object *object, void *memory, size_t bytes,
                     uint64_t detail);
/** A thread counts in memory that is not in the file. Runs: hook. */
void rt_persist_miss(void);
/** Memory, perhaps in the file, is about to be unmapped; no thread counts in
 * it. Runs: hook. */
void rt_persist_forget(const void *memory);
/** rt_persist_back() and rt_persist_forget() for tables of arcs. */
extern const struct rt_backing rt_persist_backing;

/** Describe a new object. Runs: startup. */
void rt_persist_describe(struct rt_object *object);
/** The object was loaded: copy its counts so far. Runs: startup. */
void rt_persist_attach(struct rt_object *object);
/** It is being unloaded: arcs of others that lead there remain. Runs: exit. */
void rt_persist_unload(struct rt_object *object);
/** The side file will be named after this object. Runs: startup. */
void rt_persist_main(const struct rt_object *object);
/** Replace the old baseline by this one (a mapping of struct
 * arcline_live_baseline), and remove all tables of loads before
 * baseline->first_load, in one step. */
void rt_persist_keep(const struct rt_object *object,
                     const struct arcline_live_baseline *baseline);

/** A child of fork() counts in memory and a live file of its own, all zero or,
 * if is_inherited, with the parent's counts. */
void rt_persist_in_child(bool is_inherited);
/** In a child of a child, between rt_persist_in_child() and
 * rt_persist_end_child(): was the memory its parent's and its relatives', and
 * is it new, and zero, now? */
bool rt_persist_was_replaced(const void *memory);
void rt_persist_end_child(void);
/** All files have been written: remove the live file, or mark it as written for
 * the relatives. Runs: exit. */
void rt_persist_finish(void);
/** In the relatives' memory, the counts of the object are written, and are
 * zeroed next; NULL: they are zero. Runs: exit. */
void rt_persist_finish_object(const struct rt_object *object);
bool rt_persist_is_on(void);
bool rt_persist_is_shared(void); /* with relatives; hook */

/** Before fork(): let a child call the next one. Runs: handler-safe. */
void rt_persist_prepare(void);
/** In a child: memory for rt_persist_back() is from now on after head, in a
 * mapping of n_bytes with that, all zero, which the relatives share. */
void rt_persist_share(struct arcline_live_head *head, size_t n_bytes);
/** After that: move an object's own memory there. */
void rt_persist_share_object(struct rt_object *object);

#endif
