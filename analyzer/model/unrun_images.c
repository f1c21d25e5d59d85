/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/unrun_images.h"

#include "arcline/abi.h"
#include "base/err.h"
#include "base/file_walk.h"
#include "base/progress.h"
#include "image/image.h"
#include "image/image_index.h"
#include "model/file_kind.h"
#include "model/folder.h"
#include "model/input_objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/** Read those of operands, which inputs_find() does not need. */
static int read_build_ids(struct inputs *inputs, struct err *err) {
  for (size_t i = 0; i < inputs->n_objects; i++) {
    struct input_object *const object = &inputs->objects[i];
    if (object->n_build_id == 0 &&
        input_objects_read_build_id(object->image_path, object->build_id,
                                    &object->n_build_id, err) != 0)
      return -1;
  }
  return 0;
}

/** Returns 1 if it is instrumented, 0, or -1 with *err set. */
static int is_instrumented(const char *path, struct err *err) {
  struct image image;
  struct image_section functions;
  if (image_open(path, &image, err) != 0)
    return -1;
  const bool is_found =
      image_find_section(&image, ARCLINE_SECTION_FUNCS, &functions) &&
      functions.n_bytes > 0;
  image_close(&image);
  return is_found;
}

static int add_image(struct inputs *inputs, const char *path, struct err *err) {
  const int rc = is_instrumented(path, err);
  if (rc == 0 || (rc > 0 && !image_index_is_linked(path)))
    return err_set(err, ERR_INPUT,
                   "%s: not an executable or a library with counters; name "
                   "one that arcline-cc has linked",
                   path);
  return rc > 0 && input_objects_at(inputs, path, err) ? 0 : -1;
}

/** Add a file of a folder if it is an instrumented image. Returns 1 if it is.
 */
static int add_found(struct inputs *inputs, const char *path, struct err *err) {
  if (!image_index_is_linked(path) || folder_is_probe(path))
    return 0;
  const int rc = is_instrumented(path, err);
  if (rc < 0 && err->code == ERR_INPUT) {
    *err = (struct err){0};
    return 0;
  }
  if (rc <= 0)
    return rc;
  char *const name = strdup(path);
  if (!name)
    return err_no_memory(err);
  return input_objects_own(inputs, name, err) != 0 ||
                 !input_objects_at(inputs, name, err)
             ? -1
             : 1;
}

static int add_folder(struct inputs *inputs, const char *folder,
                      struct err *err) {
  struct file_walk walk;
  struct file_walk_found found;
  size_t n_added = 0;
  int rc;
  progress_step("searching for images in", folder);
  if (file_walk_begin(folder, &walk, err) != 0)
    return -1;
  while ((rc = file_walk_next(&walk, &found, err)) > 0) {
    if (found.error && strcmp(found.path, folder) == 0)
      rc = err_set(err, ERR_INPUT, "%s: cannot read folder: %s", folder,
                   strerror(found.error));
    else if (!found.error)
      rc = add_found(inputs, found.path, err);
    if (rc < 0)
      break;
    n_added += (size_t)rc;
  }
  file_walk_end(&walk);
  if (rc == 0 && n_added == 0)
    return err_set(err, ERR_INPUT,
                   "%s: no image in this folder has counters; build programs "
                   "with arcline-cc",
                   folder);
  return rc;
}

int unrun_images_add(struct inputs *inputs, const char *path, struct err *err) {
  if (read_build_ids(inputs, err) != 0)
    return -1;
  return file_info_of(path).error == EISDIR ? add_folder(inputs, path, err)
                                            : add_image(inputs, path, err);
}
