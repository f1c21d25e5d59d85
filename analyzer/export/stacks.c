/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/stacks.h"

#include "base/err.h"
#include "profile/graph_profile.h"
#include "profile/outside.h"

#include <math.h>
#include <stdlib.h>

/** Set path to a buffer for the longest one. */
static int make_path(struct export_stacks *stacks, struct err *err) {
  const struct stack_tree *const tree = &stacks->tree;
  uint32_t *const depths = calloc(tree->n_frames, sizeof(*depths));
  uint32_t max_depth = 0;
  if (!depths)
    return err_no_memory(err);
  for (size_t i = 1; i < tree->n_frames; i++) {
    depths[i] = depths[tree->frames[i].caller] + 1;
    max_depth = depths[i] > max_depth ? depths[i] : max_depth;
  }
  free(depths);
  stacks->path = calloc((size_t)max_depth + 1, sizeof(*stacks->path));
  return stacks->path ? 0 : err_no_memory(err);
}

int export_stacks_init(struct export_stacks *out,
                       const struct graph_profile *program,
                       const struct stack_places *places, struct err *err) {
  const struct name_style style = {.demangle = NAMES_ANY};
  const uint32_t rate_hz = program->profile.unit.rate_hz;
  *out = (struct export_stacks){
      .program = program,
      .unit_per_tick = rate_hz ? 1e6 / rate_hz : 1,
      .i_waiting = outside_waiting(&program->sides.outside),
      .has_waits = program->measured.waiting_ticks > 0};
  if (program->measured.total_ticks <= 0)
    return err_set(
        err, ERR_INPUT,
        "%s: profiles contain no call stacks; run the program with "
        "ARCLINE_OPTIONS=stacks=on and keep the side file next to the profile",
        program->model->objects[0].image.path);
  if (stack_tree_load_all(&program->sides, &program->profile, places, false,
                          &out->tree, err) ||
      make_path(out, err) ||
      names_init(&out->names, &style, program->profile.symtab, err)) {
    export_stacks_release(out);
    return -1;
  }
  return 0;
}

const char *export_stacks_unit(const struct export_stacks *stacks) {
  return stacks->program->profile.unit.rate_hz ? "microseconds" : "none";
}

uint64_t export_stacks_time(const struct export_stacks *stacks,
                            size_t i_frame) {
  return (uint64_t)llround(stacks->tree.frames[i_frame].ticks *
                           stacks->unit_per_tick);
}

bool export_stacks_is_wait(const struct export_stacks *stacks, size_t i_frame) {
  return stacks->has_waits &&
         stacks->tree.frames[i_frame].i_symbol == stacks->i_waiting;
}

const char *export_stacks_name(struct export_stacks *stacks, size_t i_frame) {
  const struct stack_frame *const frame = &stacks->tree.frames[i_frame];
  size_t length;
  if (frame->is_cut)
    return "[outer frames missing]";
  if (frame->i_symbol == PROFILE_NONE)
    return "[unknown]";
  return names_text(&stacks->names, frame->i_symbol, &length);
}

void export_stacks_find_path(struct export_stacks *stacks, size_t i_frame) {
  const struct stack_frame *const frames = stacks->tree.frames;
  size_t n = 0;
  for (size_t i = i_frame; i; i = frames[i].caller)
    n++;
  stacks->n_path = n;
  for (size_t i = i_frame; i; i = frames[i].caller)
    stacks->path[--n] = (uint32_t)i;
}

void export_stacks_release(struct export_stacks *stacks) {
  if (stacks->names.symtab)
    names_release(&stacks->names);
  stack_tree_release(&stacks->tree);
  free(stacks->path);
  *stacks = (struct export_stacks){0};
}
