/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/runs.h"

#include "base/err.h"
#include "base/in_file.h"
#include "gmon/side_read.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void count_profiles(const struct inputs *inputs, struct runs *out) {
  struct stat status;
  for (size_t i = 0; i < inputs->n_objects; i++) {
    const struct input_object *const object = &inputs->objects[i];
    out->n_profiles += object->n_profile_paths;
    for (size_t j = 0; j < object->n_profile_paths; j++)
      if (in_file_status(object->profile_paths[j], &status) == 0 &&
          status.st_mtime > out->last_written)
        out->last_written = status.st_mtime;
  }
}

static int add_loss(struct runs *runs, const char *what, uint64_t count,
                    struct err *err) {
  for (size_t i = 0; i < runs->n_losses; i++)
    if (strcmp(runs->losses[i].what, what) == 0) {
      runs->losses[i].count += count;
      return 0;
    }
  struct runs_loss *const losses =
      reallocarray(runs->losses, runs->n_losses + 1, sizeof(*losses));
  if (!losses)
    return err_no_memory(err);
  runs->losses = losses;
  losses[runs->n_losses] = (struct runs_loss){strdup(what), count};
  if (!losses[runs->n_losses].what)
    return err_no_memory(err);
  runs->n_losses++;
  return 0;
}

static int take(struct runs *runs, const struct side_record *record,
                struct err *err) {
  switch (record->form->kind) {
  case SIDE_THREAD:
    runs->n_threads += record->thread.n_samples > 0;
    return 0;
  case SIDE_LATE_THREADS:
    runs->n_late_threads += record->count;
    return 0;
  case SIDE_LOST:
    return record->count ? add_loss(runs, record->name, record->count, err) : 0;
  default:
    return 0;
  }
}

/** Read a side file once, for all kinds of records. */
static int read_side(const struct side_file *side, struct runs *out,
                     struct err *err) {
  struct side_reader reader;
  struct side_record record;
  int rc = 0;
  side_reader_begin(&reader, &side->bytes, err);
  while (rc == 0 && side_reader_next(&reader, &record))
    rc = take(out, &record, err);
  if (side_reader_end(&reader))
    rc = -1;
  out->pid = side->pid;
  out->n_processes += side->n_processes;
  out->user_us += side->user_us;
  out->system_us += side->system_us;
  return rc;
}

int runs_load(const struct model *model, struct runs *out, struct err *err) {
  *out = (struct runs){0};
  count_profiles(&model->inputs, out);
  for (size_t i = 0; i < model->inputs.n_sides; i++)
    if (read_side(&model->inputs.sides[i], out, err)) {
      runs_release(out);
      return -1;
    }
  if (out->n_processes != 1)
    out->pid = 0;
  return 0;
}

uint64_t runs_lost(const struct runs *runs, const char *what) {
  for (size_t i = 0; i < runs->n_losses; i++)
    if (strcmp(runs->losses[i].what, what) == 0)
      return runs->losses[i].count;
  return 0;
}

void runs_release(struct runs *runs) {
  for (size_t i = 0; i < runs->n_losses; i++)
    free(runs->losses[i].what);
  free(runs->losses);
  *runs = (struct runs){0};
}
