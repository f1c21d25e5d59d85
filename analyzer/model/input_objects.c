/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/input_objects.h"

#include "base/array.h"
#include "base/err.h"
#include "image/image.h"

#include <stdlib.h>
#include <string.h>

struct input_object *input_objects_add(struct inputs *inputs,
                                       const char *image_path,
                                       struct err *err) {
  struct input_object *const objects =
      array_grow(inputs->objects, inputs->n_objects, &inputs->max_objects,
                 sizeof(*objects));
  if (!objects) {
    err_no_memory(err);
    return NULL;
  }
  inputs->objects = objects;
  objects[inputs->n_objects] = (struct input_object){.image_path = image_path};
  return &objects[inputs->n_objects++];
}

int input_objects_add_profile(struct input_object *object, const char *path,
                              struct err *err) {
  const char **const paths =
      array_grow(object->profile_paths, object->n_profile_paths,
                 &object->max_profile_paths, sizeof(*paths));
  if (!paths)
    return err_no_memory(err);
  object->profile_paths = paths;
  paths[object->n_profile_paths++] = path;
  return 0;
}

int input_objects_own(struct inputs *inputs, char *name, struct err *err) {
  char **const owned = array_grow(inputs->owned, inputs->n_owned,
                                  &inputs->max_owned, sizeof(*owned));
  if (!owned) {
    free(name);
    return err_no_memory(err);
  }
  inputs->owned = owned;
  owned[inputs->n_owned++] = name;
  return 0;
}

int input_objects_read_build_id(const char *path, uint8_t *build_id,
                                size_t *n_build_id, struct err *err) {
  struct image image;
  *n_build_id = 0;
  if (image_open(path, &image, err)) {
    if (err->code != ERR_INPUT)
      return -1;
    *err = (struct err){0};
    return 0;
  }
  memcpy(build_id, image.build_id, SIDE_BUILD_ID_BYTES);
  *n_build_id = image.n_build_id;
  image_close(&image);
  return 0;
}

struct input_object *input_objects_of_build(const struct inputs *inputs,
                                            const uint8_t *build_id,
                                            size_t n_bytes) {
  for (size_t i = 0; i < inputs->n_objects; i++)
    if (inputs->objects[i].n_build_id &&
        memcmp(inputs->objects[i].build_id, build_id, n_bytes) == 0)
      return &inputs->objects[i];
  return NULL;
}

struct input_object *input_objects_named(const struct inputs *inputs,
                                         const char *path) {
  for (size_t i = 0; i < inputs->n_objects; i++)
    if (strcmp(inputs->objects[i].image_path, path) == 0)
      return &inputs->objects[i];
  return NULL;
}

struct input_object *input_objects_at(struct inputs *inputs, const char *path,
                                      struct err *err) {
  struct input_object made = {.image_path = path};
  struct input_object *object = input_objects_named(inputs, path);
  if (object)
    return object;
  if (input_objects_read_build_id(path, made.build_id, &made.n_build_id, err))
    return NULL;
  if (made.n_build_id)
    object =
        input_objects_of_build(inputs, made.build_id, sizeof(made.build_id));
  if (!object && (object = input_objects_add(inputs, path, err)))
    *object = made;
  return object;
}
