/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Matches objects of side files with those of the program, and finds the side
 * files whose samples add to those of its profiles.
 */
#ifndef ARCLINE_SIDE_MAPS_H
#define ARCLINE_SIDE_MAPS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct measure_unit;
struct model;

/** Objects of a side file here; indices by number of object. */
struct side_map {
  size_t *i_objects; /* in the program; SIZE_MAX: not in it */
  size_t *order;     /* the program's objects, as the file lists them */
  size_t n_listed;   /* of them; those that it does not list follow */
};

/** All zero is empty. */
struct side_maps {
  const struct model *program;
  struct side_map *maps; /* one per side file */
};

/**
 * Match the objects.
 *
 * program  borrowed until side_maps_release(). If it is forced, an object may
 *          have another build-id than its image.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Errors: an image is not the one that was run; no memory.
 */
int side_maps_init(const struct model *program, struct side_maps *out,
                   struct err *err);

/** The program's object that an entry is; SIZE_MAX: none. */
size_t side_maps_object(const struct side_maps *maps, size_t i_side,
                        size_t i_entry);

/** How many ticks of the unit a sample of a side file is; 0: its samples are
 * not to be added. */
double side_maps_ticks_per_sample(const struct side_maps *maps,
                                  const struct measure_unit *unit,
                                  size_t i_side);

/** Are samples of a side file only left out because it counts another unit? */
bool side_maps_is_of_other_unit(const struct side_maps *maps,
                                const struct measure_unit *unit, size_t i_side);

/** Are the samples of an entry in a profile? So they are if the object has a
 * runtime of its own, which took samples as well. */
bool side_maps_is_in_profile(const struct side_maps *maps, size_t i_side,
                             size_t i_entry);

/** Free; empty ones may be released too. */
void side_maps_release(struct side_maps *maps);

#endif
