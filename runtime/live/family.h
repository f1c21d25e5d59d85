/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Memory that a process shares with its children and theirs, in slots of which
 * each child takes one: whatever ends it, what it has counted is there for a
 * relative to write. */
#ifndef ARCLINE_RT_FAMILY_H
#define ARCLINE_RT_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/live_format.h"

/** Is the process that made this one gone, or no relative? Then it looks after
 * all relatives. Runs: handler-safe. */
bool rt_family_is_eldest(void);
/** How many slots are free, of *n_slots of at least so many bytes that the
 * eldest of the relatives knows. Runs: handler-safe. */
size_t rt_family_n_free(size_t slot_bytes, size_t *n_slots);
/** There are too few: make some, if the system lets us. Those of a child are
 * for its own children, and are made when these have none left. One thread at a
 * time. Runs: handler-safe. */
void rt_family_grow(size_t slot_bytes);
/** Before fork(): have a slot for the child. One thread at a time, to the end
 * of fork(). Runs: handler-safe. */
void rt_family_reserve(size_t slot_bytes);
/** In a child: take it, or any. Returns its memory, of *n_bytes zeros, or NULL.
 */
struct arcline_live_head *rt_family_take(uint32_t parent, size_t *n_bytes);
/** The process has written all that its slot has. Runs: handler-safe. */
void rt_family_finish(void);
/** What a relative has left that is gone.
 *
 * is_child   it was a child of this process.
 * n_written  0, or what the visitor had stored there in another relative that
 *            was killed meanwhile. */
typedef void rt_family_visit(struct arcline_live_head *head, bool is_child,
                             uint32_t *n_written, void *context);
/** Visit the slot of each relative that is gone and has not finished; then make
 * the slot free. Runs: handler-safe. */
void rt_family_each_left(rt_family_visit *visit, void *context);

#endif
