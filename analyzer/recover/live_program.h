/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the profile files of a process that is gone, from the live file that
 * it counted in: those that it would have written at its end.
 */
#ifndef ARCLINE_LIVE_PROGRAM_H
#define ARCLINE_LIVE_PROGRAM_H

#include "gmon/live_file.h"
#include "image/const_data.h"
#include "image/image.h"

#include <stdio.h>

struct err;
struct solve_arc;

/** An object and its image. */
struct live_part {
  const struct live_object *object;
  struct image image;
  struct const_data data;
  struct solve_arc *crossing; /* arcs with one end in another object, */
  size_t n_crossing;          /* once its profile was written */
};

/** All zero is empty. */
struct live_program {
  const struct live_file *file;
  struct live_part *parts; /* of objects for which there is an image */
  size_t n_parts, max_parts;
};

/**
 * Add an object.
 *
 * image  of the object; the program closes it, after an error, too.
 *
 * Returns 0; or -1 with *err set.
 * Errors: an image that cannot be the one that ran; memory.
 */
int live_program_add(struct live_program *program,
                     const struct live_object *object,
                     const struct image *image, struct err *err);

/**
 * Write the profile of part number i as a gmon file, the same bytes as at a
 * normal end.
 *
 * stream  keeps its error.
 *
 * Returns 0; or -1 with *err set.
 * Errors: constant data that is damaged; counts that cannot be true; memory.
 */
int live_program_write(struct live_program *program, size_t i, FILE *stream,
                       struct err *err);

/** Write the side file, once all profiles were written. Returns as
 * live_program_write(). */
int live_program_write_side(const struct live_program *program, FILE *stream,
                            struct err *err);

/** Close the images; an empty one may be released too. */
void live_program_release(struct live_program *program);

#endif
