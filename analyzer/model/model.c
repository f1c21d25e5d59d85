/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/model.h"

#include "base/err.h"
#include "base/in_file.h"
#include "base/progress.h"
#include "base/trace.h"
#include "debug/lines.h"
#include "debug/source.h"
#include "gmon/side_file.h"
#include "image/line_data.h"
#include "measure/gmon_open.h"
#include "model/file_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// --- Objects ---

/** Reject a profile in place of an image. */
static int reject_profile(const char *path, struct err *err) {
  char *side;
  if (asprintf(&side, "%s" SIDE_SUFFIX, path) < 0)
    return err_no_memory(err);
  const bool has_side = in_file_access(side, R_OK) == 0;
  err_set(err, ERR_INPUT,
          has_side ? "%s: not an ELF file but a profile; name its side file %s"
                   : "%s: not an ELF file but a profile; name the executable "
                     "or library that wrote it before it",
          path, side);
  free(side);
  return -1;
}

static int open_image(const char *path, struct image *out, struct err *err) {
  return file_info_of(path).kind == FILE_KIND_PROFILE
             ? reject_profile(path, err)
             : image_open(path, out, err);
}

int model_open(struct inputs *inputs, bool is_forced, struct model *out,
               struct err *err) {
  *out = (struct model){
      .inputs = *inputs,
      .objects = calloc(inputs->n_objects, sizeof(*out->objects)),
      .is_joined = inputs->is_joined,
      .is_forced = is_forced,
  };
  *inputs = (struct inputs){0};
  int rc = out->objects ? 0 : err_no_memory(err);
  for (size_t i = 0; rc == 0 && i < out->inputs.n_objects; i++) {
    rc = open_image(out->inputs.objects[i].image_path, &out->objects[i].image,
                    err);
    out->n_objects += rc == 0;
    if (rc == 0 && out->inputs.sources)
      rc = source_paths_add_image(out->inputs.sources,
                                  out->objects[i].image.path, err);
  }
  if (rc)
    model_close(out);
  return rc;
}

/** Add the side files beside the profiles of a program that is not joined. */
static int join_sides(struct model *model, struct err *err) {
  if (model->is_joined)
    return 0;
  const int rc = inputs_join_sides(&model->inputs, &model->objects[0].image,
                                   model->is_forced, err);
  model->is_joined = model->inputs.is_joined;
  return rc;
}

int model_open_program(const struct inputs_options *options, bool has_sides,
                       struct model *out, struct err *err) {
  struct inputs inputs;
  *out = (struct model){0};
  if (inputs_find(options, &inputs, err) ||
      model_open(&inputs, options->is_forced, out, err))
    return -1;
  if (!has_sides || join_sides(out, err) == 0)
    return 0;
  model_close(out);
  return -1;
}

int model_open_profiles(const struct inputs_options *options, unsigned flags,
                        struct model *out, struct err *err) {
  const struct model_profiles profiles = {.format = GMON_FORMAT_AUTO,
                                          .flags = flags};
  if (model_open_program(options, true, out, err))
    return -1;
  if (model_read_profiles(out, &profiles, err) == 0)
    return 0;
  model_close(out);
  return -1;
}

void model_close(struct model *model) {
  symtab_release(&model->symtab);
  for (size_t i = 0; i < model->n_objects; i++) {
    struct model_object *const object = &model->objects[i];
    symtab_release(&object->own);
    lines_close(object->lines);
    file_naming_release(&object->naming);
    file_table_release(&object->known);
    measure_release(&object->measure);
    image_close(&object->image);
  }
  free(model->objects);
  for (size_t i = 0; i < model->n_names; i++)
    free(model->names[i]);
  free(model->names);
  text_file_release(&model->list);
  inputs_release(&model->inputs);
  *model = (struct model){0};
}

/** The first object from i on that the entry may be; n_objects: none. */
static size_t next_match(const struct model *model,
                         const struct side_entry *entry, size_t i) {
  while (i < model->n_objects &&
         !inputs_is_object(&model->inputs.objects[i], &model->objects[i].image,
                           entry, model->is_forced))
    i++;
  return i;
}

size_t model_find_object(const struct model *model,
                         const struct side_file *side,
                         const struct side_entry *entry) {
  const size_t n = model->n_objects, first = next_match(model, entry, 0);
  if (first == n)
    return SIZE_MAX;
  const bool is_copied = next_match(model, entry, first + 1) < n;
  for (size_t i = is_copied ? first : n; i < n;
       i = next_match(model, entry, i + 1))
    if (inputs_has_profile(&model->inputs.objects[i], side, entry))
      return i;
  return first;
}

int model_open_lines(const struct model *model, struct model_object *object,
                     struct err *err) {
  if (object->lines)
    return 0;
  if (model->has_plain_names)
    return lines_open(object->image.path, model->lines_flags, NULL,
                      &object->lines, err);
  object->naming = (struct file_naming){.known = &object->known,
                                        .paths = model->inputs.sources};
  return line_data_list_files(&object->image, &object->known, err) ||
                 file_naming_index(&object->naming, err) ||
                 lines_open(object->image.path, model->lines_flags,
                            &object->naming, &object->lines, err)
             ? -1
             : 0;
}

// --- Profiles ---

static int read_profile(const struct model *model, struct model_object *object,
                        const char *path, const struct model_profiles *options,
                        struct err *err) {
  struct gmon_file file;
  struct gmon_reader reader;
  struct measure_contents contents;
  progress_step("reading", path);
  if (gmon_open(&object->image, path, options->format, model->is_forced, &file,
                &reader, err))
    return -1;
  const int rc = measure_add(&object->measure, &reader, &contents, err);
  gmon_file_release(&file);
  if (rc)
    return -1;
  TRACE(TRACE_RUN, "profile %s was read", path);
  if (options->on_file)
    options->on_file(options->context, path, &contents);
  return 0;
}

int model_read_profiles(struct model *model,
                        const struct model_profiles *options, struct err *err) {
  for (size_t i = 0; i < model->n_objects; i++) {
    const struct input_object *const input = &model->inputs.objects[i];
    struct model_object *const object = &model->objects[i];
    object->measure = (struct measure){
        .flags = options->flags,
        .image = model->is_joined ? &object->image : NULL,
        .unit = model->unit,
    };
    for (size_t j = 0; j < input->n_profile_paths; j++)
      if (read_profile(model, object, input->profile_paths[j], options, err))
        return -1;
    measure_finish(&object->measure);
    model->unit = object->measure.unit;
  }
  return 0;
}
