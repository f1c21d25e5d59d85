/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/threads.h"

#include "base/array.h"
#include "base/err.h"
#include "base/map64.h"
#include "base/merge_sort.h"
#include "gmon/side_read.h"
#include "model/model.h"
#include "profile/side_maps.h"

#include <stdlib.h>
#include <string.h>

/** State of reading a side file. */
struct work {
  const struct inputs *inputs;
  struct threads *out;
  struct map64 rows; // of the file: id -> row
  double ticks_per_sample;
  bool *is_wait; // by frame - 1: the thread waits in it
  size_t n_frames, max_frames;
};

static int rename_row(struct thread_row *row, const char *name,
                      struct err *err) {
  free(row->name);
  row->name = strdup(name);
  return row->name ? 0 : err_no_memory(err);
}

static int add_time(void *context, size_t i_side,
                    const struct side_record *record, struct err *err) {
  struct work *const work = context;
  struct threads *const out = work->out;
  uint32_t i = (uint32_t)out->n_rows;
  const char *const name =
      side_file_thread_name(&work->inputs->sides[i_side], record->thread.tid);
  if (record->thread.n_samples == 0)
    return 0;
  struct thread_row *const rows =
      array_grow(out->rows, out->n_rows, &out->max_rows, sizeof(*rows));
  if (!rows)
    return err_no_memory(err);
  out->rows = rows;
  const int rc = map64_find_or_insert(&work->rows, record->thread.tid, &i, err);
  if (rc < 0)
    return -1;
  if (rc == 0) {
    rows[i] = (struct thread_row){.id = record->thread.tid, .n_threads = 1};
    out->n_rows++;
  }
  rows[i].ticks += work->ticks_per_sample * (double)record->thread.n_samples;
  return rc == 0 && name ? rename_row(&rows[i], name, err) : 0;
}

static int set_name(void *context, size_t i_side,
                    const struct side_record *record, struct err *err) {
  struct work *const work = context;
  const uint32_t i = map64_find(&work->rows, record->thread.tid);
  (void)i_side;
  return i == MAP64_NONE ? 0
                         : rename_row(&work->out->rows[i], record->name, err);
}

static int add_frame(void *context, size_t i_side,
                     const struct side_record *record, struct err *err) {
  struct work *const work = context;
  const struct side_file *const side = &work->inputs->sides[i_side];
  bool *const is_wait = array_grow(work->is_wait, work->n_frames,
                                   &work->max_frames, sizeof(*is_wait));
  if (!is_wait)
    return err_no_memory(err);
  work->is_wait = is_wait;
  is_wait[work->n_frames++] =
      strcmp(side->entries[record->frame.i_object].path, "[waiting]") == 0;
  return 0;
}

static int add_wait(void *context, size_t i_side,
                    const struct side_record *record, struct err *err) {
  const struct work *const work = context;
  const uint64_t i_frame = record->moment.i_frame;
  const uint32_t i = map64_find(&work->rows, record->moment.tid);
  (void)i_side;
  (void)err;
  if (i != MAP64_NONE && i_frame && work->is_wait[i_frame - 1])
    work->out->rows[i].waiting +=
        work->ticks_per_sample * (double)record->moment.n_samples;
  return 0;
}

static int read_side(const struct side_maps *maps, size_t i_side,
                     struct threads *out, struct err *err) {
  const struct model *const model = maps->program;
  const struct inputs *const inputs = &model->inputs;
  struct work work = {.inputs = inputs, .out = out};
  work.ticks_per_sample =
      side_maps_ticks_per_sample(maps, &model->unit, i_side);
  if (work.ticks_per_sample <= 0)
    return 0;
  const int rc =
      inputs_read_side(inputs, i_side, SIDE_THREAD, add_time, &work, err) ||
              inputs_read_side(inputs, i_side, SIDE_THREAD_NAME, set_name,
                               &work, err) ||
              inputs_read_side(inputs, i_side, SIDE_FRAME, add_frame, &work,
                               err) ||
              inputs_read_side(inputs, i_side, SIDE_MOMENT, add_wait, &work,
                               err)
          ? -1
          : 0;
  free(work.is_wait);
  map64_release(&work.rows);
  return rc;
}

static int compare_names(const void *left, const void *right,
                         const void *context) {
  const struct thread_row *const a = left, *const b = right;
  (void)context;
  if (!a->name || !b->name)
    return !a->name - !b->name;
  return strcmp(a->name, b->name);
}

static int compare_times(const void *left, const void *right,
                         const void *context) {
  const struct thread_row *const a = left, *const b = right;
  (void)context;
  if (a->ticks != b->ticks)
    return a->ticks < b->ticks ? 1 : -1;
  return (a->id > b->id) - (a->id < b->id);
}

/** Rows from i on that have the name of row i, or the only one without. */
static size_t count_of_name(const struct threads *threads, size_t i) {
  const struct thread_row *const rows = threads->rows;
  size_t n = 1;
  while (rows[i].name && i + n < threads->n_rows && rows[i + n].name &&
         strcmp(rows[i + n].name, rows[i].name) == 0)
    n++;
  return n;
}

/** The rows are sorted by name. */
static void sum_by_name(struct threads *threads) {
  struct thread_row *const rows = threads->rows;
  size_t n_kept = 0;
  for (size_t i = 0, n; i < threads->n_rows; i += n) {
    n = count_of_name(threads, i);
    if (n <= THREADS_MAX_ALONE) {
      memmove(&rows[n_kept], &rows[i], n * sizeof(*rows));
      n_kept += n;
      continue;
    }
    struct thread_row sum = {.name = rows[i].name, .n_threads = n};
    for (size_t j = i; j < i + n; j++) {
      sum.ticks += rows[j].ticks;
      sum.waiting += rows[j].waiting;
      if (j > i)
        free(rows[j].name);
    }
    rows[n_kept++] = sum;
  }
  threads->n_rows = n_kept;
}

static int sort(struct threads *threads, struct err *err) {
  for (size_t i = 0; i < threads->n_rows; i++) {
    threads->ticks += threads->rows[i].ticks;
    threads->waiting += threads->rows[i].waiting;
  }
  if (merge_sort(threads->rows, threads->n_rows, sizeof(*threads->rows),
                 compare_names, NULL))
    return err_no_memory(err);
  sum_by_name(threads);
  return merge_sort(threads->rows, threads->n_rows, sizeof(*threads->rows),
                    compare_times, NULL)
             ? err_no_memory(err)
             : 0;
}

int threads_load(const struct model *model, struct threads *out,
                 struct err *err) {
  struct side_maps maps;
  *out = (struct threads){0};
  if (side_maps_init(model, &maps, err))
    return -1;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < model->inputs.n_sides; i++)
    rc = read_side(&maps, i, out, err);
  side_maps_release(&maps);
  if (rc == 0)
    rc = sort(out, err);
  if (rc)
    threads_release(out);
  return rc;
}

void threads_release(struct threads *threads) {
  for (size_t i = 0; i < threads->n_rows; i++)
    free(threads->rows[i].name);
  free(threads->rows);
  *threads = (struct threads){0};
}
