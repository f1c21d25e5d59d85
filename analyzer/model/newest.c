/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/newest.h"

#include "base/err.h"
#include "gmon/side_file.h"
#include "image/image.h"
#include "model/file_kind.h"
#include "model/folder.h"
#include "model/inputs.h"

#include "arcline/gmon_format.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Folder of the profiles of runs of many processes. */
static const char *profiles_folder = "profiles";

void newest_set_folder(const char *path) {
  profiles_folder = path ? path : "profiles";
}

const char *newest_folder(void) { return profiles_folder; }

/** The newest one so far. */
struct search {
  const struct image *image; /* NULL: any */
  char *path;                /* NULL: none */
  struct file_info info;     /* at it */
  bool is_folder;
  struct timespec when;
  size_t n_found;
};

static bool is_newer(const struct timespec *a, const struct timespec *b) {
  return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec
                                : a->tv_nsec > b->tv_nsec;
}

static bool has_id(const struct image *image, const uint8_t *build_id) {
  return memcmp(image->build_id, build_id, GMON_ARCLINE_BUILD_ID_BYTES) == 0;
}

/** Is the profile of the wanted image? A side file is of its first object;
 * those of the others are found by their own profiles, if these are here.
 *
 * is_here  it is in the current folder.
 */
static bool is_wanted(const struct search *search, const char *path,
                      const struct file_info *info, bool is_here) {
  if (!search->image)
    return true;
  if (info->kind == FILE_KIND_PROFILE)
    return !info->is_marked || has_id(search->image, info->build_id);
  struct side_file side;
  struct err ignored;
  if (side_file_load(path, &side, &ignored))
    return false;
  bool is_of = false;
  for (size_t i = 0; i < side.n_entries && !is_of; i++)
    is_of = side.entries[i].file &&
            has_id(search->image, side.entries[i].build_id) &&
            (i == 0 || !is_here || access(side.entries[i].file, R_OK) != 0);
  side_file_release(&side);
  return is_of;
}

/** Is there a side file beside a profile? It lists the profile. */
static bool has_side(const char *path) {
  char *side;
  if (asprintf(&side, "%s" SIDE_SUFFIX, path) < 0)
    return false;
  const bool is_there = access(side, R_OK) == 0;
  free(side);
  return is_there;
}

static int take(struct search *search, const char *path,
                const struct file_info *info, bool is_folder,
                const struct timespec *when, struct err *err) {
  search->n_found++;
  // Of files of the same time, as those of several objects of a process, the
  // first one.
  if (search->path && !is_newer(when, &search->when))
    return 0;
  char *const copy = strdup(path);
  if (!copy)
    return err_no_memory(err);
  free(search->path);
  search->path = copy;
  search->info = *info;
  search->is_folder = is_folder;
  search->when = *when;
  return 0;
}

static int check_file(struct search *search, const char *path,
                      struct err *err) {
  const struct file_info info = file_info_of(path);
  if ((info.kind != FILE_KIND_SIDE && info.kind != FILE_KIND_PROFILE) ||
      (info.is_marked && has_side(path)) ||
      !is_wanted(search, path, &info, true))
    return 0;
  return take(search, path, &info, false, &info.status.st_mtim, err);
}

/** The newest one in a folder of profiles represents all of them. */
static int check_profiles_folder(struct search *search, struct err *err) {
  struct folder_files files;
  struct search inner = {.image = search->image};
  struct stat status;
  if (stat(profiles_folder, &status) || !S_ISDIR(status.st_mode))
    return 0;
  int rc = folder_find_sides(profiles_folder, &files, err);
  for (size_t i = 0; rc == 0 && i < files.n_paths; i++) {
    const struct file_info info = file_info_of(files.paths[i]);
    if (info.kind == FILE_KIND_SIDE &&
        is_wanted(search, files.paths[i], &info, false))
      rc = take(&inner, files.paths[i], &info, true, &info.status.st_mtim, err);
  }
  folder_files_release(&files);
  if (rc == 0 && inner.path)
    rc = take(search, profiles_folder, &inner.info, true, &inner.when, err);
  free(inner.path);
  return rc;
}

static int visit_files(int (*visit)(void *context, const char *path,
                                    struct err *err),
                       void *context, struct err *err) {
  DIR *const folder = opendir(".");
  if (!folder)
    return err_set(err, ERR_INPUT,
                   "cannot read the current folder: %s; name a profile",
                   strerror(errno));
  int rc = 0;
  const struct dirent *entry;
  while (rc == 0 && (entry = readdir(folder)))
    if (entry->d_name[0] != '.' &&
        (entry->d_type == DT_REG || entry->d_type == DT_LNK ||
         entry->d_type == DT_UNKNOWN))
      rc = visit(context, entry->d_name, err);
  closedir(folder);
  return rc;
}

