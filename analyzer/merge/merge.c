/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "merge/merge.h"

#include "arcline/gmon_format.h"
#include "base/array.h"
#include "base/err.h"
#include "base/file_walk.h"
#include "base/progress.h"
#include "gmon/gmon_read.h"
#include "gmon/side_read.h"
#include "merge/merge_key.h"
#include "sum/side_sum.h"

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

/** Warn of a file. Returns 0, or -1 with *err set for want of
 * memory, which is nobody's fault. */
static int skip(const char *path, const struct sum_flaw *flaw, bool is_side,
                struct err *err) {
  if (flaw->reason == SUM_NO_MEMORY || flaw->reason == SUM_CANNOT_WRITE)
    return err_no_memory(err);
  progress_erase();
  warn("%s, offset %" PRIu64 ": %s; left out", path, flaw->offset,
       reason_text(flaw->reason, is_side));
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

static int append(struct merge *merge, struct merge_sum **out,
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
  char suffix[1 + MERGE_ID_TEXT + 1] = ".";
  const char *const slash = strrchr(path, '/');
  const char *const name = slash ? slash + 1 : path;
  if (!merge_build_id(file, suffix + 1))
    return NULL;
  const size_t n = strlen(name), n_suffix = strlen(suffix);
  return n > n_suffix && strcmp(name + n - n_suffix, suffix) == 0
             ? strndup(name, n - n_suffix)
             : NULL;
}

/** Of several names keep one that does not depend on their order. A hint only:
 * no memory is no error. */
static void keep_name(struct merge_sum *sum, const char *name) {
  if (!name || (sum->name && strcmp(sum->name, name) <= 0))
    return;
  char *const copy = strdup(name);
  if (!copy)
    return;
  free(sum->name);
  sum->name = copy;
}

int merge_add_sum(struct merge *merge, const char *path,
                  const struct merge_sum *from, struct err *err) {
  const struct sum_file file = byte_sink_file(&from->bytes);
  struct merge_sum *sum = find_sum(merge, &file, from->is_side);
  const bool is_new = !sum;
  struct sum_flaw flaw;
  if (is_new && append(merge, &sum, err))
    return -1;
  if (add_to(merge, &sum->bytes, file, from->is_side, &flaw)) {
    if (is_new)
      byte_sink_release(&sum->bytes);
    merge->n_skipped += from->n_files;
    return skip(path, &flaw, from->is_side, err);
  }
  if (is_new) {
    sum->is_side = from->is_side;
    merge->n_sums++;
  }
  keep_name(sum, from->name);
  sum->n_files += from->n_files;
  merge->n_files += from->n_files;
  return 0;
}

static int add_bytes(struct merge *merge, const char *path,
                     const struct gmon_file *read, struct err *err) {
  struct merge_sum sum = {.is_side = side_is_side_file(read), .n_files = 1};
  sum.bytes.sink = (struct write_sink){.first = read->bytes,
                                       .at = read->bytes + read->n_bytes};
  const struct sum_file file = byte_sink_file(&sum.bytes);
  sum.name = sum.is_side ? NULL : name_in(path, &file);
  const int rc = merge_add_sum(merge, path, &sum, err);
  free(sum.name);
  return rc;
}

// --- Files and folders ---

/** Is it worth a word that the file is of no known kind? In a folder it is not.
 */
int merge_add_file(struct merge *merge, const char *path, bool is_given,
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

static int add_folder(struct merge *merge, const char *path, struct err *err) {
  struct file_walk walk;
  struct file_walk_found found;
  int rc = file_walk_begin(path, &walk, err);
  if (rc)
    return -1;
  while ((rc = file_walk_next(&walk, &found, err)) > 0) {
    if (found.error) {
      progress_erase();
      warn("%s: %s; left out", found.path, strerror(found.error));
      merge->n_skipped++;
    } else if (merge_add_file(merge, found.path, false, err)) {
      rc = -1;
      break;
    }
  }
  file_walk_end(&walk);
  return rc;
}

int merge_add(struct merge *merge, const char *path, struct err *err) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode)
             ? add_folder(merge, path, err)
             : merge_add_file(merge, path, true, err);
}

void merge_trim(struct merge *merge) {
  byte_sink_release(&merge->spare);
  byte_sink_release(&merge->sorted);
}

void merge_release(struct merge *merge) {
  for (size_t i = 0; i < merge->n_sums; i++) {
    byte_sink_release(&merge->sums[i].bytes);
    free(merge->sums[i].name);
    free(merge->sums[i].file);
  }
  free(merge->sums);
  merge_trim(merge);
  *merge = (struct merge){0};
}
