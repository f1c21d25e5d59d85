/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Slots are made by the parent, since a child cannot give its parent memory;
   they are claimed by the child, since fork() may fail, and its handlers do not
   get the child's number. They are mapped in all relatives that were made
   since, at the same address. Only pages that are used take memory, and those
   of a relative that is gone are freed. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>

#include "live/family.h"
#include "live/regions.h"
#include "os/os.h"
#include "os/process_state.h"

enum {
  MIN_SLOTS = 8,    /* of a block */
  FIRST_SLOTS = 64, /* in the block that all relatives see */
  MAX_SLOTS = 1024,
  MAX_BLOCKS = 16,
  MAX_PENDING = 256, /* children that have not begun to run */
  N_KEPT = 8,        /* slots of a block whose small regions stay in memory */
};

/* Of an owner: it is a parent, and the slot is for a child that it makes just
   now; another process has its number. */
#define IS_RESERVED 0x40000000u
#define IS_REPLACED 0x20000000u

/* A relative has added up what the owner has not written, and made notes. */
#define WAS_VISITED (RT_FAMILY_ALL - 1)

/* A relative that adds up what the owner has left is in the upper half of the
   word: if it is killed, another one goes on. */
#define READER_SHIFT 32

struct slot {
  uint64_t owner;    /* process, or 0 */
  uint32_t parent;   /* process; 0: not known yet */
  uint32_t finished; /* see rt_family_finish(); or WAS_VISITED */
  uint32_t
      n_written;    /* the part of it that has been added up; of the visitor */
  uint64_t ticks;   /* when the owner took it; 0: not known yet */
  uint32_t is_used; /* its memory has to be cleared for the next owner */
  uint32_t is_counted; /* a file lists the owner among the processes */
};

/* The head of a mapping; the rest is the memory of its slots. */
struct head {
  uint32_t n_executed; /* in the first block: eldest ones that are another
                          program */
  struct slot slots[];
};

/* A mapping. Its sizes are not in it, since a relative with a wild pointer may
   write over them there. */
struct block {
  struct head *shared;
  size_t n_slots, slot_bytes, n_bytes;
};

static struct {
  struct block blocks[MAX_BLOCKS];
  size_t n_blocks;
  size_t n_known;    /* the first ones of them, which the eldest sees */
  uint32_t parent;   /* in the family, or 0 once it is gone */
  bool is_executing; /* it is one of n_executed */
  struct slot *own;
  struct slot *reserved; /* for the next child */
} family;

static bool is_in(const struct block *block, const struct slot *slot) {
  const struct slot *const slots = block->shared->slots;

  return slot >= slots && slot < slots + block->n_slots;
}

static char *memory_of(const struct block *block, const struct slot *slot) {
  const size_t i = (size_t)(slot - block->shared->slots);

  return (char *)block->shared + block->n_bytes -
         (block->n_slots - i) * block->slot_bytes;
}

static size_t n_owned_by(uint64_t owner, const struct block *block) {
  size_t n = 0;

  for (size_t i = 0; i < block->n_slots; i++)
    n += rt_load(&block->shared->slots[i].owner) == owner;
  return n;
}

size_t rt_family_n_free(size_t slot_bytes, size_t *n_slots) {
  size_t n = 0;

  *n_slots = 0;
  for (size_t i = 0; i < family.n_known; i++) {
    const struct block *block = &family.blocks[i];
    if (block->slot_bytes < slot_bytes)
      continue;
    *n_slots += block->n_slots;
    n += n_owned_by(0, block);
  }
  return n;
}

/* A limited address space is left to the program. */
static bool is_limited(void) { return rt_address_space() != UINT64_MAX; }

/* Returns false if out of memory. */
static bool make(size_t n_slots, size_t slot_bytes, struct block *out) {
  const size_t n_bytes = ARCLINE_LIVE_ALIGN + n_slots * slot_bytes;

  *out = (struct block){rt_map_shared_sparse(n_bytes), n_slots, slot_bytes,
                        n_bytes};
  if (out->shared)
    rt_ticks(); // finds the clock's rate
  return out->shared;
}

