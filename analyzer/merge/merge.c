/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "merge/merge.h"

#include "arcline/gmon_format.h"
#include "base/archive.h"
#include "base/array.h"
#include "base/err.h"
#include "base/file_walk.h"
#include "base/in_file.h"
#include "base/progress.h"
#include "gmon/gmon_read.h"
#include "gmon/side_read.h"
#include "image/image.h"
#include "merge/merge_key.h"
#include "recover/pool_calls.h"
#include "recover/pool_profile.h"
#include "sum/side_sum.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/** Sums of one object that are kept until the one of most files is known;
 * bounded, as hostile inputs may all differ. */
enum { MAX_RIVALS = 8 };

static void *allocate(size_t n_bytes) { return malloc(n_bytes ? n_bytes : 1); }

static void deallocate(void *memory, size_t n_bytes) {
  (void)n_bytes;
  free(memory);
}

static const struct sum_memory heap = {allocate, deallocate};

// --- Flaws of files ---

static const char *reason_text(enum sum_reason reason, bool is_side) {
  switch (reason) {
  case SUM_FINE:
  case SUM_NO_MEMORY:
  case SUM_CANNOT_WRITE:
  case SUM_NOT_SORTED:
    break;
  case SUM_NOT_GMON:
    return "neither a gmon file of version 1 nor a side file";
  case SUM_MALFORMED:
    return "malformed line, or reference to an undefined object";
  case SUM_UNKNOWN:
    return "unknown record";
  case SUM_CUT_OFF:
    return "truncated record";
  case SUM_BAD_RANGE:
    return "histogram ends before its start";
  case SUM_OTHER_IMAGE:
    return "program differs from that of files with the same build ID";
  case SUM_OVERLAP:
    return "histogram overlaps another one or has another bin width";
  case SUM_OTHER_UNIT:
    return is_side
               ? "samples have another rate or unit than those of other files"
               : "histogram has another rate or unit than others";
  }
  return "out of memory";
}

/** Warn of a file. Returns 0, or -1 with *err set if memory runs out, which is
 * not the file's fault. */
static int skip(const char *path, const struct sum_flaw *flaw, bool is_side,
                struct err *err) {
  if (flaw->reason == SUM_NO_MEMORY || flaw->reason == SUM_CANNOT_WRITE)
    return err_no_memory(err);
  warn("%s: %s (offset %" PRIu64 "); skipped", path,
       reason_text(flaw->reason, is_side), flaw->offset);
  return 0;
}

// --- Sums ---

