/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/folder.h"

#include "base/array.h"
#include "base/err.h"
#include "base/file_walk.h"
#include "base/in_file.h"
#include "image/image.h"
#include "model/file_kind.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { KIND_OTHER, KIND_SIDE, KIND_PROFILE, KIND_OF_OTHER_IMAGE };

/** Kind of a file; image: the one whose profiles are wanted. */
static enum kind kind_of(const char *path, const struct image *image) {
  const struct file_info info = file_info_of(path);
  if (info.kind == FILE_KIND_SIDE)
    return KIND_SIDE;
  if (info.kind != FILE_KIND_PROFILE)
    return KIND_OTHER;
  return !image || !info.is_marked ||
                 memcmp(info.build_id, image->build_id,
                        sizeof(info.build_id)) == 0
             ? KIND_PROFILE
             : KIND_OF_OTHER_IMAGE;
}

static int add_path(struct folder_files *files, const char *path,
                    struct err *err) {
  char *const copy = strdup(path);
  if (!copy)
    return err_no_memory(err);
  char **const paths = array_grow(files->paths, files->n_paths,
                                  &files->max_paths, sizeof(*paths));
  if (!paths) {
    free(copy);
    return err_no_memory(err);
  }
  files->paths = paths;
  paths[files->n_paths++] = copy;
  return 0;
}

/** Files of a kind are collected, and profiles of other images counted. */
struct search {
  enum kind wanted;
  const struct image *image;
  struct folder_files *out;
  size_t n_of_others;
};

static int add_found(void *context, const char *path, struct err *err) {
  struct search *const search = context;
  const enum kind kind = kind_of(path, search->image);
  search->n_of_others += kind == KIND_OF_OTHER_IMAGE;
  return kind == search->wanted ? add_path(search->out, path, err) : 0;
}

int folder_find_profiles(const char *folder, const struct image *image,
                         struct folder_files *out, struct err *err) {
  struct search search = {KIND_PROFILE, image, out, 0};
  *out = (struct folder_files){0};
  int rc = file_walk_each(folder, add_found, &search, NULL, err);
  if (rc == 0 && image && out->n_paths == 0)
    rc = err_set(
        err, ERR_INPUT,
        "%s: folder contains no profile of %s; profiles of other images: "
        "%zu",
        folder, image->path, search.n_of_others);
  if (rc)
    folder_files_release(out);
  return rc;
}

int folder_find_sides(const char *folder, struct folder_files *out,
                      struct err *err) {
  struct search search = {KIND_SIDE, NULL, out, 0};
  *out = (struct folder_files){0};
  const int rc = file_walk_each(folder, add_found, &search, NULL, err);
  if (rc)
    folder_files_release(out);
  return rc;
}

bool folder_is_probe(const char *path) {
  // Of autoconf, CMake and Meson; CompilerIdC is a folder.
  static const char *const probes[] = {"conftest", "cmTC_",
                                       "CMakeDetermineCompilerABI_",
                                       "CompilerId", "sanitycheck"};
  for (const char *name = path; name; name = strchr(name, '/')) {
    name += *name == '/';
    for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++)
      if (strncmp(name, probes[i], strlen(probes[i])) == 0)
        return true;
  }
  return false;
}

bool folder_has_probes(const char *path) {
  return strstr(path, "/meson-private/") || strstr(path, "/CMakeScratch/") ||
         strstr(path, "/CMakeTmp/");
}

bool folder_image_is_gone(const char *path) {
  const char *const slash = strrchr(path, '/');
  if (folder_is_probe(slash ? slash + 1 : path))
    return true;
  char *const folder = slash ? strndup(path, (size_t)(slash - path)) : NULL;
  const bool is_gone =
      folder && in_file_access(folder, F_OK) && errno == ENOENT;
  free(folder);
  return is_gone;
}

void folder_files_release(struct folder_files *files) {
  for (size_t i = 0; i < files->n_paths; i++)
    free(files->paths[i]);
  free(files->paths);
  *files = (struct folder_files){0};
}
