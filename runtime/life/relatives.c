/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A relative's counts are an object's, with other threads: those are written as
   if they were the relative's own. */
#include <errno.h>

#include "life/relatives.h"
#include "live/family.h"
#include "live/persist.h"
#include "live/regions.h"
#include "os/scratch.h"
#include "settings/settings.h"
#include "threads/threads.h"

enum {
  OBJECT_BYTES = 1280 << 10, /* tables of arcs, and the second, larger ones */
  MORE_BYTES = 2 << 20,      /* of what comes up later */
  MIN_FORKS = 6,             /* between checks for ended ones */
  COPIES = 4,                /* of cells: of some threads, and of baselines */
};

/* Objects up to this number are the same to all relatives. Others they may have
   loaded later, each for itself. */
static size_t n_common = SIZE_MAX;

static bool is_wanted(void) {
  const struct rt_settings *settings = rt_settings();

  return settings->has_own_files && settings->fork_mode == RT_FORK_ZERO &&
         !settings->is_persistent && !settings->blocks_syscalls;
}

/* How much a child may need. It costs nothing as long as it does not. */
static size_t slot_bytes(void) {
  size_t n = ARCLINE_LIVE_HEAD_BYTES + MORE_BYTES;

  for (const struct rt_object *it = rt_objects(); it; it = it->next) {
    n += OBJECT_BYTES + COPIES * it->n_cells * sizeof(uint64_t);
    n += (size_t)(it->image.sites_end - it->image.sites) *
         sizeof(struct arcline_live_callees);
    for (size_t i = 0; i < it->n_texts; i++)
      n += rt_object_bins_bytes(it, i) + ARCLINE_LIVE_ALIGN;
  }
  return n;
}

/* Children make children of their own; all relatives see their slots only if
   the eldest has made them. */
static bool has_room(bool is_eldest, size_t n_bytes, size_t *n_used) {
  size_t n_slots;
  const size_t n_free = rt_family_n_free(n_bytes, &n_slots);

  *n_used = n_slots - n_free;
  return n_free > (is_eldest ? n_slots / 2 : 0);
}

void rt_relatives_prepare(void) {
  static size_t n_until_check; /* calls */
  size_t n_used;

  if (!is_wanted())
    return;
  const bool is_eldest = rt_family_is_eldest();
  // Any slot that the eldest sees is better than a larger one.
  const size_t n_bytes = is_eldest ? slot_bytes() : 0;
  rt_persist_prepare();
  rt_threads_leave_section(); // the child has memory at our address
  // Slots that were used lately cost least, and each look as many system calls
  // as there are relatives.
  if (!has_room(is_eldest, n_bytes, &n_used) || !n_until_check) {
    rt_relatives_write(&(const struct rt_output_mode){0});
    if (!has_room(is_eldest, n_bytes, &n_used))
      rt_family_grow(slot_bytes());
    n_until_check = n_used + MIN_FORKS;
  }
  n_until_check--;
  rt_family_reserve(n_bytes);
}

void rt_relatives_share(uint32_t parent) {
  size_t n_bytes = 0, n_objects = 0;

  if (!is_wanted())
    return;
  struct arcline_live_head *head = rt_family_claim(parent, &n_bytes);
  if (!head)
    return;
  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    n_objects = it->number > n_objects ? it->number : n_objects;
  if (n_objects < n_common) // else its page would be copied
    n_common = n_objects;
  rt_persist_share(head, n_bytes);
  head->main = n_objects;
  head->reserved = (uint32_t)n_common;
  for (struct rt_object *it = rt_objects(); it; it = it->next) {
    if (rt_load(&it->state) != RT_ATTACHED)
      continue;
    rt_persist_share_object(it);
  }
  rt_threads_share(rt_thread_known());
}

/* One relative's counts of one object. */
struct left {
  struct rt_object view;
  struct rt_counters *counters; /* one for each region */
  size_t n, n_room;
  uint64_t kept;    /* the baseline's place among all */
  unsigned damaged; /* kinds of regions that cannot be read: a bit for each, or
                       IS_UNKNOWN */
};

enum { IS_UNKNOWN = 1 << ARCLINE_LIVE_NONE };

