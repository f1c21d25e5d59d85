/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/stack_tree.h"

#include "base/array.h"
#include "base/err.h"
#include "base/map64.h"
#include "gmon/side_read.h"
#include "model/model.h"
#include "profile/call_decoder.h"
#include "profile/profile.h"
#include "profile/side_join.h"

#include <math.h>
#include <stdlib.h>

/** State of reading one side file. */
struct work {
  const struct side_join *join;
  const struct profile *profile;
  const struct stack_places *within; // functions; NULL: these are one
  struct stack_tree *tree;
  double scale;     // ticks per sample
  double n_sampled; // that all stacks represent; 0: as many as they have
  struct call_decoder targets;
  struct place *places; // by frame of the file
  size_t n_places, max_places;
};

/** A frame of the file, and the frames of the tree made from it. */
struct place {
  uint32_t innermost; // frame of the tree, of those made from it
  size_t i_object;    // of the program; NONE: it is in none
  uint64_t address;
  bool has_callee; // i_callee was found out
  size_t i_callee; // symbol of the function called there; NONE: unknown
};

#define NONE SIZE_MAX

static int append(struct stack_tree *tree, const struct stack_frame *frame,
                  struct err *err) {
  struct stack_frame *const frames =
      tree->n_frames >= UINT32_MAX
          ? NULL
          : array_grow(tree->frames, tree->n_frames, &tree->max_frames,
                       sizeof(*frames));
  if (!frames)
    return err_no_memory(err);
  tree->frames = frames;
  frames[tree->n_frames++] = *frame;
  return 0;
}

static int append_root(struct stack_tree *tree, struct err *err) {
  return append(
      tree,
      &(struct stack_frame){.i_symbol = PROFILE_NONE, .i_place = PROFILE_NONE},
      err);
}

/** Record the frame of the tree made from the last frame of the file. */
static int add_place(struct work *work, size_t i_object, uint64_t address,
                     struct err *err) {
  struct place *const places = array_grow(work->places, work->n_places,
                                          &work->max_places, sizeof(*places));
  if (!places)
    return err_no_memory(err);
  work->places = places;
  places[work->n_places++] =
      (struct place){.innermost = (uint32_t)(work->tree->n_frames - 1),
                     .i_object = i_object,
                     .address = address,
                     .i_callee = NONE};
  return 0;
}

/** Was the next frame jumped to, by a function that ended so? Then add a frame
 * of that one, which the frame before has called: it is not on the stack, but
 * its calls last until the other one is back. */
static int add_jumped_from(struct work *work, struct place *from,
                           size_t i_object, uint64_t address,
                           struct stack_frame *frame, struct err *err) {
  const struct symbol *const symbols = work->profile->symtab->symbols;
  if (!from->has_callee &&
      call_decoder_find(&work->targets, from->i_object, from->address,
                        &from->i_callee, err))
    return -1;
  from->has_callee = true;
  if (from->i_callee == NONE || from->i_callee == frame->i_symbol ||
      frame->i_symbol == PROFILE_NONE ||
      side_join_is_profiler(&symbols[from->i_callee]) ||
      frame->i_symbol == work->join->i_profiler)
    return 0;
  // A stub is before the function that it leads to.
  const int is_stub =
      call_decoder_is_stub(&work->targets, i_object, address, err);
  if (is_stub)
    return is_stub < 0 ? -1 : 0;
  const struct stack_frame left = {.caller = frame->caller,
                                   .i_symbol = (uint32_t)from->i_callee,
                                   .i_place = (uint32_t)from->i_callee};
  if (append(work->tree, &left, err))
    return -1;
  frame->caller = (uint32_t)(work->tree->n_frames - 1);
  return 0;
}

/** Set the place of a frame in its function. */
static int find_place(const struct work *work, size_t i_object,
                      uint64_t address, struct stack_frame *frame,
                      struct err *err) {
  frame->i_place = frame->i_symbol;
  return work->within && frame->i_symbol != PROFILE_NONE && i_object != NONE
             ? work->within->find(work->within->context, frame->i_symbol,
                                  i_object, address, &frame->i_place, err)
             : 0;
}

/** Add a frame, and those of functions that are not on the stack: that have
 * jumped there, or were inlined there. */