static bool has_parent(void) {
  return family.parent &&
         rt_sys(SYS_getppid, 0, 0, 0, 0, 0) == (long)family.parent &&
         !(family.n_blocks && rt_load(&family.blocks[0].shared->n_executed));
}

/* Any of several threads may call exec(). */
static void count_executed(bool is_executing) {
  bool expected = !is_executing;

  if (!rt_cas(&family.is_executing, &expected, is_executing))
    return;
  if (is_executing)
    __atomic_add_fetch(&family.blocks[0].shared->n_executed, 1,
                       __ATOMIC_ACQ_REL);
  else
    __atomic_sub_fetch(&family.blocks[0].shared->n_executed, 1,
                       __ATOMIC_ACQ_REL);
}

bool rt_family_is_eldest(void) {
  if (has_parent())
    return false;
  count_executed(false); // if it tried, that has failed
  family.parent = 0;
  family.n_known = family.n_blocks;
  return true;
}

void rt_family_execute(void) {
  if (family.n_blocks && rt_family_is_eldest())
    count_executed(true);
}

/* Is there room in what this child, or a parent of it, has made? */
static bool has_other_room(size_t slot_bytes) {
  bool has_room = false;

  for (size_t i = family.n_known; i < family.n_blocks && !has_room; i++)
    has_room = family.blocks[i].slot_bytes >= slot_bytes &&
               n_owned_by(0, &family.blocks[i]);
  return has_room;
}

void rt_family_grow(size_t slot_bytes) {
  const size_t align = ARCLINE_LIVE_ALIGN;
  size_t n = family.n_blocks ? 2 * family.blocks[family.n_blocks - 1].n_slots
                             : FIRST_SLOTS;
  bool is_made = false;

  if (family.n_blocks == MAX_BLOCKS || has_other_room(slot_bytes) ||
      is_limited())
    return;
  slot_bytes = (slot_bytes + align - 1) & ~(align - 1);
  // Some systems count what is not used.
  for (n = n < MAX_SLOTS ? n : MAX_SLOTS; !is_made && n >= MIN_SLOTS; n /= 2)
    is_made = make(n, slot_bytes, &family.blocks[family.n_blocks]);
  family.n_blocks += is_made;
  if (!family.parent)
    family.n_known = family.n_blocks;
}

/* Blocks that the eldest sees come first: counts in another block are lost if
   all relatives that see it are killed. After these come the newest, which
   leaves the older ones to relatives that see no others. */
static const struct block *nth_choice(size_t i) {
  return &family.blocks[i < family.n_known ? family.n_known - 1 - i : i];
}

/* Changes the owner of a slot that has this one. Returns NULL if none has. */
static struct slot *take(size_t slot_bytes, uint64_t from, uint64_t to,
                         const struct block **of) {
  for (size_t i = 0; i < family.n_blocks; i++) {
    const struct block *block = nth_choice(i);
    if (block->slot_bytes < slot_bytes)
      continue;
    for (size_t j = 0; j < block->n_slots; j++) {
      uint64_t owner = from;
      *of = block;
      struct slot *slot = &block->shared->slots[j];
      if (rt_load(&slot->owner) == from && rt_cas(&slot->owner, &owner, to))
        return slot;
    }
  }
  return NULL;
}

static void zero(void *memory, size_t n_bytes) {
  rt_zero_words(memory, n_bytes / sizeof(uint64_t));
}

/* n_used: bytes that may not be 0. */
static void remove_pages(char *memory, size_t n_bytes, size_t n_used) {
  if (rt_sys(SYS_madvise, (long)memory, (long)n_bytes, MADV_REMOVE, 0, 0))
    zero(memory, n_used);
}

/* Of bins and arcs, an owner uses a few pages at most. */
static bool is_sparse(const struct arcline_live_region *region) {
  return region->kind == ARCLINE_LIVE_BINS ||
         region->kind == ARCLINE_LIVE_ARCS ||
         region->room > RT_FAMILY_KEPT_BYTES;
}