/* One line for all of a relative's counts, which many may print. */
static void report_damage(unsigned damaged) {
  static const struct {
    unsigned bit;
    const char *what;
  } kinds[] = {
      {1 << ARCLINE_LIVE_CELLS, "blocks"},
      {1 << ARCLINE_LIVE_ARCS, "calls"},
      {1 << ARCLINE_LIVE_CALLEES, "callees of indirect calls"},
      {1 << ARCLINE_LIVE_BINS, "samples"},
      {1 << ARCLINE_LIVE_BASELINE, "earlier dumps and loads"},
      {IS_UNKNOWN | 1 << ARCLINE_LIVE_OBJECT | 1 << ARCLINE_LIVE_EARLY |
           1 << ARCLINE_LIVE_LOADS,
       "unknown ones"},
  };
  char text[128];
  struct rt_str str = {.text = text, .room = sizeof(text)};

  text[0] = '\0';
  for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
    if (damaged & kinds[i].bit) {
      rt_str_add(&str, str.length ? ", " : "");
      rt_str_add(&str, kinds[i].what);
    }
  if (damaged)
    rt_message("a killed child has written over its counts; missing: ", text,
               NULL);
}

static void note_damage(struct left *left, uint32_t kind) {
  if (kind != ARCLINE_LIVE_NONE && kind != ARCLINE_LIVE_FREE)
    left->damaged |= kind <= ARCLINE_LIVE_LOADS ? 1u << kind : IS_UNKNOWN;
}

static void *after_head(struct arcline_live_head *head,
                        const struct arcline_live_region *region) {
  return (char *)head + region->offset;
}

/* Bytes of an object's region that are read, whatever its entry has. */
static uint64_t min_bytes(const struct rt_object *object,
                          const struct arcline_live_region *region) {
  switch (region->kind) {
  case ARCLINE_LIVE_CELLS:
    return object->n_cells * sizeof(uint64_t);
  case ARCLINE_LIVE_ARCS:
    return (RT_ARC_PROBES + 1) * sizeof(struct solve_arc);
  case ARCLINE_LIVE_BINS:
    return region->detail < object->n_texts
               ? rt_object_bins_bytes(object, region->detail)
               : UINT64_MAX;
  case ARCLINE_LIVE_CALLEES:
    return (uint64_t)(object->image.sites_end - object->image.sites) *
           sizeof(struct arcline_live_callees);
  case ARCLINE_LIVE_BASELINE:
    return sizeof(struct arcline_live_baseline);
  default:
    return region->kind <= ARCLINE_LIVE_LOADS ? 0 : UINT64_MAX;
  }
}

/* The relative may have been killed for writing over memory. */
static bool is_sound(const struct rt_object *object,
                     const struct arcline_live_region *region, size_t n_bytes) {
  return region->room && rt_region_is_inside(region, n_bytes) &&
         region->bytes <= region->room &&
         region->bytes >= min_bytes(object, region);
}

static void add_arcs(struct left *left, void *slots, size_t n_bytes) {
  // There is room before each region.
  struct rt_arcs *arcs = (void *)((uintptr_t)slots - RT_HEADER_SPAN);

  *arcs = (struct rt_arcs){.n_slots = n_bytes / sizeof(struct solve_arc) -
                                      RT_ARC_PROBES,
                           .touched = UINT64_MAX};
  left->counters[left->n++].arcs = arcs;
}

/* n_cells: of the object. Returns false if the record is damaged. */
static bool set_baseline(struct rt_baseline *baseline,
                         struct arcline_live_baseline *record, size_t n_bytes,
                         size_t n_cells) {
  uint64_t *const cells = (uint64_t *)(record + 1);
  const size_t n_words = (n_bytes - sizeof(*record)) / sizeof(*cells);

  if ((record->n_cells && record->n_cells != n_cells) ||
      record->n_cells > n_words ||
      record->n_arcs > (n_words - record->n_cells) * sizeof(*cells) /
                           sizeof(*baseline->arcs))
    return false;
  *baseline = (struct rt_baseline){.record = record,
                                   .cells = record->n_cells ? cells : NULL,
                                   .arcs = (void *)(cells + record->n_cells),
                                   .n_arcs = record->n_arcs};
  return true;
}