static int add_frame(void *context, size_t i_side,
                     const struct side_record *record, struct err *err) {
  enum { MAX_INLINED = 64 };
  struct work *const work = context;
  const size_t i_object = record->frame.i_object;
  uint32_t inlined[MAX_INLINED];
  size_t n_inlined = 0;
  struct stack_frame frame = {
      .caller = work->places[record->frame.i_caller].innermost,
      .i_symbol = PROFILE_NONE,
      .i_place = PROFILE_NONE};
  frame.is_cut = record->frame.i_caller == 0 &&
                 side_join_is_unknown(work->join, i_side, i_object);
  if (!frame.is_cut) {
    frame.i_symbol = side_join_function(work->join, work->profile, i_side,
                                        i_object, record->frame.address);
    n_inlined =
        side_join_inlined_at(work->join, i_side, i_object,
                             record->frame.address, inlined, MAX_INLINED);
  }
  if (add_jumped_from(work, &work->places[record->frame.i_caller],
                      side_join_object(work->join, i_side, i_object),
                      record->frame.address, &frame, err) ||
      find_place(work, side_join_object(work->join, i_side, i_object),
                 record->frame.address, &frame, err) ||
      append(work->tree, &frame, err))
    return -1;
  while (n_inlined-- > 0) {
    const struct stack_frame callee = {.caller =
                                           (uint32_t)(work->tree->n_frames - 1),
                                       .i_symbol = inlined[n_inlined],
                                       .i_place = inlined[n_inlined]};
    if (append(work->tree, &callee, err))
      return -1;
  }
  return add_place(work, side_join_object(work->join, i_side, i_object),
                   record->frame.address, err);
}

static int add_stack(void *context, size_t i_side,
                     const struct side_record *record, struct err *err) {
  const struct work *const work = context;
  (void)i_side;
  (void)err;
  work->tree->frames[work->places[record->stack.i_frame].innermost].ticks +=
      (double)record->stack.n_samples * work->scale;
  return 0;
}

static int add_moment(void *context, size_t i_side,
                      const struct side_record *record, struct err *err) {
  const struct work *const work = context;
  struct stack_tree *const tree = work->tree;
  struct stack_moment *const moments = array_grow(
      tree->moments, tree->n_moments, &tree->max_moments, sizeof(*moments));
  if (!moments)
    return err_no_memory(err);
  const bool is_any = record->moment.width == SIDE_ANY_WIDTH;
  const double width =
      is_any ? INFINITY : ldexp(1e-9, (int)record->moment.width);
  tree->moments = moments;
  moments[tree->n_moments++] = (struct stack_moment){
      .i_frame = work->places[record->moment.i_frame].innermost,
      .i_side = i_side,
      .tid = record->moment.tid,
      .begin = is_any ? 0 : (double)record->moment.period * width,
      .end = (double)(record->moment.period + 1) * width,
      .ticks = (double)record->moment.n_samples * work->scale,
  };
  return 0;
}

static int add_stack_signals(void *context, size_t i_side,
                             const struct side_record *record,
                             struct err *err) {
  const struct work *const work = context;
  (void)i_side;
  (void)err;
  work->tree->n_stack_signals += (double)record->count;
  return 0;
}

static int add_squares(void *context, size_t i_side,
                       const struct side_record *record, struct err *err) {
  const struct work *const work = context;
  (void)i_side;
  (void)err;
  work->tree->squares += (double)record->count * work->scale * work->scale;
  return 0;
}

static int add_sampled(void *context, size_t i_side,
                       const struct side_record *record, struct err *err) {
  struct work *const work = context;
  (void)i_side;
  (void)err;
  work->n_sampled += (double)record->count;
  return 0;
}

/** If only some samples got a stack, the number that each represents is by
 * chance; their sum is recorded, and all are scaled to it. */
static void adjust_sum(const struct work *work) {
  struct stack_tree *const tree = work->tree;
  double sum = 0;
  for (size_t i = 0; i < tree->n_frames; i++)
    sum += tree->frames[i].ticks;
  if (work->n_sampled <= 0 || sum <= 0)
    return;
  const double factor = work->n_sampled * work->scale / sum;
  for (size_t i = 0; i < tree->n_frames; i++)
    tree->frames[i].ticks *= factor;
  tree->squares *= factor * factor;
  for (size_t i = 0; i < tree->n_moments; i++)
    if (tree->moments[i].i_frame)
      tree->moments[i].ticks *= factor;
}

