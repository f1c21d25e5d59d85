/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects -> files, and what is said of them. */
#include <errno.h>

#include "dump/baseline.h"
#include "dump/file.h"
#include "dump/side.h"
#include "life/output.h"
#include "os/scratch.h"
#include "sample/sampler.h"
#include "settings/environment.h"

#define NO_PROFILE "; no profile written"

static struct {
  const char *side_suffix; /* or NULL: none */
  bool is_side_stale;      /* an object's file is newer than the side file */
  bool has_failed;
  uint64_t n_dumps;
} output;

static void tell(struct rt_str *written, const char *path, const char *error) {
  rt_str_add(written, "\n");
  rt_str_add(written, path);
  rt_str_add(written, error ? ": " : "");
  rt_str_add(written, error ? error : "");
}

/* One line is enough: what is wrong with one file is wrong with the others. */
static void report(const struct rt_output_way *way, const char *path, int error,
                   const char *loss) {
  const bool is_verbose = rt_options_current()->verbose;
  char text[64];
  struct rt_str str = {.text = text, .room = sizeof text};

  rt_str_add_error(&str, error);
  if (way->written)
    tell(way->written, path, error ? text : NULL);
  if (!error) {
    if (is_verbose)
      rt_message("wrote ", path, NULL);
    return;
  }
  if (way->is_retried || (output.has_failed && !is_verbose))
    return;
  output.has_failed = true;
  rt_message(path, ": ", text, loss, NULL);
}

void rt_output_lost(void) {
  report(&(const struct rt_output_way){0}, "profile", -ENOMEM, NO_PROFILE);
}

/* Writes the file of which the name ends in suffix. */
static int write_named(const struct rt_output_way *way, const char *suffix,
                       int (*write)(const void *what, struct write_sink *sink),
                       const void *what) {
  char *name = rt_take(RT_MAX_PATH);
  struct rt_str path = {.text = name, .room = RT_MAX_PATH};

  if (!name) {
    report(way, "profile", -ENOMEM, NO_PROFILE);
    return -ENOMEM;
  }
  rt_options_name(rt_options_current(), suffix, &path);
  const int rc =
      path.is_cut ? -ENAMETOOLONG : rt_file_write(path.text, write, what);
  report(way, path.text, rc, NO_PROFILE);
  rt_give(name, RT_MAX_PATH);
  return rc;
}

static void forget_counts(struct rt_object *object,
                          struct rt_baseline_next *next) {
  rt_baseline_commit(object, next);
  rt_sampler_zero(object);
  object->is_written = false;
}

/* What was written before this exit() may have samples since, and another
   process of the same file name may have replaced it. */
static int write_object(struct rt_object *object,
                        const struct rt_output_way *way) {
  const bool only_moved = way->only_moved && object->is_written;
  struct rt_profile profile;
  struct rt_baseline_next next = {0};

  if (only_moved && object->written_sum == rt_profile_sum(object))
    return 0;
  int rc = rt_profile_collect(object, &profile);
  if (!rc && way->is_reset)
    rc = rt_baseline_prepare(object, &profile, &next);
  if (!rc)
    rc = rt_profile_solve(object, &profile);
  if (!rc)
    rc = rt_side_take(object, &profile);
  if (!rc)
    rc = write_named(way, object->suffix, rt_profile_write, &profile);
  if (!rc) {
    object->is_written = way->is_exiting;
    object->written_sum = profile.sum;
    output.is_side_stale = true;
  }
  if (!rc && way->is_reset)
    forget_counts(object, &next);
  rt_baseline_cancel(object, &next);
  rt_profile_release(&profile);
  if (rc == -ENOMEM)
    report(way, "profile", rc,
           only_moved ? "; what was called last may be missing" : NO_PROFILE);
  return rc;
}

/* After the files of objects. */
static int write_side(const struct rt_output_way *way) {
  char text[RT_MAX_SUFFIX + sizeof RT_SIDE_SUFFIX];
  struct rt_str suffix = {.text = text, .room = sizeof text};

  if (!output.is_side_stale || !rt_options_current()->is_side_wanted)
    return 0;
  rt_str_add(&suffix, output.side_suffix ? output.side_suffix : "");
  rt_str_add(&suffix, RT_SIDE_SUFFIX);
  const int rc =
      write_named(way, suffix.text, rt_side_write, rt_options_current());
  output.is_side_stale = rc != 0;
  return rc;
}

void rt_output_name_side(const char *suffix) { output.side_suffix = suffix; }

int rt_output_all(const struct rt_output_way *way) {
  int rc = 0;

  for (struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_load(&it->state) == RT_ATTACHED) {
      const int one = write_object(it, way);
      rc = rc ? rc : one;
    }
  const int side_rc = write_side(way);
  rc = rc ? rc : side_rc;
  output.n_dumps += !rc;
  return rc;
}

void rt_output_object(struct rt_object *object,
                      const struct rt_output_way *way) {
  write_object(object, way);
  write_side(way);
}

bool rt_output_has_failed(void) { return output.has_failed; }

uint64_t rt_output_n_dumps(void) { return rt_load(&output.n_dumps); }

void rt_output_in_child(void) { output.n_dumps = 0; }
