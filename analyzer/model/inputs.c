/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/inputs.h"

#include "arcline/gmon_format.h"
#include "base/err.h"
#include "base/in_file.h"
#include "debug/source_filter.h"
#include "image/image.h"
#include "model/call_images.h"
#include "model/file_kind.h"
#include "model/folder.h"
#include "model/input_objects.h"
#include "model/unrun_images.h"
#include "recover/pool_calls.h"

#include <errno.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- Kinds of operands ---

enum operand inputs_operand_at(const char *path) {
  const struct file_info info = file_info_of(path);
  if (info.error == EISDIR)
    return OPERAND_FOLDER;
  if (info.kind == FILE_KIND_IMAGE)
    return OPERAND_IMAGE;
  if (info.kind == FILE_KIND_ARCHIVE)
    return OPERAND_ARCHIVE;
  // Anything else is rejected by the profile reader.
  return info.kind == FILE_KIND_SIDE ? OPERAND_SIDE : OPERAND_PROFILE;
}

// --- Lists ---

static int compare_texts(const void *left, const void *right) {
  return strcmp(left, right);
}

static int add_side(struct inputs *inputs, const char *path, struct err *err) {
  struct side_file *const sides =
      reallocarray(inputs->sides, inputs->n_sides + 1, sizeof(*sides));
  if (!sides)
    return err_no_memory(err);
  inputs->sides = sides;
  struct side_file *const side = &sides[inputs->n_sides];
  if (side_file_load(path, side, err))
    return -1;
  inputs->n_sides++;
  return pool_calls_add(side, call_images_find, inputs, err);
}

/** Add a text to those seen, which take ownership. Returns 1 if it is new, 0 if
 * not, -1 with *err set. */
static int is_new(struct inputs *inputs, char *text, struct err *err) {
  char **const at = text ? tsearch(text, &inputs->seen, compare_texts) : NULL;
  const bool is_kept = at && *at == text;
  if (!is_kept)
    free(text);
  return at ? is_kept : err_no_memory(err);
}

/** Add a side file unless it was added before: its profiles are read only once,
 * too. */
static int add_new_side(struct inputs *inputs, const char *path,
                        struct err *err) {
  const int rc = is_new(inputs, strdup(path), err);
  return rc > 0 ? add_side(inputs, path, err) : rc;
}

/** Print a warning once, however many processes it applies to. */
__attribute__((format(printf, 3, 4))) static int
warn_once(struct inputs *inputs, struct err *err, const char *format, ...) {
  va_list values;
  char *text;
  va_start(values, format);
  if (vasprintf(&text, format, values) < 0)
    text = NULL;
  va_end(values);
  const int rc = is_new(inputs, text, err);
  if (rc > 0)
    warn("%s", text);
  return rc < 0 ? -1 : 0;
}

// --- Folders ---

/** Add the files of a folder: as profiles of an object, or as side files if
 * that is NULL. */
static int take_files(struct inputs *inputs, struct input_object *object,
                      struct folder_files *files, struct err *err) {
  int rc = 0;
  for (size_t i = 0; i < files->n_paths && rc == 0; i++) {
    char *const path = files->paths[i];
    files->paths[i] = NULL;
    rc = input_objects_own(inputs, path, err);
    if (rc == 0)
      rc = object ? input_objects_add_profile(object, path, err)
                  : add_new_side(inputs, path, err);
  }
  folder_files_release(files);
  return rc;
}

static int add_profiles_in(struct inputs *inputs, struct input_object *object,
                           const char *folder, struct err *err) {
  struct image image;
  struct folder_files files;
  if (image_open(object->image_path, &image, err))
    return -1;
  const int rc = folder_find_profiles(folder, &image, &files, err);
  image_close(&image);
  return rc ? -1 : take_files(inputs, object, &files, err);
}

static int add_sides_in(struct inputs *inputs, const char *folder,
                        struct err *err) {
  struct folder_files files;
  if (folder_find_sides(folder, &files, err))
    return -1;
  if (files.n_paths == 0 && !inputs->images.folder)
    return err_set(
        err, ERR_INPUT,
        "%s: folder contains no side file to name images and profiles; name "
        "the image before the folder, or use --images=FOLDER",
        folder);
  return take_files(inputs, NULL, &files, err);
}

// --- Images and profiles ---

/** Add the side files beside an image's profiles. They are optional, so damaged
 * ones are left out. */
static int add_sides_beside(struct inputs *inputs,
                            const struct input_object *object,
                            struct err *err) {
  for (size_t i = 0; i < object->n_profile_paths; i++) {
    char *path;
    if (asprintf(&path, "%s" SIDE_SUFFIX, object->profile_paths[i]) < 0)
      return err_no_memory(err);
    const bool is_there = in_file_access(path, F_OK) == 0;
    const int rc = is_there ? add_new_side(inputs, path, err) : 0;
    free(path);
    if (rc && err->code != ERR_INPUT)
      return -1;
    if (rc)
      warn("%s; calls between objects and time outside of them are omitted",
           err->text);
  }
  *err = (struct err){0};
  return 0;
}

