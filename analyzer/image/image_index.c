/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/image_index.h"

#include "base/array.h"
#include "base/err.h"
#include "base/file_walk.h"
#include "base/in_file.h"
#include "base/progress.h"
#include "image/image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct indexed_image {
  char *path;
  uint8_t build_id[IMAGE_BUILD_ID_BYTES];
  size_t n_build_id;
  bool has_code;
};

bool image_index_is_linked(const char *path) {
  uint8_t bytes[EI_NIDENT + 2];
  struct stat status;
  if (in_file_start(path, bytes, sizeof(bytes), &status) != sizeof(bytes) ||
      memcmp(bytes, ELFMAG, SELFMAG) != 0)
    return false;
  const bool is_big_endian = bytes[EI_DATA] == ELFDATA2MSB;
  const unsigned type = bytes[EI_NIDENT + is_big_endian] +
                        256u * bytes[EI_NIDENT + !is_big_endian];
  return type == ET_EXEC || type == ET_DYN;
}

/** Images without a build-id cannot be found. */
static int add(void *context, const struct image *image, struct err *err) {
  struct image_index *const index = context;
  if (!image->n_build_id)
    return 0;
  struct indexed_image *const list =
      array_grow(index->list, index->n_list, &index->max_list, sizeof(*list));
  if (!list)
    return err_no_memory(err);
  index->list = list;
  struct indexed_image *const added = &list[index->n_list];
  *added = (struct indexed_image){.path = strdup(image->path),
                                  .n_build_id = image->n_build_id,
                                  .has_code = image_has_code(image)};
  if (!added->path)
    return err_no_memory(err);
  memcpy(added->build_id, image->build_id, sizeof(added->build_id));
  index->n_list++;
  return 0;
}

/** Context of visit_file(). */
struct visitor {
  image_index_visit *visit;
  void *context;
};

static int visit_file(void *context, const char *path, struct err *err) {
  const struct visitor *const visitor = context;
  struct image image;
  if (!image_index_is_linked(path))
    return 0;
  if (image_open(path, &image, err)) {
    const bool is_fatal = err->code != ERR_INPUT;
    if (!is_fatal)
      *err = (struct err){0};
    return is_fatal ? -1 : 0;
  }
  const int rc = visitor->visit(visitor->context, &image, err);
  image_close(&image);
  return rc;
}

int image_index_each(const char *folder, image_index_visit *visit,
                     void *context, struct err *err) {
  struct visitor visitor = {visit, context};
  progress_step("searching for images in", folder);
  return file_walk_each(folder, visit_file, &visitor, NULL, err);
}

int image_index_find(struct image_index *index, const uint8_t *build_id,
                     size_t n_bytes, const char **path, struct err *err) {
  *path = NULL;
  if (!index->folder || !n_bytes)
    return 0;
  if (!index->is_read && image_index_each(index->folder, add, index, err))
    return -1;
  index->is_read = true;
  const struct indexed_image *found = NULL;
  for (size_t i = 0; i < index->n_list && !(found && found->has_code); i++) {
    const struct indexed_image *const image = &index->list[i];
    if (image->n_build_id >= n_bytes && (!found || image->has_code) &&
        memcmp(image->build_id, build_id, n_bytes) == 0)
      found = image;
  }
  *path = found ? found->path : NULL;
  return 0;
}

void image_index_release(struct image_index *index) {
  for (size_t i = 0; i < index->n_list; i++)
    free(index->list[i].path);
  free(index->list);
  *index = (struct image_index){0};
}
