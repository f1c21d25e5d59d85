/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "merge/merge.h"

#include "arcline/gmon_format.h"
#include "base/array.h"
#include "base/err.h"
#include "base/progress.h"
#include "gmon/gmon_read.h"
#include "gmon/side_read.h"
#include "merge/merge_key.h"
#include "sum/side_sum.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void *take(size_t n_bytes) { return malloc(n_bytes ? n_bytes : 1); }

static void give(void *memory, size_t n_bytes) {
  (void)n_bytes;
  free(memory);
}

static const struct sum_memory heap = {take, give};

// --- What is wrong with a file ---

static const char *reason_text(enum sum_reason reason, bool is_side) {
  switch (reason) {
  case SUM_FINE:
  case SUM_NO_MEMORY:
  case SUM_CANNOT_WRITE:
  case SUM_NOT_SORTED:
    break;
  case SUM_NOT_GMON:
    return "neither a profile in gmon's format, version 1, nor a side file";
  case SUM_MALFORMED:
    return "a line that is malformed, or names what no line above lists";
  case SUM_UNKNOWN:
    return "a record of unknown kind";
  case SUM_CUT_OFF:
    return "the file is cut off in or behind this record";
  case SUM_BAD_RANGE:
    return "a histogram that ends before it begins";
  case SUM_OTHER_IMAGE:
    return "of another program than those before it";
  case SUM_OVERLAP:
    return "a histogram that overlaps another one without being equal, or has "
           "bins of another width";
  case SUM_OTHER_UNIT:
    return is_side ? "samples of another rate or unit than in the files before "
                     "it"
                   : "a histogram of another rate or unit than those before it";
  }
  return "no memory";
}

/** Warn of a file, and count it. Returns 0, or -1 with *err set for want of
 * memory, which is nobody's fault. */
static int skip(struct merge *merge, const char *path,
                const struct sum_flaw *flaw, bool is_side, struct err *err) {
  if (flaw->reason == SUM_NO_MEMORY || flaw->reason == SUM_CANNOT_WRITE)
    return err_no_memory(err);
  progress_erase();
  warn("%s, offset %" PRIu64 ": %s; left out", path, flaw->offset,
       reason_text(flaw->reason, is_side));
  merge->n_skipped++;
  return 0;
}

// --- Sums ---

static struct merge_sum *find_sum(struct merge *merge,
                                  const struct sum_file *file, bool is_side) {
  for (size_t i = merge->n_sums; i-- > 0;) {
    struct merge_sum *const sum = &merge->sums[i];
    const struct sum_file other = byte_sink_file(&sum->bytes);
    if (sum->is_side == is_side && merge_is_same(&other, file, is_side))
      return sum;
  }
  return NULL;
}

static int add_up(const struct sum_file files[2], bool is_side,
                  struct write_sink *sink, struct sum_flaw *flaw) {
  const struct sum_side_options options = {.memory = heap};
  return is_side ? sum_side(files, &options, sink, flaw)
                 : sum_gmon(files, sink, flaw);
}

/** Add to what there is. The sum stays as it was if that fails. */
static int add_to(struct merge *merge, struct byte_sink *sum,
                  struct sum_file file, bool is_side, struct sum_flaw *flaw) {
  struct sum_file files[2] = {byte_sink_file(sum), file};
  bool is_sorted = !merge->has_unsorted;
  *flaw = (struct sum_flaw){.reason = SUM_NO_MEMORY};
  for (;; is_sorted = false) {
    if (!is_side && !is_sorted) {
      // As a process writes it. Sorted once, it can be added.
      if (byte_sink_begin(&merge->sorted) ||
          sum_sort(&file, &heap, &merge->sorted.sink, flaw))
        return -1;
      files[1] = byte_sink_file(&merge->sorted);
    }
    if (byte_sink_begin(&merge->spare))
      return -1;
    if (add_up(files, is_side, &merge->spare.sink, flaw) == 0)
      break;
    if (flaw->reason != SUM_NOT_SORTED || !is_sorted)
      return -1;
    merge->has_unsorted = true;
  }
  const struct byte_sink swap = *sum;
  *sum = merge->spare;
  merge->spare = swap;
  return 0;
}

static int add_sum(struct merge *merge, struct merge_sum **out,
                   struct err *err) {
  struct merge_sum *const sums =
      array_grow(merge->sums, merge->n_sums, &merge->max_sums, sizeof(*sums));
  if (!sums)
    return err_no_memory(err);
  merge->sums = sums;
  *out = &sums[merge->n_sums];
  **out = (struct merge_sum){0};
  return 0;
}

/** The name in NAME.BUILD_ID, as sums of profiles are called. NULL: none, or no
 * memory, since it is a hint only. */
