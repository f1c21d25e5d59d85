/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The baseline of an object is one mapping, which is never changed once it is
   in use: a new one replaces it in one step, also in the live file. */
#include <errno.h>

#include "dump/baseline.h"
#include "dump/profile.h"
#include "live/persist.h"
#include "os/os.h"
#include "os/scratch.h"

static size_t record_bytes(const struct rt_object *object, size_t n_arcs) {
  return sizeof(struct arcline_live_baseline) +
         object->n_cells * sizeof(uint64_t) + n_arcs * sizeof(struct solve_arc);
}

/* Maps room for the object's cells and n_arcs arcs. */
static struct arcline_live_baseline *create(const struct rt_object *object,
                                            size_t n_arcs) {
  const size_t bytes = record_bytes(object, n_arcs);
  struct arcline_live_baseline *record = rt_map(bytes);

  if (!record)
    return NULL;
  rt_persist_back(ARCLINE_LIVE_BASELINE, object, record, bytes, 0);
  record->n_cells = object->n_cells;
  return record;
}

static void unmap(const struct rt_object *object,
                  struct arcline_live_baseline *record, size_t n_arcs) {
  rt_persist_forget(record);
  rt_unmap(record, record_bytes(object, n_arcs));
}

static uint64_t *cells_of(struct arcline_live_baseline *record) {
  return (uint64_t *)(record + 1);
}

static struct solve_arc *arcs_of(struct arcline_live_baseline *record) {
  return (struct solve_arc *)(cells_of(record) + record->n_cells);
}

void rt_baseline_release(struct rt_object *object) {
  struct arcline_live_baseline *const record = object->baseline.record;

  object->baseline.cells = NULL;
  object->baseline.arcs = NULL;
  object->baseline.n_arcs = 0;
  rt_store(&object->baseline.record, NULL); // first: see rt_scratch_close()
  unmap(object, record, object->baseline.n_room);
}

/* n_room: arcs that record was created for. */
static void install(struct rt_object *object,
                    struct arcline_live_baseline *record, size_t n_room) {
  rt_persist_keep(object, record);
  rt_baseline_release(object);
  object->baseline.record = record;
  object->baseline.cells = record->n_cells ? cells_of(record) : NULL;
  object->baseline.arcs = arcs_of(record);
  object->baseline.n_arcs = record->n_arcs;
  object->baseline.n_room = n_room;
}

/* The load from which on tables count. */
static uint64_t first_load(const struct rt_object *object) {
  return object->baseline.record ? object->baseline.record->first_load : 0;
}

int rt_baseline_prepare(struct rt_object *object,
                        const struct rt_profile *profile,
                        struct rt_baseline_next *out) {
  const size_t room = object->baseline.n_arcs + profile->n_arcs;
  struct arcline_live_baseline *record = create(object, room);
  struct solve_arc *scratch = rt_alloc((room + 1) * sizeof(*scratch));
  size_t n = 0;

  if (!record || !scratch) {
    unmap(object, record, room);
    rt_free(scratch, (room + 1) * sizeof(*scratch));
    return -ENOMEM;
  }
  uint64_t *cells = cells_of(record);
  for (size_t i = 0; i < profile->n_cells; i++) {
    const uint64_t cell =
        (object->baseline.cells ? object->baseline.cells[i] : 0) -
        profile->cells[i];
    if (cell) // pages of zeros alone stay unpopulated
      cells[i] = cell;
  }
  struct solve_arc *arcs = arcs_of(record);
  for (size_t i = 0; i < object->baseline.n_arcs; i++)
    arcs[n++] = object->baseline.arcs[i];
  for (size_t i = 0; i < profile->n_arcs; i++) {
    arcs[n] = profile->arcs[i];
    arcs[n++].count = 0 - profile->arcs[i].count;
  }
  record->n_arcs = solve_arcs_merge(arcs, n, scratch);
  record->first_load = first_load(object);
  rt_free(scratch, (room + 1) * sizeof(*scratch));
  *out = (struct rt_baseline_next){.record = record, .n_room = room};
  return 0;
}

void rt_baseline_commit(struct rt_object *object,
                        struct rt_baseline_next *next) {
  if (next->record)
    install(object, next->record, next->n_room);
  next->record = NULL;
}

void rt_baseline_cancel(struct rt_object *object,
                        struct rt_baseline_next *next) {
  unmap(object, next->record, next->n_room);
  next->record = NULL;
}

int rt_baseline_reset(struct rt_object *object) {
  struct rt_profile profile;
  struct rt_baseline_next next = {0};
  int rc = rt_profile_collect(object, &profile);

  if (!rc)
    rc = rt_baseline_prepare(object, &profile, &next);
  rt_baseline_commit(object, &next);
  rt_profile_release(&profile);
  return rc;
}

/* Calls of second callees are arcs now, and the next load may bring others. */
static void forget_second_callees(const struct rt_object *object,
                                  const uint64_t *totals, uint64_t *cells) {
  struct solve_image image;

  rt_image_for_solver(object, &image);
  for (size_t i = 0; totals && i < solve_n_site_records(&image); i++) {
    const uint32_t cell =
        solve_site_cell(&image, &solve_site_records(&image)[i]);
    if (cell != SOLVE_NONE)
      cells[cell] -= totals[cell];
  }
}

void rt_baseline_unload(struct rt_object *object) {
  const struct rt_image *image = &object->image;
  struct rt_profile profile;
  struct arcline_live_baseline *record = NULL;

  if (rt_profile_collect(object, &profile) == 0) {
    rt_profile_fix_sites(object, &profile);
    record = create(object, profile.n_arcs);
  }
  if (record) {
    uint64_t *cells = cells_of(record);
    for (size_t i = 0; i < object->n_cells; i++)
      cells[i] = image->cells[i] +
                 (object->baseline.cells ? object->baseline.cells[i] : 0);
    forget_second_callees(object, profile.cells, cells);
    rt_copy(arcs_of(record), profile.arcs,
            profile.n_arcs * sizeof(*profile.arcs));
    record->n_arcs = profile.n_arcs;
    record->first_load = object->loads.n + 1;
    install(object, record, profile.n_arcs);
  }
  rt_profile_release(&profile);
}

void rt_baseline_zero(struct rt_object *object) {
  if (object->baseline.cells)
    rt_zero_words(object->baseline.cells, object->n_cells);
  if (object->baseline.n_arcs)
    object->baseline.n_arcs = 0;
}
