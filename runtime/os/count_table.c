/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts by key: open addressing, where a slot is claimed by a compare-and-swap
   of its key. Addresses that are near one another have slots on the same page,
   so that little memory is touched. */
#include "os/count_table.h"
#include "os/os.h"

enum { NEAR_BITS = 10, MAX_GROUPS_PROBED = 4 };

static size_t n_groups(const struct rt_tally *tally) {
  return tally->n_slots / RT_TALLY_GROUP;
}

static size_t n_bytes(const struct rt_tally *tally) {
  return tally->n_slots * sizeof *tally->slots + n_groups(tally);
}

void rt_tally_init(struct rt_tally *tally, size_t n_slots) {
  tally->n_slots = n_slots;
  struct rt_count *slots = rt_map(n_bytes(tally));
  if (!slots)
    return;
  tally->touched = (uint8_t *)(slots + n_slots);
  tally->is_wiped = rt_wipe_on_fork(slots, n_bytes(tally));
  rt_store(&tally->slots, slots);
}

void rt_tally_release(struct rt_tally *tally) {
  rt_unmap(tally->slots, n_bytes(tally));
  tally->slots = NULL;
}

/* The slot of a key among n from the first one on, or NULL. */
static struct rt_count *find(struct rt_count *group, uint64_t key) {
  for (size_t i = 0; i < RT_TALLY_GROUP; i++) {
    struct rt_count *slot = &group[(key + i) % RT_TALLY_GROUP];
    uint64_t seen = rt_load(&slot->key);
    if (seen == key || (!seen && rt_cas(&slot->key, &seen, key)) || seen == key)
      return slot;
  }
  return NULL;
}

void rt_tally_add(struct rt_tally *tally, uint64_t key, uint64_t n) {
  struct rt_count *slots = rt_load(&tally->slots);
  const size_t home = ((key >> NEAR_BITS) * 0x9e3779b97f4a7c15) >> 32;

  for (size_t i = 0; slots && i < MAX_GROUPS_PROBED; i++) {
    const size_t group = (home + i) & (n_groups(tally) - 1);
    struct rt_count *slot = find(slots + group * RT_TALLY_GROUP, key);
    if (slot) {
      __atomic_fetch_add(&slot->n, n, __ATOMIC_RELAXED);
      rt_store(&tally->touched[group], 1);
      return;
    }
  }
  __atomic_fetch_add(&tally->n_rest, n, __ATOMIC_RELAXED);
}

size_t rt_tally_room(const struct rt_tally *tally) {
  size_t n = 0;

  for (size_t i = 0; tally->slots && i < n_groups(tally); i++)
    n += rt_load(&tally->touched[i]) ? RT_TALLY_GROUP : 0;
  return n;
}

size_t rt_tally_read(const struct rt_tally *tally, struct rt_count *out,
                     size_t room) {
  size_t n = 0;

  for (size_t i = 0; tally->slots && i < tally->n_slots && n < room; i++) {
    if (!rt_load(&tally->touched[i / RT_TALLY_GROUP])) {
      i += RT_TALLY_GROUP - 1;
      continue;
    }
    out[n].key = rt_load(&tally->slots[i].key);
    out[n].n = rt_load(&tally->slots[i].n);
    n += out[n].n != 0;
  }
  return n;
}

uint64_t rt_tally_sum(const struct rt_tally *tally) {
  uint64_t sum = rt_load(&tally->n_rest);

  for (size_t i = 0; tally->slots && i < tally->n_slots; i++)
    if (!rt_load(&tally->touched[i / RT_TALLY_GROUP]))
      i += RT_TALLY_GROUP - 1;
    else
      sum += rt_load(&tally->slots[i].n);
  return sum;
}

void rt_tally_reset(struct rt_tally *tally) {
  for (size_t i = 0; tally->slots && i < tally->n_slots; i++)
    if (!rt_load(&tally->touched[i / RT_TALLY_GROUP]))
      i += RT_TALLY_GROUP - 1;
    else if (rt_load(&tally->slots[i].n))
      rt_store(&tally->slots[i].n, 0);
  rt_store(&tally->n_rest, 0);
}

void rt_tally_in_child(struct rt_tally *tally) {
  tally->n_rest = 0;
  if (tally->slots && !rt_was_wiped(tally->is_wiped))
    rt_zero_words((uint64_t *)tally->slots, n_bytes(tally) / sizeof(uint64_t));
}
