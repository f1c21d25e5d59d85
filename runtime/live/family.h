/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Shares memory between a process and its descendants, in slots. Each child
 * takes one: whatever ends it, its counts are there for a relative to write. */
#ifndef ARCLINE_RT_FAMILY_H
#define ARCLINE_RT_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/live_format.h"

/** Is the parent of this process gone, or not a relative? Then this process
 * looks after all relatives. Runs: handler-safe. */
bool rt_family_is_eldest(void);
/** This process is about to become another program: if it is the eldest, others
 * are from now on. Runs: handler-safe. */
void rt_family_execute(void);
/** The number of free slots, of *n_slots that have at least that many bytes and
 * are visible to the eldest of the relatives. Runs: handler-safe. */
size_t rt_family_n_free(size_t slot_bytes, size_t *n_slots);
/** Make more slots, if the system allows. Those of a child are for its own
 * children, and are made when these have none left. One thread at a time. Runs:
 * handler-safe. */
void rt_family_grow(size_t slot_bytes);
/** Before fork(): reserve a slot for the child. One thread at a time, until
 * fork() returns. Runs: handler-safe. */
void rt_family_reserve(size_t slot_bytes);
/** In a child: take the reserved slot, or any. Returns its memory, of *n_bytes
 * zeros, or NULL. */
struct arcline_live_head *rt_family_claim(uint32_t parent, size_t *n_bytes);
/** Regions up to this size keep their pages, zeroed, for the next owner. */
enum { RT_FAMILY_KEPT_BYTES = 1 << 20 };

#define RT_FAMILY_ALL UINT32_MAX

/** The process has written the counts of its slot: those of the object of that
 * number, or all (RT_FAMILY_ALL). 0: there are others since. Runs:
 * handler-safe. */
void rt_family_finish(uint32_t objects);
/** This process is among those that its files list. Runs: handler-safe. */
void rt_family_count(void);

/** A relative that is gone. */
struct rt_family_left {
  size_t n_bytes;       /* of its memory */
  bool is_child;        /* it was a child of this process */
  uint32_t finished;    /* number of an object whose counts are written, or 0 */
  uint32_t *n_written;  /* 0, or the number that the visitor stored there in
                           another relative that was killed meanwhile */
  uint32_t *is_counted; /* files list it among the processes; set by itself, or
                           by the visitor */
};

/** Called with the memory that a relative has left. */
typedef void rt_family_visit(struct arcline_live_head *head,
                             const struct rt_family_left *left, void *context);
/** Visit the slot of each relative that is gone and has not finished; then make
 * the slot free. Runs: handler-safe. */
void rt_family_each_left(rt_family_visit *visit, void *context);

#endif