static char *name_in(const char *path, const struct sum_file *file) {
  char suffix[MERGE_ID_TEXT + 1] = ".";
  const char *const slash = strrchr(path, '/');
  const char *const name = slash ? slash + 1 : path;
  if (!merge_build_id(file, suffix + 1))
    return NULL;
  const size_t n = strlen(name), n_suffix = strlen(suffix);
  return n > n_suffix && strcmp(name + n - n_suffix, suffix) == 0
             ? strndup(name, n - n_suffix)
             : NULL;
}

static int add_bytes(struct merge *merge, const char *path,
                     const struct gmon_file *read, struct err *err) {
  const struct sum_file file = {read->bytes, read->n_bytes};
  const bool is_side = side_is_side_file(read);
  struct merge_sum *sum = find_sum(merge, &file, is_side);
  const bool is_new = !sum;
  struct sum_flaw flaw;
  if (is_new && add_sum(merge, &sum, err))
    return -1;
  if (add_to(merge, &sum->bytes, file, is_side, &flaw)) {
    if (is_new)
      byte_sink_release(&sum->bytes);
    return skip(merge, path, &flaw, is_side, err);
  }
  if (is_new) {
    sum->is_side = is_side;
    sum->name = is_side ? NULL : name_in(path, &file);
    merge->n_sums++;
  }
  merge->n_files++;
  return 0;
}

// --- Files and folders ---

/** Is it worth a word that the file is of no known kind? In a folder it is not.
 */
static int add_file(struct merge *merge, const char *path, bool is_given,
                    struct err *err) {
  struct gmon_file file;
  progress_step("reading", path);
  if (gmon_file_load(path, &file, err)) {
    if (err->code != ERR_INPUT)
      return -1;
    progress_erase();
    warn("%s; left out", err->text);
    *err = (struct err){0};
    merge->n_skipped++;
    return 0;
  }
  const bool is_known = side_is_side_file(&file) ||
                        (file.n_bytes >= GMON_MAGIC_BYTES &&
                         memcmp(file.bytes, GMON_MAGIC, GMON_MAGIC_BYTES) == 0);
  const int rc = is_known || is_given ? add_bytes(merge, path, &file, err) : 0;
  gmon_file_release(&file);
  return rc;
}

/** Names of files or folders that are still to be looked at; owned. */
struct paths {
  char **at;
  size_t n, max;
};

static int push(struct paths *paths, char *path, struct err *err) {
  char **const at =
      path ? array_grow(paths->at, paths->n, &paths->max, sizeof(*at)) : NULL;
  if (!at) {
    free(path);
    return err_no_memory(err);
  }
  paths->at = at;
  at[paths->n++] = path;
  return 0;
}

static int compare_paths(const void *left, const void *right) {
  return strcmp(*(char *const *)right, *(char *const *)left);
}

/** Push what is in a folder, so that it is popped in order of names. */
static int push_entries(struct merge *merge, struct paths *paths,
                        const char *folder, struct err *err) {
  const size_t first = paths->n;
  DIR *const dir = opendir(folder);
  int rc = 0;
  if (!dir) {
    warn("%s: %s; left out", folder, strerror(errno));
    merge->n_skipped++;
    return 0;
  }
  for (const struct dirent *entry; rc == 0 && (entry = readdir(dir));) {
    char *path = NULL;
    if (entry->d_name[0] == '.')
      continue;
    if (asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
      path = NULL;
    rc = push(paths, path, err);
  }
  closedir(dir);
  qsort(paths->at + first, paths->n - first, sizeof(*paths->at), compare_paths);
  return rc;
}

int merge_add(struct merge *merge, const char *path, struct err *err) {
  struct paths paths = {0};
  int rc = push(&paths, strdup(path), err);
  bool is_given = true;
  // A stack: folders may be as deep as they like.
  while (rc == 0 && paths.n) {
    char *const next = paths.at[--paths.n];
    struct stat status;
    // A link to a folder could lead back; what was given is followed.
    const bool is_there =
        (is_given ? stat(next, &status) : lstat(next, &status)) == 0;
    if (is_there && S_ISDIR(status.st_mode))
      rc = push_entries(merge, &paths, next, err);
    else if (is_given || (is_there && S_ISREG(status.st_mode)))
      rc = add_file(merge, next, is_given, err);
    free(next);
    is_given = false;
  }
  while (paths.n)
    free(paths.at[--paths.n]);
  free(paths.at);
  return rc;
}

void merge_release(struct merge *merge) {
  for (size_t i = 0; i < merge->n_sums; i++) {
    byte_sink_release(&merge->sums[i].bytes);
    free(merge->sums[i].name);
    free(merge->sums[i].file);
  }
  free(merge->sums);
  byte_sink_release(&merge->spare);
  byte_sink_release(&merge->sorted);
  *merge = (struct merge){0};
}