/** Add side files that were given among the profiles, as shell patterns do.
 * Most were found beside them already. */
static int add_given_sides(struct inputs *inputs, char **operands,
                           size_t n_operands, struct err *err) {
  for (size_t i = 1; i < n_operands; i++)
    if (inputs_operand_at(operands[i]) == OPERAND_SIDE &&
        add_new_side(inputs, operands[i], err))
      return -1;
  return 0;
}

static int check_profiles(const struct inputs *inputs, const char *side_path,
                          struct err *err) {
  for (size_t i = 0; i < inputs->n_objects; i++) {
    if (inputs->objects[i].n_profile_paths)
      continue;
    if (side_path)
      return err_set(err, ERR_USAGE,
                     "%s: is a side file, which names images and profiles "
                     "itself; name it alone",
                     side_path);
    return err_set(err, ERR_USAGE,
                   "%s: no profile after this image; with several images, each "
                   "needs its own",
                   inputs->objects[i].image_path);
  }
  return 0;
}

static int add_unrun(struct inputs *inputs,
                     const struct inputs_options *options, struct err *err) {
  for (size_t i = 0; i < options->n_unrun; i++)
    if (unrun_images_add(inputs, options->unrun[i], err))
      return -1;
  return 0;
}

static int take_images(struct inputs *inputs,
                       const struct inputs_options *options, char **operands,
                       size_t n_operands, struct err *err) {
  struct input_object *object = NULL;
  const char *side_path = NULL;
  for (size_t i = 0; i < n_operands; i++) {
    const enum operand operand =
        i == 0 ? OPERAND_IMAGE : inputs_operand_at(operands[i]);
    if (operand == OPERAND_IMAGE)
      object = input_objects_add(inputs, operands[i], err);
    else if (operand == OPERAND_SIDE)
      side_path = operands[i];
    else if (operand == OPERAND_FOLDER
                 ? add_profiles_in(inputs, object, operands[i], err)
                 : input_objects_add_profile(object, operands[i], err))
      return -1;
    if (!object)
      return -1;
  }
  if (n_operands == 1 && input_objects_add_profile(object, "gmon.out", err))
    return -1;
  if (check_profiles(inputs, side_path, err) || add_unrun(inputs, options, err))
    return -1;
  // The report of one image does not use side files.
  if (inputs->n_objects == 1)
    return 0;
  inputs->is_joined = true;
  for (size_t i = 0; i < inputs->n_objects; i++)
    if (add_sides_beside(inputs, &inputs->objects[i], err))
      return -1;
  return add_given_sides(inputs, operands, n_operands, err);
}

// --- Side files ---

/** Make the name of a file in the folder of another one. */
static int find_beside(struct inputs *inputs, const char *path,
                       const char *name, const char **out, struct err *err) {
  const char *const slash = strrchr(path, '/');
  const int n_folder = slash ? (int)(slash + 1 - path) : 0;
  char *joined;
  if (asprintf(&joined, "%.*s%s", n_folder, path, name) < 0)
    return err_no_memory(err);
  *out = joined;
  return input_objects_own(inputs, joined, err);
}

/** Is the image at an object's own path the one that ran? Returns 1 if so or if
 * that cannot be determined, 0, or -1. */
static int is_run(const struct inputs *inputs, const struct side_entry *entry,
                  struct err *err) {
  struct input_object made = {0};
  const struct input_object *image = input_objects_named(inputs, entry->path);
  if (inputs->is_forced || !entry->n_build_id)
    return 1;
  if (!image && input_objects_read_build_id(entry->path, made.build_id,
                                            &made.n_build_id, err))
    return -1;
  image = image ? image : &made;
  return !image->n_build_id ||
         image_is_recorded(image->build_id, entry->build_id, entry->n_build_id);
}

