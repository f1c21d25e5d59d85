/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/flame_moments.h"

#include "base/array.h"
#include "base/err.h"
#include "base/json.h"
#include "base/map64.h"
#include "base/merge_sort.h"
#include "gmon/side_read.h"
#include "html/flame_tree.h"
#include "html/html_text.h"
#include "model/model.h"
#include "profile/graph_profile.h"
#include "profile/stack_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A thread of a side file. */
struct thread {
  size_t i_side;
  uint64_t tid;
  char *name; // NULL: unknown
  double ticks;
  uint32_t i_first; // its index before threads were sorted
};

struct work {
  const struct inputs *inputs;
  const struct flame_tree *tree;
  struct thread *threads;
  size_t n_threads, max_threads;
  struct map64 *by_id;   // by side file: tid -> thread
  double *began;         // by side file: seconds after the first one
  uint64_t *began_ns;    // since 1970
  uint32_t *sorted_from; // by index before sorting
  double length;         // of the timeline, in seconds
};

// --- Threads ---

static int find_thread(struct work *work, size_t i_side, uint64_t tid,
                       uint32_t *out, struct err *err) {
  struct thread *const threads = array_grow(
      work->threads, work->n_threads, &work->max_threads, sizeof(*threads));
  if (!threads)
    return err_no_memory(err);
  work->threads = threads;
  *out = (uint32_t)work->n_threads;
  const int rc = map64_find_or_insert(&work->by_id[i_side], tid, out, err);
  if (rc == 0)
    threads[work->n_threads++] =
        (struct thread){.i_side = i_side, .tid = tid, .i_first = *out};
  return rc < 0 ? -1 : 0;
}

static int add_threads(struct work *work, struct err *err) {
  for (size_t i = 0; i < work->tree->n_moments; i++) {
    const struct stack_moment *const moment = &work->tree->moments[i];
    uint32_t i_thread;
    if (find_thread(work, moment->i_side, moment->tid, &i_thread, err))
      return -1;
    if (!moment->i_frame)
      work->threads[i_thread].ticks += moment->ticks;
  }
  return 0;
}

static int set_name(void *context, size_t i_side,
                    const struct side_record *record, struct err *err) {
  struct work *const work = context;
  const uint32_t i = map64_find(&work->by_id[i_side], record->thread.tid);
  if (i == MAP64_NONE)
    return 0;
  free(work->threads[i].name);
  work->threads[i].name = strdup(record->name);
  return work->threads[i].name ? 0 : err_no_memory(err);
}

/** A program's only thread has no name of its own. */
static int name_first_threads(struct work *work, struct err *err) {
  for (size_t i = 0; i < work->n_threads; i++) {
    struct thread *const thread = &work->threads[i];
    const struct side_file *const side = &work->inputs->sides[thread->i_side];
    const char *const name = side_file_thread_name(side, thread->tid);
    if (thread->name || !name)
      continue;
    thread->name = strdup(name);
    if (!thread->name)
      return err_no_memory(err);
  }
  return 0;
}

static int compare_threads(const void *left, const void *right,
                           const void *context) {
  const struct thread *const a = left, *const b = right;
  (void)context;
  return (a->ticks < b->ticks) - (a->ticks > b->ticks);
}

static int sort_threads(struct work *work, struct err *err) {
  if (merge_sort(work->threads, work->n_threads, sizeof(*work->threads),
                 compare_threads, NULL))
    return err_no_memory(err);
  work->sorted_from = calloc(work->n_threads + 1, sizeof(*work->sorted_from));
  if (!work->sorted_from)
    return err_no_memory(err);
  for (size_t i = 0; i < work->n_threads; i++)
    work->sorted_from[work->threads[i].i_first] = (uint32_t)i;
  return 0;
}

// --- Time ---

static int set_began(void *context, size_t i_side,
                     const struct side_record *record, struct err *err) {
  const struct work *const work = context;
  (void)err;
  work->began_ns[i_side] = record->began.ns;
  return 0;
}

