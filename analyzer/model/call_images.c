/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/call_images.h"

#include "base/err.h"
#include "image/image.h"
#include "model/inputs.h"

#include <string.h>

/** Has the file that build-id? Returns 1, 0, or -1 with *err set. */
static int has_id(const char *path, const struct side_entry *entry,
                  struct err *err) {
  struct image image;
  if (image_open(path, &image, err)) {
    if (err->code != ERR_INPUT)
      return -1;
    *err = (struct err){0};
    return 0;
  }
  const bool is_same =
      entry->n_build_id &&
      memcmp(image.build_id, entry->build_id, entry->n_build_id) == 0;
  image_close(&image);
  return is_same;
}

int call_images_find(void *context, const struct side_entry *entry,
                     const char **path, struct err *err) {
  struct inputs *const inputs = context;
  int rc = has_id(entry->path, entry, err);
  *path = rc > 0 ? entry->path : NULL;
  for (size_t i = 0; i < inputs->n_objects && rc == 0; i++) {
    rc = has_id(inputs->objects[i].image_path, entry, err);
    if (rc > 0)
      *path = inputs->objects[i].image_path;
  }
  if (rc)
    return rc < 0 ? -1 : 0;
  return image_index_find(&inputs->images, entry->build_id, entry->n_build_id,
                          path, err);
}
