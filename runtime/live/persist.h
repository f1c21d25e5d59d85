/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** The live file of persist=mmap: memory that counts, mapped from a file, so
 * that it is there when the process is killed; or memory that relatives see.
 * Without one of them nothing here does anything. */
#ifndef ARCLINE_RT_PERSIST_H
#define ARCLINE_RT_PERSIST_H

#include "arcline/live_format.h"
#include "objects/objects.h"
#include "settings/settings.h"

/** Create the file. Runs: startup. */
void rt_persist_start(const struct rt_settings *settings,
                      const struct rt_clock *clock);
/** Let memory, fresh from rt_map(), lie in the file from now on. Not, if the
 * disk is full or the file out of reach: it is as good as any other then, and
 * the file says that something is missing. Returns whether it does. Runs: hook.
 *
 * detail  of the region; see live_format.h. */
bool rt_persist_back(enum arcline_live_kind kind,
                     const struct rt_object *object, void *memory, size_t bytes,
                     uint64_t detail);
/** A thread counts in memory that is not in the file. Runs: hook. */
void rt_persist_miss(void);
/** Memory, perhaps in the file, is about to be unmapped; nobody counts in it.
 * Runs: hook. */
void rt_persist_forget(const void *memory);
/** The two for tables of arcs. */
extern const struct rt_backing rt_persist_backing;

/** Describe a new object. Runs: startup. */
void rt_persist_describe(struct rt_object *object);
/** The object was loaded: copy what it has counted so far. Runs: startup. */
void rt_persist_attach(struct rt_object *object);
/** The side file will be named after this object. Runs: startup. */
void rt_persist_main(const struct rt_object *object);
/** The baseline (a mapping of struct arcline_live_baseline) takes the place of
 * what was, and of all tables of loads before baseline->first_load, in one
 * step. */
void rt_persist_keep(const struct rt_object *object,
                     const struct arcline_live_baseline *baseline);

/** A fork()ed child counts in memory and a live file of its own, all zero or,
 * if is_inherited, with the parent's counts. */
void rt_persist_in_child(bool is_inherited);
/** All files have been written: remove the live file, or say so to the
 * relatives. Runs: exit. */
void rt_persist_finish(void);
bool rt_persist_is_on(void);
bool rt_persist_is_shared(void); /* with relatives; hook */

/** Before fork(): let a child call the next one. Runs: handler-safe. */
void rt_persist_prepare(void);
/** In a child: what rt_persist_back() is called for lies, from now on, behind
 * head, n_bytes with that, all zero, which the relatives see. */
void rt_persist_share(struct arcline_live_head *head, size_t n_bytes);
/** Then: let an object's own memory lie there. */
void rt_persist_share_object(struct rt_object *object);

#endif