/* Has the owner not written over the list of its regions? */
static bool is_sound(const struct arcline_live_head *head, size_t n_bytes) {
  bool is_inside = head->n_regions <= ARCLINE_LIVE_MAX_REGIONS;

  for (size_t i = 0; is_inside && i < head->n_regions; i++)
    is_inside = rt_region_is_inside(&head->regions[i], n_bytes);
  return is_inside;
}

/* Zeroes what the owner used, which was nothing else than the regions. To free
   pages and to get others costs more than to zero small ones, whose pages the
   next owner gets. */
static void clear(struct arcline_live_head *head) {
  char *const memory = (char *)head;

  for (size_t i = 0; i < head->n_regions; i++) {
    const struct arcline_live_region *region = &head->regions[i];
    if (is_sparse(region))
      remove_pages(memory + region->offset, region->room, region->room);
    else
      zero(memory + region->offset, region->room);
  }
  // Last the head, which lists the others: this process may be killed, too.
  zero(head->regions, head->n_regions * sizeof(*head->regions));
  zero(head, offsetof(struct arcline_live_head, regions));
}

/* Before the slot has an owner whose counts are not written: this process may
   be killed, too. Most processes end before they need the memory again. */
static void clear_used(const struct block *block, struct slot *slot) {
  struct arcline_live_head *head = (void *)memory_of(block, slot);

  if (!rt_load(&slot->is_used))
    return;
  if (is_sound(head, block->slot_bytes))
    clear(head);
  else
    remove_pages((char *)head, block->slot_bytes, block->slot_bytes);
  rt_store(&slot->is_used, false);
}

void rt_family_reserve(size_t slot_bytes) {
  const uint32_t mine = rt_pid() | IS_RESERVED;
  const struct block *block;
  size_t n_pending = 0;

  for (size_t i = 0; i < family.n_blocks; i++)
    n_pending += n_owned_by(mine, &family.blocks[i]);
  // If fork() fails, one is left over.
  family.reserved =
      n_pending < MAX_PENDING ? take(slot_bytes, 0, mine, &block) : NULL;
  if (!family.reserved)
    family.reserved = take(slot_bytes, mine, mine, &block);
  if (family.reserved)
    clear_used(block, family.reserved);
}

/* The process that has our number in other slots had it before us. */
static void mark_replaced(const struct slot *mine, uint32_t pid) {
  for (size_t i = 0; i < family.n_blocks; i++)
    for (size_t j = 0; j < family.blocks[i].n_slots; j++) {
      struct slot *slot = &family.blocks[i].shared->slots[j];
      uint64_t owner = pid;
      if (slot != mine && rt_load(&slot->owner) == pid)
        rt_cas(&slot->owner, &owner, pid | IS_REPLACED);
    }
}

struct arcline_live_head *rt_family_claim(uint32_t parent, size_t *n_bytes) {
  const uint32_t pid = rt_pid();
  uint64_t owner = parent | IS_RESERVED;
  const struct block *block = NULL;
  struct slot *slot = family.reserved;

  family.own = family.reserved = NULL;
  family.parent = parent;
  family.is_executing = false;
  // In another PID namespace our number is not the one that relatives see.
  if (rt_sys(SYS_getppid, 0, 0, 0, 0, 0) == 0) {
    family.n_blocks = family.n_known = 0;
    family.parent = 0;
    return NULL;
  }
  if (slot && rt_cas(&slot->owner, &owner, pid))
    for (size_t i = 0; i < family.n_blocks && !block; i++)
      block = is_in(&family.blocks[i], slot) ? &family.blocks[i] : NULL;
  else
    slot = take(0, 0, pid, &block);
  if (!slot || !block)
    return NULL;
  clear_used(block, slot);
  rt_store(&slot->finished, 0);
  rt_store(&slot->is_counted, 0);
  rt_store(&slot->parent, parent);
  rt_store(&slot->ticks, rt_ticks());
  mark_replaced(slot, pid);
  family.own = slot;
  *n_bytes = block->slot_bytes;
  return (struct arcline_live_head *)memory_of(block, slot);
}

