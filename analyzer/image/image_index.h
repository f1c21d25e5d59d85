/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the executables and libraries in a folder and its subfolders, by
 * build-id. The folder is read at the first search.
 */
#ifndef ARCLINE_IMAGE_INDEX_H
#define ARCLINE_IMAGE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct image;

/** All zero except the folder: not read yet. */
struct image_index {
  const char *folder;         /* borrowed; NULL: there is none */
  struct indexed_image *list; /* private, as is the rest */
  size_t n_list, max_list;
  bool is_read;
};

/**
 * Find an image. If several have that build-id, as copies of one do, the first
 * one by name; one with code rather than a split-off file of debug information.
 *
 * build_id  the first n_bytes of it are known.
 * path      set; NULL: there is none. Lives as long as the index.
 *
 * Returns 0; or -1 with *err set (the folder cannot be read; no memory).
 */
int image_index_find(struct image_index *index, const uint8_t *build_id,
                     size_t n_bytes, const char **path, struct err *err);

/** Is a file an executable or a library, by its beginning? A build has many
 * more object files. */
bool image_index_is_linked(const char *path);

/** Called with an image, which is open until it returns. Returns 0, or -1 with
 * *err set. */
typedef int image_index_visit(void *context, const struct image *image,
                              struct err *err);

/** Visit all executables and libraries in a folder and its subfolders; files
 * and folders that cannot be read are skipped, folders with a warning. Returns
 * 0; or -1 with *err set (that of the visit; the folder cannot be read; no
 * memory). */
int image_index_each(const char *folder, image_index_visit *visit,
                     void *context, struct err *err);

/** Free; an unread one may be released too. */
void image_index_release(struct image_index *index);

#endif