static void add_region(struct left *left, const struct rt_object *object,
                       void *memory, const struct arcline_live_region *region) {
  const uint64_t detail = rt_load(&region->detail);

  switch (rt_load(&region->kind)) {
  case ARCLINE_LIVE_CELLS:
    left->counters[left->n++].cells = memory;
    break;
  case ARCLINE_LIVE_ARCS:
    if (detail == object->loads.n)
      add_arcs(left, memory, region->bytes);
    break;
  case ARCLINE_LIVE_BINS:
    left->view.texts[detail].bins = memory;
    left->view.texts[detail].is_sampled = true;
    left->view.texts[detail].touched =
        (uint8_t *)memory +
        rt_text_n_bins(&object->texts[detail], object->bin_bytes) *
            sizeof(uint64_t);
    break;
  case ARCLINE_LIVE_CALLEES:
    if (detail == object->loads.n)
      left->view.live.callees = memory;
    break;
  case ARCLINE_LIVE_BASELINE:
    if (detail > left->kept) {
      left->kept = detail;
      if (!set_baseline(&left->view.baseline, memory, region->bytes,
                        object->n_cells))
        note_damage(left, ARCLINE_LIVE_BASELINE);
    }
    break;
  }
}

static void see_regions(struct left *left, const struct rt_object *object,
                        struct arcline_live_head *head, size_t n_bytes) {
  rt_copy(&left->view, object, sizeof(left->view));
  left->view.baseline = (struct rt_baseline){0};
  left->view.crossing = (struct rt_crossing){0};
  left->view.live = (struct rt_live_part){.is_left = true};
  for (size_t i = 0; i < object->n_texts; i++)
    left->view.texts[i].bins = NULL;
  left->n = 0;
  left->kept = 0;
  for (size_t i = 0; i < left->n_room; i++) {
    const struct arcline_live_region *region = &head->regions[i];
    if (region->object != object->number)
      continue;
    if (!is_sound(object, region, n_bytes)) {
      note_damage(left, rt_load(&region->kind));
      continue;
    }
    left->counters[left->n] = (struct rt_counters){
        .object = &left->view,
        .next = left->n ? &left->counters[left->n - 1] : NULL};
    add_region(left, object, after_head(head, region), region);
  }
}

/* Up to which number objects of a relative are ours. */
static size_t n_same(const struct arcline_live_head *head, bool is_child) {
  if (is_child)
    return head->main;
  return head->reserved < n_common ? head->reserved : n_common;
}

/* Objects are listed from the last number to the first, in all relatives:
 *last is that of the last one that was written. */
static void write_left(struct arcline_live_head *head,
                       const struct rt_family_left *family, void *context) {
  struct rt_output_mode mode = *(const struct rt_output_mode *)context;
  const uint64_t n = rt_load(&head->n_regions);
  const size_t n_room =
      n < ARCLINE_LIVE_MAX_REGIONS ? n : ARCLINE_LIVE_MAX_REGIONS;
  const size_t n_bytes =
      sizeof(struct left) + n_room * sizeof(struct rt_counters);
  uint32_t *const last = family->n_written;
  struct left *left = rt_alloc(n_bytes);

  if (!left) {
    rt_output_lost(-ENOMEM);
    return;
  }
  left->counters = (struct rt_counters *)(left + 1);
  left->n_room = n_room;
  mode.left_by = head->pid;
  mode.is_counted = family->is_counted;
  mode.is_resumed = *last != 0;
  for (struct rt_object *it = rt_objects(); it; it = it->next) {
    if (rt_load(&it->state) != RT_ATTACHED ||
        it->number > n_same(head, family->is_child) ||
        (*last && it->number >= *last))
      continue;
    see_regions(left, it, head, family->n_bytes);
    if (left->n && it->number != family->finished)
      rt_output_left(&left->view, &left->counters[left->n - 1], &mode);
    rt_store(last, it->number);
  }
  mode.left_by = 0;
  rt_output_end_left(&mode);
  // Entries are claimed in order.
  if (n < ARCLINE_LIVE_MAX_REGIONS &&
      rt_load(&head->regions[n].kind) != ARCLINE_LIVE_NONE)
    left->damaged |= IS_UNKNOWN;
  report_damage(left->damaged);
  rt_free(left, n_bytes);
}

void rt_relatives_write(const struct rt_output_mode *mode) {
  if (is_wanted())
    rt_family_each_left(write_left, (void *)(uintptr_t)mode);
}