void rt_family_finish(uint32_t objects) {
  if (family.own)
    rt_store(&family.own->finished, objects);
}

void rt_family_count(void) {
  if (family.own)
    rt_store(&family.own->is_counted, true);
}

/* Has it ended, and does no relative add up what it left? */
static bool is_gone(const struct slot *slot, uint64_t owner) {
  const uint32_t reader = (uint32_t)(owner >> READER_SHIFT);

  if (reader)
    return reader != rt_pid() &&
           rt_process_state(reader, false, 0) != RT_PROCESS_RUNS;
  return owner & IS_REPLACED ||
         rt_process_state((uint32_t)owner, rt_load(&slot->parent) == rt_pid(),
                          rt_load(&slot->ticks)) != RT_PROCESS_RUNS;
}

/* Children are their parent's to look after, as long as it is there. */
static bool is_ours(const struct slot *slot, bool sees_all) {
  return sees_all || rt_load(&slot->parent) == rt_pid();
}

/* is_written: the owner itself has written its counts. */
static void set_free(const struct block *block, struct slot *slot,
                     bool is_written) {
  struct arcline_live_head *head = (void *)memory_of(block, slot);

  if (is_written && slot - block->shared->slots < N_KEPT &&
      is_sound(head, block->slot_bytes))
    rt_store(&slot->is_used, true);
  else
    remove_pages((char *)head, block->slot_bytes,
                 head->end < block->slot_bytes ? head->end : block->slot_bytes);
  slot->n_written = 0;
  // The next owner stores its own number after it is one.
  rt_store(&slot->parent, 0);
  rt_store(&slot->ticks, 0);
  rt_store(&slot->owner, 0);
}

/* Those who reserved it are gone, with the child or before there was one. If it
   begins only now, it takes another. */
static void check_reserved(struct slot *slot, uint64_t owner) {
  const uint32_t parent = (uint32_t)owner & ~IS_RESERVED;

  if (parent != rt_pid() &&
      rt_process_state(parent, false, 0) != RT_PROCESS_RUNS)
    rt_cas(&slot->owner, &owner, 0);
}

/* Makes this process the one that adds up what is in the slot, if it is left.
 */
static bool claim(struct slot *slot, bool sees_all) {
  uint64_t owner = rt_load(&slot->owner);

  if (!owner || slot == family.own)
    return false;
  if (owner & IS_RESERVED) {
    if (sees_all)
      check_reserved(slot, owner);
    return false;
  }
  return is_ours(slot, sees_all) && is_gone(slot, owner) &&
         rt_cas(&slot->owner, &owner,
                (uint64_t)rt_pid() << READER_SHIFT | (uint32_t)owner);
}

void rt_family_each_left(rt_family_visit *visit, void *context) {
  const bool sees_all = family.n_blocks && rt_family_is_eldest();

  for (size_t i = 0; i < family.n_blocks; i++) {
    const struct block *block = &family.blocks[i];
    for (size_t j = 0; j < block->n_slots; j++) {
      struct slot *slot = &block->shared->slots[j];
      if (!claim(slot, sees_all))
        continue;
      const uint32_t finished = rt_load(&slot->finished);
      if (finished < WAS_VISITED)
        visit((struct arcline_live_head *)memory_of(block, slot),
              &(const struct rt_family_left){
                  .n_bytes = block->slot_bytes,
                  .is_child = rt_load(&slot->parent) == rt_pid(),
                  .finished = finished,
                  .n_written = &slot->n_written,
                  .is_counted = &slot->is_counted},
              context);
      if (finished != RT_FAMILY_ALL)
        rt_store(&slot->finished, WAS_VISITED);
      set_free(block, slot, finished == RT_FAMILY_ALL);
    }
  }
}
