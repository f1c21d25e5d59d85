/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/unrun_images.h"

#include "arcline/abi.h"
#include "base/err.h"
#include "image/image.h"
#include "image/image_index.h"
#include "model/file_kind.h"
#include "model/folder.h"
#include "model/input_objects.h"

#include <errno.h>
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

static bool is_instrumented(const struct image *image) {
  struct image_section functions;
  return image_find_section(image, ARCLINE_SECTION_FUNCS, &functions) &&
         functions.n_bytes > 0;
}

static int add_image(struct inputs *inputs, const char *path, struct err *err) {
  struct image image;
  if (image_open(path, &image, err) != 0)
    return -1;
  const bool has_counters = is_instrumented(&image);
  image_close(&image);
  if (!has_counters || !image_index_is_linked(path))
    return err_set(err, ERR_INPUT,
                   "%s: not an executable or a library with counters; name "
                   "one that arcline-cc has linked",
                   path);
  return input_objects_at(inputs, path, err) ? 0 : -1;
}

struct search {
  struct inputs *inputs;
  size_t n_found;
};

static int add_found(void *context, const struct image *image,
                     struct err *err) {
  struct search *const search = context;
  if (folder_is_probe(image->path) || !is_instrumented(image))
    return 0;
  char *const path = strdup(image->path);
  if (!path)
    return err_no_memory(err);
  search->n_found++;
  return input_objects_own(search->inputs, path, err) == 0 &&
                 input_objects_at(search->inputs, path, err)
             ? 0
             : -1;
}

static int add_folder(struct inputs *inputs, const char *folder,
                      struct err *err) {
  struct search search = {inputs, 0};
  if (image_index_each(folder, add_found, &search, err) != 0)
    return -1;
  if (search.n_found == 0)
    return err_set(err, ERR_INPUT,
                   "%s: no image in this folder has counters; build programs "
                   "with arcline-cc",
                   folder);
  return 0;
}

int unrun_images_add(struct inputs *inputs, const char *path, struct err *err) {
  if (read_build_ids(inputs, err) != 0)
    return -1;
  return file_info_of(path).error == EISDIR ? add_folder(inputs, path, err)
                                            : add_image(inputs, path, err);
}