/** The next sum of the same object below *i, which becomes its index. */
static struct merge_sum *find_sum(struct merge *merge, size_t *i,
                                  const struct sum_file *file, bool is_side) {
  while ((*i)-- > 0) {
    struct merge_sum *const sum = &merge->sums[*i];
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

/** Add a file to a sum, which stays as it was if that fails. */
static int add_to(struct merge *merge, struct write_byte_sink *sum,
                  struct sum_file file, bool is_side, struct sum_flaw *flaw) {
  struct sum_file files[2] = {byte_sink_file(sum), file};
  bool is_sorted = !merge->has_unsorted;
  *flaw = (struct sum_flaw){.reason = SUM_NO_MEMORY};
  for (;; is_sorted = false) {
    if (!is_side && !is_sorted) {
      // The file is in the order of a process. Once sorted, it can be added.
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
  const struct write_byte_sink swap = *sum;
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

/** Keep one of several names, independent of their order. A hint only: no
 * memory is no error. */
static void keep_name(struct merge_sum *sum, const char *name) {
  if (!name || (sum->name && strcmp(sum->name, name) <= 0))
    return;
  char *const copy = strdup(name);
  if (!copy)
    return;
  free(sum->name);
  sum->name = copy;
}

static void release_sum(struct merge_sum *sum) {
  byte_sink_release(&sum->bytes);
  free(sum->name);
  free(sum->first);
  free(sum->file);
}

/** Is the only flaw of two files that they do not fit each other? */
static bool is_misfit(const struct sum_flaw *flaw) {
  return flaw->reason == SUM_OTHER_IMAGE || flaw->reason == SUM_OVERLAP ||
         flaw->reason == SUM_OTHER_UNIT;
}

/** Add to a sum that it fits, or begin one. Returns NULL, with *flaw set, if
 * there is none. */
static struct merge_sum *place(struct merge *merge,
                               const struct merge_sum *from,
                               struct sum_flaw *flaw, struct err *err) {
  const struct sum_file file = byte_sink_file(&from->bytes);
  struct merge_sum *sum;
  size_t n_misfits = 0;
  for (size_t i = merge->n_sums;
       (sum = find_sum(merge, &i, &file, from->is_side)); n_misfits++) {
    if (add_to(merge, &sum->bytes, file, from->is_side, flaw) == 0)
      return sum;
    if (!is_misfit(flaw))
      return NULL;
  }
  if (n_misfits == MAX_RIVALS)
    return NULL;
  *flaw = (struct sum_flaw){.reason = SUM_NO_MEMORY};
  if (append(merge, &sum, err))
    return NULL;
  sum->is_side = from->is_side;
  sum->first = strdup(from->first);
  if (!sum->first || add_to(merge, &sum->bytes, file, from->is_side, flaw)) {
    release_sum(sum);
    return NULL;
  }
  merge->n_sums++;
  return sum;
}

int merge_add_sum(struct merge *merge, const struct merge_sum *from,
                  struct err *err) {
  struct sum_flaw flaw;
  struct merge_sum *const sum = place(merge, from, &flaw, err);
  if (!sum) {
    merge->n_skipped += from->n_files;
    return skip(from->first, &flaw, from->is_side, err);
  }
  keep_name(sum, from->name);
  sum->n_files += from->n_files;
  merge->n_files += from->n_files;
  return 0;
}

// --- Files that do not fit one another ---

/** Is a the sum of more files than b, or, if of as many, first by their
 * bytes? */
static bool is_better(const struct merge_sum *a, const struct merge_sum *b) {
  const struct sum_file left = byte_sink_file(&a->bytes);
  const struct sum_file right = byte_sink_file(&b->bytes);
  if (a->n_files != b->n_files)
    return a->n_files > b->n_files;
  if (left.n_bytes != right.n_bytes)
    return left.n_bytes > right.n_bytes;
  return memcmp(left.bytes, right.bytes, left.n_bytes) > 0;
}

static void warn_of_misfit(const struct merge_sum *sum,
                           enum sum_reason reason) {
  const char *const text = reason_text(reason, sum->is_side);
  if (sum->n_files == 1)
    warn("%s: %s; skipped", sum->first, text);
  else
    warn("%s and %zu more: %s; skipped", sum->first, sum->n_files - 1, text);
}

/** Leave a sum out for another one. */
static int drop(struct merge *merge, struct merge_sum *sum,
                struct merge_sum *best, struct err *err) {
  struct sum_flaw flaw;
  if (add_to(merge, &best->bytes, byte_sink_file(&sum->bytes), sum->is_side,
             &flaw) == 0) {
    best->n_files += sum->n_files;
  } else if (is_misfit(&flaw)) {
    warn_of_misfit(sum, flaw.reason);
    merge->n_files -= sum->n_files;
    merge->n_skipped += sum->n_files;
  } else {
    return err_no_memory(err);
  }
  release_sum(sum);
  *sum = merge->sums[--merge->n_sums];
  return 0;
}

int merge_choose(struct merge *merge, struct err *err) {
  for (size_t i = 0; i < merge->n_sums; i++) {
    struct merge_sum *rival;
    struct merge_sum *const best = &merge->sums[i];
    for (size_t j = merge->n_sums;;) {
      const struct sum_file file = byte_sink_file(&best->bytes);
      // The last one that it finds is the best itself.
      rival = find_sum(merge, &j, &file, best->is_side);
      if (!rival || j <= i)
        break;
      if (is_better(rival, best)) {
        const struct merge_sum swap = *best;
        *best = *rival;
        *rival = swap;
      }
      if (drop(merge, rival, best, err))
        return -1;
    }
  }
  return 0;
}

static int add_bytes(struct merge *merge, const char *path,
                     const struct gmon_file *read, struct err *err) {
  // The bytes are only read.
  struct merge_sum sum = {
      .is_side = side_is_side_file(read), .n_files = 1, .first = (char *)path};
  sum.bytes.sink = (struct write_sink){.first = read->bytes,
                                       .at = read->bytes + read->n_bytes};
  const struct sum_file file = byte_sink_file(&sum.bytes);
  sum.name = sum.is_side ? NULL : name_in(path, &file);
  const int rc = merge_add_sum(merge, &sum, err);
  free(sum.name);
  return rc;
}

// --- Files and folders ---

/** Is a file called as the runtime calls profiles? A full disk leaves empty
 * ones of these; other empty files of a folder are not ours. */
static bool is_profile_name(const char *path) {
  const char *const slash = strrchr(path, '/');
  const char *const name = slash ? slash + 1 : path;
  const char *suffix = strrchr(name, '.');

  if (strstr(name, "gmon"))
    return true;
  if (!suffix)
    return false;
  // The number of a process, or a build-id.
  const size_t n = strlen(++suffix);
  return strcmp(suffix, "arcline") == 0 ||
         (n > 0 && strspn(suffix, "0123456789") == n) ||
         (n >= 16 && strspn(suffix, "0123456789abcdef") == n);
}

/** Is a side file a sum, as those beside pools are? */
static bool is_sum_of_sides(const struct gmon_file *file) {
  static const char text[] = "\nprocess 0 ";
  const uint8_t *const line = memchr(file->bytes, '\n', file->n_bytes);
  const size_t n = sizeof(text) - 1;
  return line && file->n_bytes - (size_t)(line - file->bytes) >= n &&
         memcmp(line, text, n) == 0;
}

/** For pool_calls_add(). */
static int find_image(void *context, const struct side_entry *entry,
                      const char **path, struct err *err) {
  struct image image;
  struct err ignored;
  bool is_it = false;
  *path = entry->path;
  if (image_open(entry->path, &image, &ignored) == 0) {
    is_it = entry->n_build_id &&
            memcmp(image.build_id, entry->build_id, entry->n_build_id) == 0;
    image_close(&image);
  }
  return is_it ? 0
               : image_index_find(context, entry->build_id, entry->n_build_id,
                                  path, err);
}

/** Solve what pools have: a pool itself, or calls of those beside a side file.
 * Returns 0, or -1 with *err set. */
static int solve_pools(struct merge *merge, const char *path,
                       struct gmon_file *file, struct err *err) {
  struct side_file side;
  struct err damage;
  if (!side_is_side_file(file))
    return pool_profile_replace(file, NULL, &merge->images, err);
  // Damage is reported when it is added.
  if (!is_sum_of_sides(file) || side_file_load(path, &side, &damage))
    return 0;
  const int rc = pool_calls_add(&side, find_image, &merge->images, err);
  if (rc == 0) {
    const struct gmon_file swap = *file;
    *file = side.bytes;
    side.bytes = swap;
    file->path = path;
  }
  side_file_release(&side);
  return rc;
}

/** Leave a file out, with a warning, if *err is its fault. */
static int leave_out(struct merge *merge, struct err *err) {
  if (err->code != ERR_INPUT)
    return -1;
  warn("%s; skipped", err->text);
  *err = (struct err){0};
  merge->n_skipped++;
  return 0;
}

/** A file of no known kind is warned of only if the user gave it. */
int merge_add_file(struct merge *merge, const char *path, bool is_given,
                   struct err *err) {
  struct gmon_file file;
  progress_step("reading", path);
  if (gmon_file_load(path, &file, err))
    return leave_out(merge, err);
  if (file.n_bytes == 0 && (is_given || is_profile_name(path))) {
    gmon_file_release(&file);
    warn("%s: file is empty, as after a full disk; skipped", path);
    merge->n_skipped++;
    return 0;
  }
  if (solve_pools(merge, path, &file, err)) {
    gmon_file_release(&file);
    return leave_out(merge, err);
  }
  const bool is_known = side_is_side_file(&file) ||
                        (file.n_bytes >= GMON_MAGIC_BYTES &&
                         memcmp(file.bytes, GMON_MAGIC, GMON_MAGIC_BYTES) == 0);
  const int rc = is_known || is_given ? add_bytes(merge, path, &file, err) : 0;
  gmon_file_release(&file);
  return rc;
}

static int add_found(void *merge, const char *path, struct err *err) {
  return merge_add_file(merge, path, false, err);
}

/** Does a file begin as an archive does? */
static bool is_archive(const char *path) {
  uint8_t bytes[32];
  struct stat status;
  const ssize_t n = in_file_start(path, bytes, sizeof(bytes), &status);
  return n > 0 && archive_begins(bytes, (size_t)n);
}

/** Context of add_archived(). */
struct archive_walk {
  struct merge *merge;
  struct err *err;
};

/** Add a file of an archive, under its first name only. */
static int add_archived(void *context, const char *rest) {
  const struct archive_walk *const walk = context;
  char *path;
  if (asprintf(&path, "/%s", rest) < 0)
    return err_no_memory(walk->err);
  char *const real = in_file_real(path);
  int rc = real ? 0 : err_no_memory(walk->err);
  if (real && strcmp(real, path) == 0)
    rc = merge_add_file(walk->merge, path, false, walk->err);
  free(real);
  free(path);
  return rc;
}

/** Add the profiles in an archive, and solve its pools by its images. */
static int add_archive(struct merge *merge, const char *path, struct err *err) {
  struct archive_walk walk = {merge, err};
  struct archive archive;
  if (archive_open(path, &archive, err))
    return leave_out(merge, err);
  in_file_use(&archive.files);
  const int rc = file_set_walk(&archive.files, "/", add_archived, &walk);
  archive_close(&archive);
  return rc;
}

int merge_add(struct merge *merge, const char *path, struct err *err) {
  struct stat status;
  if (is_archive(path))
    return add_archive(merge, path, err);
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode)
             ? file_walk_each(path, add_found, merge, &merge->n_skipped, err)
             : merge_add_file(merge, path, true, err);
}

void merge_trim(struct merge *merge) {
  byte_sink_release(&merge->spare);
  byte_sink_release(&merge->sorted);
}

void merge_release(struct merge *merge) {
  for (size_t i = 0; i < merge->n_sums; i++)
    release_sum(&merge->sums[i]);
  free(merge->sums);
  merge_trim(merge);
  image_index_release(&merge->images);
  *merge = (struct merge){0};
}