static int visit_profile(void *context, const char *path, struct err *err) {
  return check_file(context, path, err);
}

// --- The image of a profile that no side file names ---

struct image_search {
  uint8_t build_id[GMON_ARCLINE_BUILD_ID_BYTES];
  char *path; /* NULL: not found */
};

static int visit_image(void *context, const char *path, struct err *err) {
  struct image_search *const search = context;
  struct image image;
  struct err ignored;
  if (search->path || inputs_operand_at(path) != OPERAND_IMAGE ||
      image_open(path, &image, &ignored))
    return 0;
  const bool is_it = image.n_build_id && has_id(&image, search->build_id);
  image_close(&image);
  if (is_it && !(search->path = strdup(path)))
    return err_no_memory(err);
  return 0;
}

static int find_image(const char *profile_path, const struct file_info *info,
                      char **out, struct err *err) {
  struct image_search search = {.path = NULL};
  memcpy(search.build_id, info->build_id, sizeof(search.build_id));
  if (info->is_marked && visit_files(visit_image, &search, err))
    return -1;
  if (!info->is_marked && access("a.out", R_OK) == 0 &&
      !(search.path = strdup("a.out")))
    return err_no_memory(err);
  *out = search.path;
  return search.path ? 0
                     : err_set(err, ERR_INPUT,
                               "%s: program that wrote this profile is not in "
                               "this folder; name it: arcline report IMAGE %s",
                               profile_path, profile_path);
}

// --- Result ---

/** Cut the suffix off the name of a side file. False: it has another name. */
static bool cut_suffix(char *path) {
  const size_t n = strlen(path), n_suffix = strlen(SIDE_SUFFIX);
  if (n <= n_suffix || strcmp(path + n - n_suffix, SIDE_SUFFIX) != 0)
    return false;
  path[n - n_suffix] = '\0';
  return true;
}

/** Make operands of an image and the profile that was found. */
static int name_operands(const struct search *search, const char *image_path,
                         struct newest *out, struct err *err) {
  char *profile = strdup(search->path);
  if (!profile)
    return err_no_memory(err);
  // The side file beside a profile will be found again; a side file with
  // another name must be an operand.
  if (search->info.kind == FILE_KIND_SIDE &&
      (!image_path || (!search->is_folder && !cut_suffix(profile)))) {
    out->operands[out->n_operands++] = profile;
    return 0;
  }
  char *image = image_path ? strdup(image_path) : NULL;
  const int rc = image        ? 0
                 : image_path ? err_no_memory(err)
                              : find_image(profile, &search->info, &image, err);
  if (rc) {
    free(profile);
    return -1;
  }
  out->operands[out->n_operands++] = image;
  out->operands[out->n_operands++] = profile;
  return 0;
}

int newest_find(const char *image_path, struct newest *out, struct err *err) {
  struct image image;
  struct search search = {.image = image_path ? &image : NULL};
  *out = (struct newest){0};
  if (image_path && image_open(image_path, &image, err))
    return -1;
  int rc = visit_files(visit_profile, &search, err);
  if (rc == 0)
    rc = check_profiles_folder(&search, err);
  if (rc == 0 && search.path) {
    rc = name_operands(&search, image_path, out, err);
    out->n_others = search.n_found - 1;
  }
  free(search.path);
  if (image_path)
    image_close(&image);
  if (rc)
    newest_release(out);
  return rc;
}

int newest_complete(struct inputs_options *options, const char *command,
                    struct newest *out, struct err *err) {
  const char *const image =
      options->n_operands == 1 &&
              inputs_operand_at(options->operands[0]) == OPERAND_IMAGE
          ? options->operands[0]
          : NULL;
  *out = (struct newest){0};
  if (options->n_operands > 1 || (options->n_operands == 1 && !image))
    return 0;
  if (newest_find(image, out, err))
    return -1;
  if (out->n_operands) {
    options->operands = out->operands;
    options->n_operands = out->n_operands;
    return 0;
  }
  // The old BSD formats begin with arbitrary numbers.
  if (access("gmon.out", R_OK) == 0 &&
      access(image ? image : "a.out", R_OK) == 0 &&
      file_info_of("gmon.out").kind == FILE_KIND_OTHER)
    return 0;
  if (image)
    return err_set(err, ERR_INPUT,
                   "%s: no profile of this image in this folder (gmon.out, or "
                   "as set by GMON_OUT_PREFIX and out=); run it here, or name "
                   "its profile: arcline %s %s PROFILE",
                   image, command, image);
  return err_set(
      err, ERR_INPUT,
      "no profile in this folder; build the program with `arcline-cc -O2 -g', "
      "run it, and run `arcline' where it wrote gmon.out; try arcline --help");
}

void newest_release(struct newest *newest) {
  for (size_t i = 0; i < newest->n_operands; i++)
    free(newest->operands[i]);
  *newest = (struct newest){0};
}