/** Processes share one timeline, which begins with the first of them. */
static void align(struct work *work) {
  uint64_t first = UINT64_MAX;
  for (size_t i = 0; i < work->inputs->n_sides; i++)
    if (work->began_ns[i] && work->began_ns[i] < first)
      first = work->began_ns[i];
  for (size_t i = 0; i < work->inputs->n_sides; i++)
    work->began[i] =
        work->began_ns[i] ? (double)(work->began_ns[i] - first) / 1e9 : 0;
}

/** Seconds on the timeline. */
static double time_of(const struct work *work,
                      const struct stack_moment *moment, double seconds) {
  return work->began[moment->i_side] + seconds;
}

static uint64_t microseconds(double seconds) {
  return (uint64_t)(seconds * 1e6);
}

static void find_length(struct work *work) {
  for (size_t i = 0; i < work->tree->n_moments; i++) {
    const struct stack_moment *const moment = &work->tree->moments[i];
    const double end = time_of(work, moment, moment->end);
    if (isfinite(end) && end > work->length)
      work->length = end;
  }
}

// --- The data ---

static void put_threads(const struct work *work, struct json *json) {
  json_array_begin(json, "threads");
  for (size_t i = 0; i < work->n_threads; i++) {
    json_object_begin(json, NULL);
    if (work->threads[i].name)
      json_text(json, "name", work->threads[i].name);
    else
      json_null(json, "name");
    json_integer(json, "id", work->threads[i].tid);
    json_object_end(json);
  }
  json_array_end(json);
}

/** A number of a moment, by name of its array. */
static const char *const columns[] = {"thread", "from", "to", "frame", "ticks"};
enum { N_COLUMNS = sizeof(columns) / sizeof(*columns) };

static uint64_t number_of(const struct work *work, size_t i_column,
                          const struct stack_moment *moment) {
  switch (i_column) {
  case 0:
    return work
        ->sorted_from[map64_find(&work->by_id[moment->i_side], moment->tid)];
  case 1:
    return microseconds(time_of(work, moment, moment->begin));
  case 2:
    return microseconds(isfinite(moment->end)
                            ? time_of(work, moment, moment->end)
                            : work->length);
  case 3:
    return moment->i_frame;
  default:
    return html_thousandths(moment->ticks);
  }
}

static void put_moments(const struct work *work, struct json *json) {
  const struct flame_tree *const tree = work->tree;
  json_integer(json, "length", microseconds(work->length));
  json_object_begin(json, "moments");
  for (size_t k = 0; k < N_COLUMNS; k++) {
    json_array_begin(json, columns[k]);
    for (size_t i = 0; i < tree->n_moments; i++)
      json_integer(json, NULL, number_of(work, k, &tree->moments[i]));
    json_array_end(json);
  }
  json_object_end(json);
}

static int prepare(struct work *work, struct err *err) {
  const size_t n = work->inputs->n_sides;
  work->by_id = calloc(n + 1, sizeof(*work->by_id));
  work->began = calloc(n + 1, sizeof(*work->began));
  work->began_ns = calloc(n + 1, sizeof(*work->began_ns));
  if (!work->by_id || !work->began || !work->began_ns)
    return err_no_memory(err);
  if (add_threads(work, err) ||
      inputs_read_sides(work->inputs, SIDE_THREAD_NAME, set_name, work, err) ||
      inputs_read_sides(work->inputs, SIDE_BEGAN, set_began, work, err))
    return -1;
  align(work);
  find_length(work);
  return name_first_threads(work, err) || sort_threads(work, err) ? -1 : 0;
}

int flame_moments_put(const struct graph_profile *program,
                      const struct flame_tree *tree, struct json *json,
                      struct err *err) {
  struct work work = {.inputs = program->sides.inputs, .tree = tree};
  if (!tree->n_moments)
    return 0;
  const int rc = prepare(&work, err);
  if (rc == 0 && work.length > 0) {
    put_threads(&work, json);
    put_moments(&work, json);
  }
  for (size_t i = 0; i < work.n_threads; i++)
    free(work.threads[i].name);
  for (size_t i = 0; work.by_id && i < work.inputs->n_sides; i++)
    map64_release(&work.by_id[i]);
  free(work.threads);
  free(work.by_id);
  free(work.began);
  free(work.began_ns);
  free(work.sorted_from);
  return rc;
}
