/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the format of speedscope. */
#include "export/export_program.h"

#include "base/err.h"
#include "base/json.h"
#include "base/map64.h"
#include "export/stacks.h"
#include "profile/graph_profile.h"

#include <stdlib.h>

/** Write the frames that the stacks name by number; numbers is by frame of the
 * tree. Frames of one function are one. */
static int put_frames(struct export_stacks *stacks, struct json *json,
                      uint32_t *numbers, struct err *err) {
  const struct symbol *const symbols = stacks->program->profile.symtab->symbols;
  struct map64 index = {0};
  uint32_t n_frames = 0;
  int rc = 0;
  json_array_begin(json, "frames");
  for (size_t i = 1; rc == 0 && i < stacks->tree.n_frames; i++) {
    const struct stack_frame *const frame = &stacks->tree.frames[i];
    const uint64_t key = (uint64_t)frame->is_cut << 32 | frame->i_symbol;
    numbers[i] = map64_find(&index, key);
    if (numbers[i] != MAP64_NONE)
      continue;
    numbers[i] = n_frames++;
    rc = map64_insert(&index, key, numbers[i], err);
    json_object_begin(json, NULL);
    json_text(json, "name", export_stacks_name(stacks, i));
    if (frame->i_symbol != PROFILE_NONE && symbols[frame->i_symbol].file) {
      json_text(json, "file", symbols[frame->i_symbol].file);
      if (symbols[frame->i_symbol].line > 0)
        json_integer(json, "line", symbols[frame->i_symbol].line);
    }
    json_object_end(json);
  }
  json_array_end(json);
  map64_release(&index);
  return rc;
}

static void put_profile(struct export_stacks *stacks, struct json *json,
                        const uint32_t *numbers) {
  const size_t n_frames = stacks->tree.n_frames;
  uint64_t total = 0;
  json_object_begin(json, NULL);
  json_text(json, "type", "sampled");
  json_text(json, "name", stacks->program->model->objects[0].image.path);
  json_text(json, "unit", export_stacks_unit(stacks));
  json_array_begin(json, "samples");
  for (size_t i = 1; i < n_frames; i++) {
    if (export_stacks_time(stacks, i) == 0)
      continue;
    json_array_begin(json, NULL);
    export_stacks_find_path(stacks, i);
    for (size_t k = 0; k < stacks->n_path; k++)
      json_integer(json, NULL, numbers[stacks->path[k]]);
    json_array_end(json);
  }
  json_array_end(json);
  json_array_begin(json, "weights");
  for (size_t i = 1; i < n_frames; i++) {
    const uint64_t time = export_stacks_time(stacks, i);
    if (time > 0)
      json_integer(json, NULL, time);
    total += time;
  }
  json_array_end(json);
  json_integer(json, "startValue", 0);
  json_integer(json, "endValue", total);
  json_object_end(json);
}

int export_speedscope(const struct graph_profile *program, FILE *out,
                      struct err *err) {
  struct json json = {.stream = out};
  struct export_stacks stacks;
  if (export_stacks_init(&stacks, program, NULL, err))
    return -1;
  uint32_t *const numbers = calloc(stacks.tree.n_frames, sizeof(*numbers));
  int rc = numbers ? 0 : err_no_memory(err);
  if (rc == 0) {
    json_object_begin(&json, NULL);
    json_text(&json, "$schema",
              "https://www.speedscope.app/file-format-schema.json");
    json_text(&json, "exporter", "arcline");
    json_object_begin(&json, "shared");
    rc = put_frames(&stacks, &json, numbers, err);
    json_object_end(&json);
    json_array_begin(&json, "profiles");
    put_profile(&stacks, &json, numbers);
    json_array_end(&json);
    json_object_end(&json);
  }
  free(numbers);
  export_stacks_release(&stacks);
  return rc;
}