int stack_tree_load(const struct side_join *join, const struct profile *profile,
                    const struct stack_places *places, bool has_moments,
                    size_t i_side, struct stack_tree *out, struct err *err) {
  struct work work = {
      .join = join, .profile = profile, .within = places, .tree = out};
  *out = (struct stack_tree){0};
  work.scale = side_join_ticks_per_sample(join, profile, i_side);
  int rc = call_decoder_init(join, &work.targets, err) ||
                   append_root(out, err) || add_place(&work, NONE, 0, err)
               ? -1
               : 0;
  if (rc == 0 && work.scale > 0 &&
      (inputs_read_side(join->inputs, i_side, SIDE_FRAME, add_frame, &work,
                        err) ||
       inputs_read_side(join->inputs, i_side, SIDE_STACK, add_stack, &work,
                        err) ||
       inputs_read_side(join->inputs, i_side, SIDE_STACK_SIGNALS,
                        add_stack_signals, &work, err) ||
       inputs_read_side(join->inputs, i_side, SIDE_STACK_SQUARES, add_squares,
                        &work, err) ||
       inputs_read_side(join->inputs, i_side, SIDE_SAMPLED, add_sampled, &work,
                        err) ||
       (has_moments && inputs_read_side(join->inputs, i_side, SIDE_MOMENT,
                                        add_moment, &work, err))))
    rc = -1;
  if (rc == 0)
    adjust_sum(&work);
  call_decoder_release(&work.targets);
  free(work.places);
  if (rc)
    stack_tree_release(out);
  return rc;
}

/** Add a file's moments to those of a tree. joined: frames of the tree. */
static int join_moments(const struct stack_tree *more, struct stack_tree *tree,
                        const uint32_t *joined, struct err *err) {
  const size_t n = tree->n_moments + more->n_moments;
  struct stack_moment *const moments =
      n ? array_resize(tree->moments, n, sizeof(*moments)) : tree->moments;
  if (n && !moments)
    return err_no_memory(err);
  tree->moments = moments;
  for (size_t i = 0; i < more->n_moments; i++) {
    struct stack_moment *const to = &moments[tree->n_moments++];
    *to = more->moments[i];
    to->i_frame = joined[to->i_frame];
  }
  return 0;
}

/** Join a file's frames with those of a tree of functions. index: of frames of
 * the tree, by caller and place. */
static int join_frames(const struct stack_tree *more, struct stack_tree *tree,
                       struct map64 *index, uint32_t *joined, struct err *err) {
  joined[0] = 0;
  for (size_t i = 1; i < more->n_frames; i++) {
    struct stack_frame frame = more->frames[i];
    frame.caller = joined[frame.caller];
    frame.ticks = 0;
    // Frames without a symbol are of two kinds; no place has these numbers.
    const uint32_t i_place = frame.is_cut ? PROFILE_NONE - 1 : frame.i_place;
    const uint64_t key = (uint64_t)frame.caller << 32 | i_place;
    joined[i] = map64_find(index, key);
    if (joined[i] == MAP64_NONE) {
      joined[i] = (uint32_t)tree->n_frames;
      if (append(tree, &frame, err) || map64_insert(index, key, joined[i], err))
        return -1;
    }
    tree->frames[joined[i]].ticks += more->frames[i].ticks;
  }
  tree->n_stack_signals += more->n_stack_signals;
  tree->squares += more->squares;
  return 0;
}

int stack_tree_load_all(const struct side_join *join,
                        const struct profile *profile,
                        const struct stack_places *places, bool has_moments,
                        struct stack_tree *out, struct err *err) {
  struct map64 index = {0};
  *out = (struct stack_tree){0};
  int rc = append_root(out, err);
  for (size_t i = 0; rc == 0 && join->inputs && i < join->inputs->n_sides;
       i++) {
    struct stack_tree tree;
    rc = stack_tree_load(join, profile, places, has_moments, i, &tree, err);
    if (rc)
      break;
    uint32_t *const joined = malloc(tree.n_frames * sizeof(*joined));
    rc = !joined ? err_no_memory(err)
         : join_frames(&tree, out, &index, joined, err) ||
                 join_moments(&tree, out, joined, err)
             ? -1
             : 0;
    free(joined);
    stack_tree_release(&tree);
  }
  map64_release(&index);
  if (rc)
    stack_tree_release(out);
  return rc;
}

void stack_tree_release(struct stack_tree *tree) {
  free(tree->frames);
  free(tree->moments);
  *tree = (struct stack_tree){0};
}
