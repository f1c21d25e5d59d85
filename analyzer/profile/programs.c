/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/programs.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "model/model.h"
#include "profile/side_maps.h"

#include <stdlib.h>
#include <string.h>

/** Add a side file's processes and its time outside to the file's own object,
 * the first one. */
static void add_side(const struct side_maps *maps, size_t i_side,
                     struct program_row *rows) {
  const struct model *const model = maps->program;
  const struct side_file *const side = &model->inputs.sides[i_side];
  const size_t i_object =
      side->n_entries ? side_maps_object(maps, i_side, 0) : SIZE_MAX;
  const double scale = side_maps_ticks_per_sample(maps, &model->unit, i_side);
  if (i_object == SIZE_MAX)
    return;
  struct program_row *const row = &rows[i_object];
  row->n_processes += side->n_processes;
  row->user_us += side->user_us;
  row->system_us += side->system_us;
  for (size_t i = 0; scale > 0 && i < side->n_entries; i++)
    if (!side_maps_is_in_profile(maps, i_side, i))
      row->ticks += scale * (double)side->entries[i].n_samples;
}

static int compare_rows(const void *left, const void *right,
                        const void *context) {
  const struct program_row *const a = left, *const b = right;
  const struct model *const model = context;
  if (a->is_library != b->is_library)
    return a->is_library - b->is_library;
  if (a->ticks != b->ticks)
    return a->ticks < b->ticks ? 1 : -1;
  return strcmp(model->objects[a->i_object].image.path,
                model->objects[b->i_object].image.path);
}

int programs_load(const struct model *model, struct programs *out,
                  struct err *err) {
  struct side_maps maps;
  *out = (struct programs){
      .rows = calloc(model->n_objects + 1, sizeof(*out->rows))};
  if (!out->rows)
    return err_no_memory(err);
  if (side_maps_init(model, &maps, err)) {
    programs_release(out);
    return -1;
  }
  for (size_t i = 0; i < model->n_objects; i++) {
    const struct model_object *const object = &model->objects[i];
    struct program_row *const row = &out->rows[i];
    *row = (struct program_row){.i_object = i,
                                .is_library = !object->image.is_program,
                                .ticks = measure_n_samples(&object->measure)};
    out->n_libraries += row->is_library;
    out->n_programs += !row->is_library;
  }
  for (size_t i = 0; i < model->inputs.n_sides; i++)
    add_side(&maps, i, out->rows);
  side_maps_release(&maps);
  if (merge_sort(out->rows, model->n_objects, sizeof(*out->rows), compare_rows,
                 model)) {
    programs_release(out);
    return err_no_memory(err);
  }
  return 0;
}

const char *programs_first_path(const struct programs *programs,
                                const struct model *model) {
  return model->objects[programs->rows[0].i_object].image.path;
}

void programs_release(struct programs *programs) {
  free(programs->rows);
  *programs = (struct programs){0};
}
