/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recover/live_program.h"

#include "base/array.h"
#include "base/err.h"
#include "recover/raw_profile.h"

#include <stdlib.h>

int live_program_add(struct live_program *program,
                     const struct live_object *object,
                     const struct image *image, struct err *err) {
  struct live_part *parts = array_grow(program->parts, program->n_parts,
                                       &program->max_parts, sizeof(*parts));

  if (!parts) {
    struct image closed = *image;
    image_close(&closed);
    return err_no_memory(err);
  }
  program->parts = parts;
  struct live_part *part = &parts[program->n_parts];
  *part = (struct live_part){.object = object, .image = *image};
  if (raw_profile_find_data(&object->record, &part->image, &part->data, err) ==
      0) {
    program->n_parts++;
    return 0;
  }
  image_close(&part->image);
  return -1;
}

void live_program_release(struct live_program *program) {
  for (size_t i = 0; i < program->n_parts; i++) {
    free(program->parts[i].crossing);
    image_close(&program->parts[i].image);
  }
  free(program->parts);
  *program = (struct live_program){0};
}
