/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts in tables of arcs. A thread's table is a chain of segments with open
   addressing, searched oldest first. Only its thread writes to it, but signal
   handlers may do so in the middle of any other write: a slot is claimed by a
   compare-and-swap of from, then self is stored. A handler that sees a slot
   without self skips it and may enter the same arc once more; equal arcs are
   added up when the profile is written. Slots never move, so that a handler
   that never returns leaves at worst a slot without self. */
#include <errno.h>

#include "counting/arcs.h"
#include "cpu/cpu.h"
#include "os/os.h"

enum { GROWTH = 4 }; /* a segment's size relative to the one before */

/* Finds the arc's slot or claims one for it; NULL if none of n is free. */
static struct solve_arc *find(struct solve_arc *slots, size_t n, uint64_t from,
                              uint64_t self) {
  for (size_t i = 0; i < n; i++) {
    struct solve_arc *slot = &slots[i];
    uint64_t seen = rt_load(&slot->from);
    if (!seen && rt_cas(&slot->from, &seen, from)) {
      rt_store(&slot->self, self);
      return slot;
    }
    if (seen == from && rt_load(&slot->self) == self)
      return slot;
  }
  return NULL;
}

/* Scatters arcs evenly, whatever the addresses of callers and callees. */
static uint64_t hash(uint64_t from, uint64_t self) {
  return ((from ^ (self << 7)) * 0x9e3779b97f4a7c15) >> 32;
}

/* Before a slot at or after that is claimed, which may be of the next chunk. */
static void touch(struct rt_arcs *arcs, uint64_t at) {
  const unsigned shift =
      (unsigned)__builtin_ctzll(arcs->n_slots / RT_ARC_CHUNKS);
  const uint64_t bits =
      (uint64_t)1 << (at >> shift) |
      (uint64_t)1 << ((at + RT_ARC_PROBES - 1) >> shift) % RT_ARC_CHUNKS;

  if ((__atomic_load_n(&arcs->touched, __ATOMIC_RELAXED) & bits) != bits)
    __atomic_fetch_or(&arcs->touched, bits, __ATOMIC_RELEASE);
}

int rt_arcs_count(struct rt_arcs *arcs, uint64_t from, uint64_t self) {
  uint64_t at = rt_arc_home(from, self);

  // from 0 marks a free slot; only a frame without caller has that return
  // address.
  from += from == 0;
  for (;;) {
    touch(arcs, at);
    struct solve_arc *slot =
        find(rt_arcs_slots(arcs) + at, RT_ARC_PROBES, from, self);
    if (slot) {
      rt_cpu_bump(&slot->count);
      return 0;
    }
    struct rt_arcs *next = rt_load(&arcs->next);
    if (!next) {
      struct rt_arcs *fresh =
          rt_arcs_create(arcs->n_slots * GROWTH, arcs->backing, arcs->object);
      if (!fresh)
        return -ENOMEM;
      if (rt_cas(&arcs->next, &next, fresh))
        next = fresh;
      else
        rt_arcs_destroy(fresh);
    }
    arcs = next;
    at = hash(from, self) & (arcs->n_slots - 1);
  }
}

int rt_arcs_count_shared(struct solve_arc *slots, size_t n_slots, uint64_t from,
                         uint64_t self) {
  from += from == 0;
  const size_t home = hash(from, self) & (n_slots - 1);
  struct solve_arc *slot = find(slots + home, n_slots - home, from, self);

  if (!slot)
    slot = find(slots, home, from, self);
  if (!slot)
    return -ENOMEM;
  __atomic_fetch_add(&slot->count, 1, __ATOMIC_RELAXED);
  return 0;
}
