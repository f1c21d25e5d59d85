/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is kept of an object lies in one mapping that is never changed once it
   is in use: a new one takes its place in one step, also in the live file. */
#include <errno.h>

#include "dump/kept.h"
#include "live/persist.h"
#include "os/os.h"
#include "os/scratch.h"
#include "solve/totals.h"

static size_t kept_bytes(const struct rt_object *object, size_t n_arcs) {
  return sizeof(struct arcline_live_kept) + object->n_cells * sizeof(uint64_t) +
         n_arcs * sizeof(struct rt_arc);
}

/* Maps room for the object's cells and n_arcs arcs. */
static struct arcline_live_kept *create(const struct rt_object *object,
                                        size_t n_arcs) {
  const size_t bytes = kept_bytes(object, n_arcs);
  struct arcline_live_kept *kept = rt_map(bytes);

  if (!kept)
    return NULL;
  rt_persist_back(ARCLINE_LIVE_KEPT, object, kept, bytes, 0);
  kept->n_cells = object->n_cells;
  return kept;
}

static void unmap(const struct rt_object *object,
                  struct arcline_live_kept *kept, size_t n_arcs) {
  rt_persist_forget(kept);
  rt_unmap(kept, kept_bytes(object, n_arcs));
}

static uint64_t *cells_of(struct arcline_live_kept *kept) {
  return (uint64_t *)(kept + 1);
}

static struct rt_arc *arcs_of(struct arcline_live_kept *kept) {
  return (struct rt_arc *)(cells_of(kept) + kept->n_cells);
}

void rt_kept_release(struct rt_object *object) {
  unmap(object, object->kept, object->n_kept_room);
  object->kept = NULL;
  object->kept_cells = NULL;
  object->kept_arcs = NULL;
  object->n_kept_arcs = 0;
}

/* n_room: arcs that kept was created for. */
static void install(struct rt_object *object, struct arcline_live_kept *kept,
                    size_t n_room) {
  rt_persist_keep(object, kept);
  rt_kept_release(object);
  object->kept = kept;
  object->kept_cells = kept->n_cells ? cells_of(kept) : NULL;
  object->kept_arcs = arcs_of(kept);
  object->n_kept_arcs = kept->n_arcs;
  object->n_kept_room = n_room;
}

/* The load from which on tables count. */
static uint64_t first_load(const struct rt_object *object) {
  return object->kept ? object->kept->first_load : 0;
}

int rt_kept_prepare(struct rt_object *object, const struct rt_profile *profile,
                    struct rt_kept_next *out) {
  const size_t room = object->n_kept_arcs + profile->n_arcs;
  struct arcline_live_kept *kept = create(object, room);
  struct rt_arc *scratch = rt_take((room + 1) * sizeof *scratch);
  size_t n = 0;

  if (!kept || !scratch) {
    unmap(object, kept, room);
    rt_give(scratch, (room + 1) * sizeof *scratch);
    return -ENOMEM;
  }
  uint64_t *cells = cells_of(kept);
  for (size_t i = 0; i < profile->n_cells; i++)
    cells[i] =
        (object->kept_cells ? object->kept_cells[i] : 0) - profile->cells[i];
  struct rt_arc *arcs = arcs_of(kept);
  for (size_t i = 0; i < object->n_kept_arcs; i++)
    arcs[n++] = object->kept_arcs[i];
  for (size_t i = 0; i < profile->n_arcs; i++) {
    arcs[n] = profile->arcs[i];
    arcs[n++].count = 0 - profile->arcs[i].count;
  }
  kept->n_arcs = rt_arcs_merge(arcs, n, scratch);
  kept->first_load = first_load(object);
  rt_give(scratch, (room + 1) * sizeof *scratch);
  *out = (struct rt_kept_next){.kept = kept, .n_room = room};
  return 0;
}

void rt_kept_commit(struct rt_object *object, struct rt_kept_next *next) {
  if (next->kept)
    install(object, next->kept, next->n_room);
  next->kept = NULL;
}

void rt_kept_cancel(struct rt_object *object, struct rt_kept_next *next) {
  unmap(object, next->kept, next->n_room);
  next->kept = NULL;
}

int rt_kept_reset(struct rt_object *object) {
  struct rt_profile profile;
  struct rt_kept_next next = {0};
  int rc = rt_profile_collect(object, &profile);

  if (!rc)
    rc = rt_kept_prepare(object, &profile, &next);
  rt_kept_commit(object, &next);
  rt_profile_release(&profile);
  return rc;
}

/* Calls of second callees are arcs now, and the next load may bring others. */
static void forget_second_callees(const struct rt_image *image,
                                  uint64_t *totals, uint64_t *cells) {
  for (const struct arcline_site *site = image->sites; site < image->sites_end;
       site++) {
    const uint64_t *total = rt_site_cell(image, totals, site);
    if (total)
      cells[total - totals] -= *total;
  }
}

void rt_kept_unload(struct rt_object *object) {
  const struct rt_image *image = &object->image;
  struct rt_profile profile;
  struct arcline_live_kept *kept = NULL;

  if (rt_profile_collect(object, &profile) == 0) {
    rt_profile_fix_sites(object, &profile);
    kept = create(object, profile.n_arcs);
  }
  if (kept) {
    uint64_t *cells = cells_of(kept);
    for (size_t i = 0; i < object->n_cells; i++)
      cells[i] =
          image->cells[i] + (object->kept_cells ? object->kept_cells[i] : 0);
    forget_second_callees(image, profile.cells, cells);
    rt_copy(arcs_of(kept), profile.arcs, profile.n_arcs * sizeof *profile.arcs);
    kept->n_arcs = profile.n_arcs;
    kept->first_load = object->n_loads + 1;
    install(object, kept, profile.n_arcs);
  }
  rt_profile_release(&profile);
}

void rt_kept_zero(struct rt_object *object) {
  if (object->kept_cells)
    rt_zero_words(object->kept_cells, object->n_cells);
  object->n_kept_arcs = 0;
}
