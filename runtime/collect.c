/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Adding up: cells, arcs and samples of one object over all threads, while
   the threads go on counting. */
#include <errno.h>

#include "image.h"
#include "profile.h"
#include "threads.h"

/* Calls visit on each table of arcs of the object. */
static void each_table(const struct rt_object *object,
                       void (*visit)(const struct rt_arc *slots, size_t n,
                                     void *context),
                       void *context) {
  for (const struct rt_thread *thread = rt_threads(); thread;
       thread = thread->next)
    for (const struct rt_block *block = rt_load(&thread->blocks); block;
         block = block->next) {
      if (block->object != object)
        continue;
      for (const struct rt_arcs *arcs = rt_load(&block->arcs); arcs;
           arcs = rt_load(&arcs->next))
        visit(rt_arcs_slots(arcs), arcs->n_slots + RT_ARC_PROBES, context);
    }
  if (object->image.early)
    visit(object->image.early, RT_EARLY_ARCS, context);
}

static void count_used(const struct rt_arc *slots, size_t n, void *context) {
  size_t *n_used = context;

  for (size_t i = 0; i < n; i++)
    *n_used += __atomic_load_n(&slots[i].from, __ATOMIC_RELAXED) != 0;
}

struct arc_list {
  const struct rt_object *object;
  struct rt_arc *arcs;
  size_t n, room;
  bool is_cut; /* there were more than the room takes */
};

static const struct rt_object *find_object(uint64_t pc, uint32_t state) {
  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_load(&it->state) == state &&
        rt_image_has_text(it, pc - it->load_bias))
      return it;
  return NULL;
}

uint64_t rt_outside(uint64_t pc) {
  const struct rt_object *object = find_object(pc, RT_ATTACHED);

  if (!object)
    object = find_object(pc, RT_DETACHED);
  return object ? RT_OUTSIDE |
                      (uint64_t)object->number << RT_OUTSIDE_OBJECT_SHIFT |
                      (pc - object->load_bias)
                : 0;
}

/* Makes link-time addresses of run-time ones. Returns false for an arc that is
   not the object's. */
static bool translate(const struct rt_object *object, struct rt_arc *arc) {
  const uint64_t bias = object->load_bias;
  const uint64_t self = arc->self - bias;
  const bool is_inside = rt_image_has_text(object, self);

  const uint64_t callee = arc->self;

  arc->self = is_inside ? self : 0;
  // Not return addresses, but records of call sites.
  if (arc->from >= (uintptr_t)object->image.sites &&
      arc->from < (uintptr_t)object->image.sites_end) {
    arc->from -= bias;
    if (!is_inside)
      arc->self = rt_outside(callee);
    return true;
  }
  if (!is_inside)
    return false;
  const uint64_t call = arc->from - 1;
  arc->from =
      rt_image_has_text(object, call - bias) ? call - bias : rt_outside(call);
  return true;
}

static void add_used(const struct rt_arc *slots, size_t n, void *context) {
  struct arc_list *list = context;

  for (size_t i = 0; i < n; i++) {
    struct rt_arc arc = {.self = rt_load(&slots[i].self)};
    if (!arc.self)
      continue;
    arc.from = slots[i].from; // was there before self
    if (!translate(list->object, &arc))
      continue;
    if (list->n == list->room) {
      list->is_cut = true;
      return;
    }
    arc.count = __atomic_load_n(&slots[i].count, __ATOMIC_RELAXED);
    list->arcs[list->n++] = arc;
  }
}

/* Copies all arcs to out->arcs, with room for slack more than there were when
   it began. Returns 0, also if that was too little (*is_cut), or -ENOMEM. */