/** Find the image of an object that a side file lists; NULL: it is left out. */
static int find_image(struct inputs *inputs, bool is_folder,
                      const struct side_entry *entry, const char **path,
                      struct err *err) {
  *path = NULL;
  // Meson keeps the programs by which it tests the compiler.
  if (is_folder && folder_has_probes(entry->path))
    return 0;
  const int error = in_file_access(entry->path, R_OK) ? errno : 0;
  const int is_right = error ? 0
                       : is_folder || inputs->images.folder
                           ? is_run(inputs, entry, err)
                           : 1;
  *path = is_right ? entry->path : NULL;
  if (is_right)
    return is_right < 0 ? -1 : 0;
  if (image_index_find(&inputs->images, entry->build_id, entry->n_build_id,
                       path, err))
    return -1;
  if (*path ||
      (is_folder && error == ENOENT && folder_image_is_gone(entry->path)))
    return 0;
  uint64_t build = 0; // as in names of pools
  for (size_t i = 0; i < sizeof(build); i++)
    build = build << 8 | entry->build_id[i];
  if (!error)
    return warn_once(inputs, err,
                     "%s: is not the build that ran; profiles of build "
                     "%016llx are skipped, remove them or %s",
                     entry->path, (unsigned long long)build,
                     inputs->images.folder
                         ? "add that image to --images=FOLDER"
                         : "find that image by --images=FOLDER");
  return warn_once(inputs, err, "%s: %s; object is skipped, %s", entry->path,
                   strerror(error),
                   inputs->images.folder
                       ? "--images=FOLDER contains no image with this build ID"
                       : "use --images=FOLDER to find it elsewhere");
}

/** Add an instrumented object that a side file lists, if it can be read. */
static int take_entry(struct inputs *inputs, bool is_folder,
                      const char *side_path, struct side_entry *entry,
                      struct err *err) {
  const char *profile_path = NULL, *image_path = NULL;
  if (find_beside(inputs, side_path, entry->file, &profile_path, err))
    return -1;
  char *const copy = strdup(profile_path);
  const int rc = is_new(inputs, copy, err);
  if (rc < 0)
    return -1;
  if (in_file_access(profile_path, R_OK)) {
    entry->is_left_out = true;
    return warn_once(inputs, err, "%s: cannot read: %s; object %s is skipped",
                     profile_path, strerror(errno), entry->path);
  }
  if (find_image(inputs, is_folder, entry, &image_path, err))
    return -1;
  entry->is_left_out = !image_path;
  if (!image_path || !rc)
    return 0;
  struct input_object *const object = input_objects_at(inputs, image_path, err);
  return object ? input_objects_add_profile(object, profile_path, err) : -1;
}

/** Add a profile that no side file names, if its image is known or found.
 * Returns 1 if not. */
static int take_unnamed(struct inputs *inputs, char *path, struct err *err) {
  const struct file_info info = file_info_of(path);
  const uint8_t *const build_id = info.build_id;
  const struct input_object *const known =
      input_objects_of_build(inputs, build_id, sizeof(info.build_id));
  const char *image_path = known ? known->image_path : NULL;
  if (!info.is_marked)
    return 1;
  if (!image_path && image_index_find(&inputs->images, build_id,
                                      sizeof(info.build_id), &image_path, err))
    return -1;
  if (!image_path)
    return 1;
  struct input_object *const object = input_objects_at(inputs, image_path, err);
  return object ? input_objects_add_profile(object, path, err) : -1;
}

static int take_unnamed_in(struct inputs *inputs, const char *folder,
                           struct err *err) {
  struct folder_files files;
  size_t n_left_out = 0;
  int rc = folder_find_profiles(folder, NULL, &files, err);
  for (size_t i = 0; rc == 0 && i < files.n_paths; i++) {
    char *const path = files.paths[i];
    files.paths[i] = NULL;
    rc = is_new(inputs, path, err);
    if (rc > 0)
      rc = take_unnamed(inputs, path, err);
    n_left_out += rc > 0;
    rc = rc < 0 ? -1 : 0;
  }
  folder_files_release(&files);
  if (rc == 0 && n_left_out)
    warn("%s: profiles in this folder are skipped, since no side file names "
         "their images: %zu%s",
         folder, n_left_out,
         inputs->images.folder ? ", and --images=FOLDER does not contain them"
                               : "; use --images=FOLDER to find them");
  return rc;
}

static int take_sides(struct inputs *inputs,
                      const struct inputs_options *options, struct err *err) {
  char **const operands = options->operands;
  bool is_folder = false;
  inputs->is_joined = true;
  for (size_t i = 0; i < options->n_operands; i++) {
    const enum operand operand = inputs_operand_at(operands[i]);
    if (operand != OPERAND_SIDE && operand != OPERAND_FOLDER)
      return err_set(
          err, ERR_USAGE,
          inputs_operand_at(operands[0]) == OPERAND_FOLDER
              ? "%s: not a side file, but folder %s stands for its side files; "
                "name the image before a folder of profiles"
              : "%s: not a side file, but %s is one and names images and "
                "profiles itself",
          operands[i], operands[0]);
    if (operand == OPERAND_FOLDER ? add_sides_in(inputs, operands[i], err)
                                  : add_new_side(inputs, operands[i], err))
      return -1;
    is_folder |= operand == OPERAND_FOLDER;
  }
  for (size_t i = 0; i < inputs->n_sides; i++) {
    const struct side_file *const side = &inputs->sides[i];
    for (size_t j = 0; j < side->n_entries; j++)
      if (side->entries[j].file &&
          take_entry(inputs, is_folder, side->path, &side->entries[j], err))
        return -1;
  }
  for (size_t i = 0; i < options->n_operands; i++)
    if (inputs_operand_at(operands[i]) == OPERAND_FOLDER &&
        take_unnamed_in(inputs, operands[i], err))
      return -1;
  if (inputs->n_objects == 0)
    return err_set(err, ERR_INPUT,
                   "%s: no object has a readable image and profile%s",
                   operands[0],
                   options->image_folder
                       ? ""
                       : "; use --images=FOLDER to find images elsewhere");
  return add_unrun(inputs, options, err);
}

