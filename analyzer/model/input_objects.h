/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Lists the images of inputs and their profiles. For inputs.c and its parts.
 */
#ifndef ARCLINE_INPUT_OBJECTS_H
#define ARCLINE_INPUT_OBJECTS_H

#include "model/inputs.h"

#include <stddef.h>
#include <stdint.h>

struct err;

/** Add an image, by its path, which is borrowed. Returns NULL with *err set if
 * there is no memory. */
struct input_object *input_objects_add(struct inputs *inputs,
                                       const char *image_path, struct err *err);

/** Add a profile of an image; its path is borrowed. Returns 0, or -1 with *err
 * set (no memory). */
int input_objects_add_profile(struct input_object *object, const char *path,
                              struct err *err);

/** Keep a name until inputs_release(). It is freed if there is no memory, and
 * then -1 is returned. */
int input_objects_own(struct inputs *inputs, char *name, struct err *err);

/** Read the build-id of a file; of one that is no image, it is empty. Returns
 * 0, or -1 with *err set (no memory). */
int input_objects_read_build_id(const char *path, uint8_t *build_id,
                                size_t *n_build_id, struct err *err);

/** The image of a build, by the first bytes of its build-id; NULL: none. */
struct input_object *input_objects_of_build(const struct inputs *inputs,
                                            const uint8_t *build_id,
                                            size_t n_bytes);

/** The image with that path; NULL: none. */
struct input_object *input_objects_named(const struct inputs *inputs,
                                         const char *path);

/** The image with that path, added if it is new. Copies of an image are one,
 * since records of side files are matched by the build-id. Returns NULL with
 * *err set if there is no memory. */
struct input_object *input_objects_at(struct inputs *inputs, const char *path,
                                      struct err *err);

#endif