static int copy_arcs(const struct rt_object *object, size_t slack,
                     struct rt_profile *out, bool *is_cut) {
  struct arc_list list = {.object = object};

  list.room = object->n_kept_arcs + slack;
  each_table(object, count_used, &list.room);
  out->n_arcs_room = list.room;
  out->arcs = rt_map(list.room * sizeof *out->arcs);
  if (!out->arcs)
    return -ENOMEM;
  list.arcs = out->arcs;
  for (size_t i = 0; i < object->n_kept_arcs; i++)
    list.arcs[list.n++] = object->kept_arcs[i];
  each_table(object, add_used, &list);
  out->n_arcs = list.n;
  *is_cut = list.is_cut;
  return 0;
}

static int collect_arcs(const struct rt_object *object,
                        struct rt_profile *out) {
  bool is_cut = true;

  // Threads go on calling. No arc may be left out for those that come up
  // meanwhile: what arcline_reset() subtracts from it would be left over.
  for (size_t slack = 64; is_cut; slack *= 4) {
    rt_unmap(out->arcs, out->n_arcs_room * sizeof *out->arcs);
    out->arcs = NULL;
    if (copy_arcs(object, slack, out, &is_cut))
      return -ENOMEM;
  }
  struct rt_arc *scratch = rt_map(out->n_arcs_room * sizeof *scratch);
  if (!scratch)
    return -ENOMEM;
  out->n_arcs = rt_arcs_merge(out->arcs, out->n_arcs, scratch);
  rt_unmap(scratch, out->n_arcs_room * sizeof *scratch);
  for (size_t i = 0; i < out->n_arcs; i++)
    out->sum += out->arcs[i].count;
  return 0;
}

static void add_cells(uint64_t *totals, const uint64_t *cells, size_t n) {
  if (!cells)
    return;
  for (size_t i = 0; i < n; i++)
    totals[i] += __atomic_load_n(&cells[i], __ATOMIC_RELAXED);
}

static int collect_cells(const struct rt_object *object,
                         struct rt_profile *out) {
  const size_t n = object->n_cells;

  if (!n)
    return 0;
  out->cells = rt_map(n * sizeof *out->cells);
  if (!out->cells)
    return -ENOMEM;
  out->n_cells = n;
  out->cells_vaddr =
      (uint64_t)(uintptr_t)object->image.cells - object->load_bias;
  add_cells(out->cells, object->image.cells, n);
  add_cells(out->cells, object->kept_cells, n);
  for (const struct rt_thread *thread = rt_threads(); thread;
       thread = thread->next)
    for (const struct rt_block *block = rt_load(&thread->blocks); block;
         block = block->next)
      if (block->object == object)
        add_cells(out->cells, rt_load(&block->copy), n);
  for (size_t i = 0; i < n; i++)
    out->sum += out->cells[i];
  return 0;
}

static uint64_t n_samples(const struct rt_text *text, unsigned bin_bytes) {
  const size_t n_bins = rt_text_n_bins(text, bin_bytes);
  uint64_t sum = 0;

  for (size_t i = 0; text->bins && i < n_bins; i++) {
    if (rt_load(&text->touched[i / RT_CHUNK_BINS]))
      sum += __atomic_load_n(&text->bins[i], __ATOMIC_RELAXED);
    else
      i += RT_CHUNK_BINS - 1;
  }
  return sum;
}

int rt_profile_collect(const struct rt_object *object, struct rt_profile *out) {
  *out = (struct rt_profile){
      .build_id = object->build_id,
      .texts = object->texts,
      .n_texts = object->n_texts,
      .bin_bytes = object->bin_bytes,
      .clock = *rt_sampler_clock(),
  };
  for (size_t i = 0; i < object->n_texts; i++)
    out->sum += n_samples(&object->texts[i], object->bin_bytes);
  const int rc = collect_arcs(object, out);
  return rc ? rc : collect_cells(object, out);
}

void rt_profile_release(struct rt_profile *profile) {
  rt_unmap(profile->arcs, profile->n_arcs_room * sizeof *profile->arcs);
  rt_unmap(profile->blocks, profile->n_blocks_room * sizeof *profile->blocks);
  rt_unmap(profile->cells, profile->n_cells * sizeof *profile->cells);
}