int inputs_find(const struct inputs_options *options, struct inputs *out,
                struct err *err) {
  static char *default_operands[] = {"a.out"};
  static const struct source_filter default_filter;
  const enum operand first = options->n_operands
                                 ? inputs_operand_at(options->operands[0])
                                 : OPERAND_IMAGE;
  int rc;
  *out = (struct inputs){.images.folder = options->image_folder,
                         .is_forced = options->is_forced,
                         .sources = options->sources,
                         .filter = options->filter ? options->filter
                                                   : &default_filter};
  if (options->n_operands == 0)
    rc = take_images(out, options, default_operands, 1, err);
  else if (first == OPERAND_SIDE || first == OPERAND_FOLDER)
    rc = take_sides(out, options, err);
  else
    rc = take_images(out, options, options->operands, options->n_operands, err);
  if (rc)
    inputs_release(out);
  return rc;
}

// --- Identities of objects ---

_Static_assert((int)SIDE_BUILD_ID_BYTES == (int)IMAGE_BUILD_ID_BYTES,
               "build-ids are copied as a whole");

static bool has_profile_named(const struct input_object *object,
                              const char *name) {
  for (size_t i = 0; name && i < object->n_profile_paths; i++)
    if (strcmp(basename(object->profile_paths[i]), name) == 0)
      return true;
  return false;
}

bool inputs_has_profile(const struct input_object *input,
                        const struct side_file *side,
                        const struct side_entry *entry) {
  const size_t n_folder = (size_t)(basename(side->path) - side->path);
  for (size_t i = 0; entry->file && i < input->n_profile_paths; i++) {
    const char *const path = input->profile_paths[i];
    if (strncmp(path, side->path, n_folder) == 0 &&
        strcmp(path + n_folder, entry->file) == 0)
      return true;
  }
  return false;
}

bool inputs_is_object(const struct input_object *input,
                      const struct image *image, const struct side_entry *entry,
                      bool is_forced) {
  const bool has_ids = entry->n_build_id && image->n_build_id;
  if (has_ids &&
      image_is_recorded(image->build_id, entry->build_id, entry->n_build_id))
    return true;
  return (!has_ids || is_forced) &&
         (has_profile_named(input, entry->file) ||
          strcmp(basename(entry->path), basename(image->path)) == 0);
}

// --- Side files beside a profile ---

/** Does a side file list the image with a profile? */
static bool is_of(const struct side_file *side,
                  const struct input_object *input, const struct image *image,
                  bool is_forced) {
  for (size_t i = 0; i < side->n_entries; i++)
    if (side->entries[i].file &&
        inputs_is_object(input, image, &side->entries[i], is_forced))
      return true;
  return false;
}

int inputs_join_sides(struct inputs *inputs, const struct image *image,
                      bool is_forced, struct err *err) {
  const struct input_object *const input = &inputs->objects[0];
  for (size_t i = 0; i < input->n_profile_paths; i++)
    if (!file_info_of(input->profile_paths[i]).is_marked)
      return 0;
  if (add_sides_beside(inputs, input, err))
    return -1;
  size_t n_kept = 0;
  for (size_t i = 0; i < inputs->n_sides; i++)
    if (is_of(&inputs->sides[i], input, image, is_forced))
      inputs->sides[n_kept++] = inputs->sides[i];
    else
      side_file_release(&inputs->sides[i]);
  inputs->n_sides = n_kept;
  inputs->is_joined = n_kept > 0;
  return 0;
}

// --- End ---

void inputs_release(struct inputs *inputs) {
  for (size_t i = 0; i < inputs->n_objects; i++)
    free(inputs->objects[i].profile_paths);
  free(inputs->objects);
  for (size_t i = 0; i < inputs->n_sides; i++)
    side_file_release(&inputs->sides[i]);
  free(inputs->sides);
  for (size_t i = 0; i < inputs->n_owned; i++)
    free(inputs->owned[i]);
  free(inputs->owned);
  image_index_release(&inputs->images);
  tdestroy(inputs->seen, free);
  *inputs = (struct inputs){0};
}
