/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/program_names.h"

#include "base/err.h"
#include "model/model.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** The last parts of a path. */
static const char *last_parts(const char *path, size_t n_parts) {
  const char *at = path + strlen(path);
  while (at > path && (at[-1] != '/' || --n_parts > 0))
    at--;
  return at;
}

/** Is a program's name that of another one, too? */
static bool is_used(const struct program_names *names, size_t n_objects,
                    size_t i_object) {
  for (size_t i = 0; i < n_objects; i++)
    if (i != i_object && names->names[i] &&
        strcmp(names->names[i], names->names[i_object]) == 0)
      return true;
  return false;
}

/** Give all programs names of that many parts. Returns whether they differ, or
 * cannot be longer. */
static bool name_all(const struct model *model, size_t n_parts,
                     struct program_names *out) {
  bool is_whole = true;
  for (size_t i = 0; i < model->n_objects; i++) {
    const struct image *const image = &model->objects[i].image;
    if (!image->is_program)
      continue;
    out->names[i] = last_parts(image->path, n_parts);
    is_whole = is_whole && out->names[i] == image->path;
  }
  for (size_t i = 0; i < model->n_objects && !is_whole; i++)
    if (out->names[i] && is_used(out, model->n_objects, i))
      return false;
  return true;
}

int program_names_find(const struct model *model, struct program_names *out,
                       struct err *err) {
  *out = (struct program_names){
      .names = calloc(model->n_objects + 1, sizeof(*out->names))};
  if (!out->names)
    return err_no_memory(err);
  for (size_t i = 0; i < model->n_objects; i++)
    out->n_programs += model->objects[i].image.is_program;
  for (size_t n_parts = 1; !name_all(model, n_parts, out);)
    n_parts++;
  return 0;
}

void program_names_release(struct program_names *names) {
  free(names->names);
  *names = (struct program_names){0};
}
