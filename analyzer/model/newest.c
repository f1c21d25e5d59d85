/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/newest.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
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

/** A file or folder that may be the newest one. */
struct candidate {
  char *path;            /* first: sorted_compare_names() */
  struct file_info info; /* at it */
  bool is_folder;
  bool is_listed; /* by a side file, which represents it */
  struct timespec when;
};

struct search {
  const struct image *image; /* NULL: any */
  struct candidate *found;
  size_t n_found, max_found;
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

/** Is there a side file with a name and its suffix? */
static bool has_side(const char *name, size_t n_name) {
  char *side;
  if (asprintf(&side, "%.*s" SIDE_SUFFIX, (int)n_name, name) < 0)
    return false;
  const bool is_there = access(side, R_OK) == 0;
  free(side);
  return is_there;
}

/** Does a side file with the profile's name list the profile? If any image is
 * wanted, that of a library counts, too: its name is that of the program's
 * profile, a dot, and the library's name. */
static bool is_beside(const struct search *search, const char *path) {
  size_t n = strlen(path);
  if (has_side(path, n))
    return true;
  while (!search->image && n > 1)
    if (path[--n] == '.' && has_side(path, n))
      return true;
  return false;
}

static int take(struct search *search, const char *path,
                const struct file_info *info, bool is_folder,
                const struct timespec *when, struct err *err) {
  struct candidate *const grown =
      array_grow(search->found, search->n_found, &search->max_found,
                 sizeof(*search->found));
  if (!grown)
    return err_no_memory(err);
  search->found = grown;
  char *const copy = strdup(path);
  if (!copy)
    return err_no_memory(err);
  grown[search->n_found++] = (struct candidate){
      .path = copy, .info = *info, .is_folder = is_folder, .when = *when};
  return 0;
}

static void release(struct search *search) {
  for (size_t i = 0; i < search->n_found; i++)
    free(search->found[i].path);
  free(search->found);
}

/** The newest one; of several of one time, the first one. NULL: none. */
static const struct candidate *newest_of(const struct search *search) {
  const struct candidate *best = NULL;
  for (size_t i = 0; i < search->n_found; i++) {
    const struct candidate *const it = &search->found[i];
    if (!it->is_listed && (!best || is_newer(&it->when, &best->when)))
      best = it;
  }
  return best;
}

static size_t count_unlisted(const struct search *search) {
  size_t n = 0;
  for (size_t i = 0; i < search->n_found; i++)
    n += !search->found[i].is_listed;
  return n;
}

/** Mark the profiles that a side file lists, whatever its name, as that of a
 * program lists the pools of its libraries. Damaged ones list nothing. */
static void mark_listed(struct search *search, const char *side_path) {
  struct side_file side;
  struct err ignored;
  if (side_file_load(side_path, &side, &ignored))
    return;
  for (size_t i = 0; i < side.n_entries; i++) {
    const char *const file = side.entries[i].file;
    const size_t at = file ? sorted_find(search->found, search->n_found,
                                         sizeof(*search->found), &file,
                                         sorted_compare_names, NULL)
                           : search->n_found;
    if (at < search->n_found)
      search->found[at].is_listed = true;
  }
  side_file_release(&side);
}

/** Sort the files, and leave out those that other files list. */
static int finish_files(struct search *search, struct err *err) {
  bool has_profiles = false;
  if (merge_sort(search->found, search->n_found, sizeof(*search->found),
                 sorted_compare_names, NULL))
    return err_no_memory(err);
  for (size_t i = 0; i < search->n_found; i++)
    has_profiles |= search->found[i].info.is_marked;
  for (size_t i = 0; i < search->n_found && has_profiles && !search->image; i++)
    if (search->found[i].info.kind == FILE_KIND_SIDE)
      mark_listed(search, search->found[i].path);
  return 0;
}

static int check_file(struct search *search, const char *path,
                      struct err *err) {
  const struct file_info info = file_info_of(path);
  if ((info.kind != FILE_KIND_SIDE && info.kind != FILE_KIND_PROFILE) ||
      (info.is_marked && is_beside(search, path)) ||
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
  const struct candidate *const newest = newest_of(&inner);
  if (rc == 0 && newest)
    rc = take(search, profiles_folder, &newest->info, true, &newest->when, err);
  release(&inner);
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
  const size_t n = strlen(path), n_stem = side_stem_length(path, n);
  path[n_stem] = '\0';
  return n_stem < n;
}

/** Make operands of an image and the profile that was found. */
static int name_operands(const struct candidate *found, const char *image_path,
                         struct newest *out, struct err *err) {
  char *profile = strdup(found->path);
  if (!profile)
    return err_no_memory(err);
  // The side file beside a profile will be found again; a side file with
  // another name must be an operand.
  if (found->info.kind == FILE_KIND_SIDE &&
      (!image_path || (!found->is_folder && !cut_suffix(profile)))) {
    out->operands[out->n_operands++] = profile;
    return 0;
  }
  char *image = image_path ? strdup(image_path) : NULL;
  const int rc = image        ? 0
                 : image_path ? err_no_memory(err)
                              : find_image(profile, &found->info, &image, err);
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
    rc = finish_files(&search, err);
  if (rc == 0)
    rc = check_profiles_folder(&search, err);
  const struct candidate *const found = newest_of(&search);
  if (rc == 0 && found) {
    rc = name_operands(found, image_path, out, err);
    out->n_others = count_unlisted(&search) - 1;
  }
  release(&search);
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
