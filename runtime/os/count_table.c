/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Implements open addressing: a slot is claimed by a compare-and-swap of its
   key. The first keys share the first group. Later ones have slots on the same
   page if their addresses are near one another. So little memory is touched. */
#include "os/count_table.h"
#include "os/os.h"

enum { NEAR_BITS = 10, MAX_GROUPS_PROBED = 4, FIRST_PROBED = 8 };

static size_t n_groups(const struct rt_count_table *table) {
  return table->n_slots / RT_COUNT_TABLE_GROUP;
}

static size_t bytes_of(size_t n_slots) {
  return n_slots * sizeof(struct rt_count) + n_slots / RT_COUNT_TABLE_GROUP;
}

static size_t n_bytes(const struct rt_count_table *table) {
  return bytes_of(table->n_slots);
}

size_t rt_count_table_bytes(size_t n_slots) {
  return rt_whole_pages(bytes_of(n_slots));
}

void rt_count_table_init(struct rt_count_table *table, size_t n_slots) {
  table->n_slots = n_slots;
  struct rt_count *slots = rt_map_wiped(n_bytes(table), &table->is_wiped);
  if (!slots)
    return;
  table->touched = (uint8_t *)(slots + n_slots);
  rt_store(&table->slots, slots);
}

void rt_count_table_release(struct rt_count_table *table) {
  rt_unmap(table->slots, n_bytes(table));
  table->slots = NULL;
}

static uint64_t hash(uint64_t bits) {
  return (bits * 0x9e3779b97f4a7c15) >> 32;
}

/* The slot of a key among n from the start on, or NULL. */
static struct rt_count *find(struct rt_count *group, uint64_t key,
                             uint64_t start, size_t n) {
  for (size_t i = 0; i < n; i++) {
    struct rt_count *slot = &group[(start + i) % RT_COUNT_TABLE_GROUP];
    uint64_t seen = rt_load(&slot->key);
    if (seen == key || (!seen && rt_cas(&slot->key, &seen, key)) || seen == key)
      return slot;
  }
  return NULL;
}

size_t rt_count_table_place(struct rt_count_table *table, uint64_t key) {
  struct rt_count *slots = rt_load(&table->slots);
  const size_t home = hash(key >> NEAR_BITS);

  if (!rt_load(&table->is_used))
    rt_store(&table->is_used, true);
  if (!slots)
    return table->n_slots;
  // No slot becomes free: a key without one in the first group gets none there.
  const struct rt_count *slot = find(slots, key, hash(key), FIRST_PROBED);
  for (size_t i = 0; !slot && i < MAX_GROUPS_PROBED; i++) {
    const size_t group = (home + i) & (n_groups(table) - 1);
    slot = find(slots + group * RT_COUNT_TABLE_GROUP, key, key,
                RT_COUNT_TABLE_GROUP);
  }
  if (!slot)
    return table->n_slots;
  const size_t place = (size_t)(slot - slots);
  if (!rt_load(&table->touched[place / RT_COUNT_TABLE_GROUP]))
    rt_store(&table->touched[place / RT_COUNT_TABLE_GROUP], 1);
  return place;
}

void rt_count_table_add(struct rt_count_table *table, uint64_t key,
                        uint64_t n) {
  const size_t place = rt_count_table_place(table, key);

  __atomic_fetch_add(place < table->n_slots ? &table->slots[place].n
                                            : &table->n_rest,
                     n, __ATOMIC_RELAXED);
}

/* The number of slots to read: without a key no page of them is touched. */
static size_t n_used(const struct rt_count_table *table) {
  return table->slots && rt_load(&table->is_used) ? table->n_slots : 0;
}

size_t rt_count_table_room(const struct rt_count_table *table) {
  size_t n = 0;

  for (size_t i = 0; i < n_used(table) / RT_COUNT_TABLE_GROUP; i++)
    n += rt_load(&table->touched[i]) ? RT_COUNT_TABLE_GROUP : 0;
  return n;
}

size_t rt_count_table_read(const struct rt_count_table *table,
                           struct rt_count *out, size_t room) {
  size_t n = 0;

  for (size_t i = 0; i < n_used(table) && n < room; i++) {
    if (!rt_load(&table->touched[i / RT_COUNT_TABLE_GROUP])) {
      i += RT_COUNT_TABLE_GROUP - 1;
      continue;
    }
    out[n].key = rt_load(&table->slots[i].key);
    out[n].n = rt_load(&table->slots[i].n);
    n += out[n].n != 0;
  }
  return n;
}

uint64_t rt_count_table_sum(const struct rt_count_table *table) {
  uint64_t sum = rt_load(&table->n_rest);

  for (size_t i = 0; i < n_used(table); i++)
    if (!rt_load(&table->touched[i / RT_COUNT_TABLE_GROUP]))
      i += RT_COUNT_TABLE_GROUP - 1;
    else
      sum += rt_load(&table->slots[i].n);
  return sum;
}

void rt_count_table_reset(struct rt_count_table *table) {
  for (size_t i = 0; i < n_used(table); i++)
    if (!rt_load(&table->touched[i / RT_COUNT_TABLE_GROUP]))
      i += RT_COUNT_TABLE_GROUP - 1;
    else if (rt_load(&table->slots[i].n))
      rt_store(&table->slots[i].n, 0);
  rt_store(&table->n_rest, 0);
}

void rt_count_table_in_child(struct rt_count_table *table) {
  table->n_rest = 0;
  if (table->slots && !rt_was_wiped(table->is_wiped))
    rt_zero_words((uint64_t *)table->slots, n_bytes(table) / sizeof(uint64_t));
}
