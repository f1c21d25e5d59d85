/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/side_maps.h"

#include "base/err.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

static const struct side_file *side_at(const struct side_maps *maps,
                                       size_t i_side) {
  return &maps->program->inputs.sides[i_side];
}

// --- Which object is which ---

/** The image at an object's own path is another one than was run. */
static int check_path(const struct model *program, const char *side_path,
                      const struct side_entry *entry, struct err *err) {
  for (size_t i = 0; i < program->n_objects; i++)
    if (strcmp(program->objects[i].image.path, entry->path) == 0)
      return err_set(err, ERR_INPUT,
                     "%s: build ID of %s differs from that of the image that "
                     "ran; name the image that ran, or use --force",
                     side_path, entry->path);
  return 0;
}

static bool is_listed(const struct side_map *map, size_t i_object) {
  for (size_t i = 0; i < map->n_listed; i++)
    if (map->order[i] == i_object)
      return true;
  return false;
}

static int map_side(const struct model *program, size_t i_side,
                    struct side_map *map, struct err *err) {
  const struct side_file *const side = &program->inputs.sides[i_side];
  map->i_objects = calloc(side->n_entries + 1, sizeof(*map->i_objects));
  map->order = calloc(program->n_objects + 1, sizeof(*map->order));
  if (!map->i_objects || !map->order)
    return err_no_memory(err);
  for (size_t i = 0; i < side->n_entries; i++) {
    const struct side_entry *const entry = &side->entries[i];
    const size_t i_object = model_find_object(program, side, entry);
    map->i_objects[i] = i_object;
    if (i_object == NONE) {
      if (entry->file && !entry->is_left_out &&
          check_path(program, side->path, entry, err))
        return -1;
    } else if (!is_listed(map, i_object)) {
      map->order[map->n_listed++] = i_object;
    }
  }
  size_t n_order = map->n_listed;
  for (size_t i = 0; i < program->n_objects; i++)
    if (!is_listed(map, i))
      map->order[n_order++] = i;
  return 0;
}

int side_maps_init(const struct model *program, struct side_maps *out,
                   struct err *err) {
  const size_t n_sides = program->inputs.n_sides;
  *out = (struct side_maps){.program = program,
                            .maps = calloc(n_sides + 1, sizeof(*out->maps))};
  int rc = out->maps ? 0 : err_no_memory(err);
  for (size_t i = 0; rc == 0 && i < n_sides; i++)
    rc = map_side(program, i, &out->maps[i], err);
  if (rc)
    side_maps_release(out);
  return rc;
}

size_t side_maps_object(const struct side_maps *maps, size_t i_side,
                        size_t i_entry) {
  return maps->maps[i_side].i_objects[i_entry];
}

void side_maps_release(struct side_maps *maps) {
  for (size_t i = 0; maps->maps && i < maps->program->inputs.n_sides; i++) {
    free(maps->maps[i].i_objects);
    free(maps->maps[i].order);
  }
  free(maps->maps);
  *maps = (struct side_maps){0};
}

// --- Whose samples are added ---

/** Are two side files of one process, each by a runtime of its own? These list
 * objects of their own. A sum has no process; and the first process of each
 * container has the same number. */
static bool is_of_one_process(const struct side_maps *maps, size_t i_side,
                              size_t i_other) {
  const struct side_file *const a = side_at(maps, i_side);
  const struct side_file *const b = side_at(maps, i_other);
  const struct side_map *const map = &maps->maps[i_side];
  if (!a->pid || a->pid != b->pid || strcmp(a->program, b->program) != 0)
    return false;
  for (size_t i = 0; i < map->n_listed; i++)
    if (is_listed(&maps->maps[i_other], map->order[i]))
      return false;
  return true;
}

/** Is the program that a side file is of left out? */
static bool is_left_out(const struct side_file *side) {
  return side->n_entries > 0 && side->entries[0].is_left_out;
}

/** Are there samples of a side file that the profiles have not? */
static bool has_time(const struct side_maps *maps,
                     const struct measure_unit *unit, size_t i_side) {
  const struct side_file *const side = side_at(maps, i_side);
  if (side->rate_hz == 0 || !unit->is_known || is_left_out(side))
    return false;
  for (size_t i = 0; i < i_side; i++)
    if (is_of_one_process(maps, i_side, i))
      return false;
  return true;
}

static bool is_fitting(const struct side_file *side,
                       const struct measure_unit *unit) {
  return strcmp(side->dimension, unit->dimension) == 0;
}

double side_maps_ticks_per_sample(const struct side_maps *maps,
                                  const struct measure_unit *unit,
                                  size_t i_side) {
  const struct side_file *const side = side_at(maps, i_side);
  return has_time(maps, unit, i_side) && is_fitting(side, unit)
             ? (double)unit->rate_hz / (double)side->rate_hz
             : 0;
}

bool side_maps_is_of_other_unit(const struct side_maps *maps,
                                const struct measure_unit *unit,
                                size_t i_side) {
  return has_time(maps, unit, i_side) &&
         !is_fitting(side_at(maps, i_side), unit);
}

bool side_maps_is_in_profile(const struct side_maps *maps, size_t i_side,
                             size_t i_entry) {
  const size_t i_object = side_maps_object(maps, i_side, i_entry);
  return !side_at(maps, i_side)->entries[i_entry].file && i_object != NONE &&
         measure_has_samples(&maps->program->objects[i_object].measure);
}
