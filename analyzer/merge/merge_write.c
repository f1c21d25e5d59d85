/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writes sums to files, with the names that processes would give them. */
#include "base/err.h"
#include "base/out_file.h"
#include "gmon/gmon_file.h"
#include "gmon/side_read.h"
#include "merge/merge.h"
#include "merge/merge_key.h"
#include "sum/side_sum.h"
#include "write/side_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/** Names of the files to be written. */
struct naming {
  struct merge *merge;
  const char *base; /* of one program's: the first one; NULL: of several */
};

static const char *base_of(const char *path) {
  const char *const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static struct merge_sum *find_profile(const struct merge *merge,
                                      const char *id) {
  char text[MERGE_ID_TEXT + 1];
  for (size_t i = 0; i < merge->n_sums; i++) {
    const struct sum_file file = byte_sink_file(&merge->sums[i].bytes);
    if (!merge->sums[i].is_side && merge_build_id(&file, text) &&
        strcmp(text, id) == 0)
      return &merge->sums[i];
  }
  return NULL;
}

static void id_of(const struct side_record *object, char *out) {
  memset(out, '0', MERGE_ID_TEXT);
  out[MERGE_ID_TEXT] = '\0';
  for (size_t i = 0; i < object->n_build_id && i < MERGE_ID_TEXT / 2; i++) {
    char byte[3];
    snprintf(byte, sizeof(byte), "%02x", object->build_id[i]);
    memcpy(out + 2 * i, byte, 2);
  }
}

/** Store a name, which is NULL if memory ran out. */
static int set(char **out, char *text, struct err *err) {
  free(*out);
  *out = text;
  return text ? 0 : err_no_memory(err);
}

static char *join(const char *a, const char *b, const char *c) {
  char *text;
  return asprintf(&text, "%s%s%s", a, b, c) < 0 ? NULL : text;
}

// --- Names ---

/** Name the profile of an object of a program's side file. */
static int name_object(const struct naming *naming,
                       const struct side_record *object, const char *main_file,
                       struct err *err) {
  char id[MERGE_ID_TEXT + 1];
  id_of(object, id);
  struct merge_sum *const sum = find_profile(naming->merge, id);
  const size_t n_main = strlen(main_file);
  if (!sum)
    return 0;
  if (set(&sum->name, strdup(base_of(object->path)), err))
    return -1;
  if (!naming->base)
    return set(&sum->file, join(sum->name, ".", id), err);
  if (object->object.i_object == 0)
    return set(&sum->file, strdup(naming->base), err);
  // The suffix that the process appended to the name of the first one:
  // ".libm.so.6".
  return strncmp(object->file, main_file, n_main) == 0
             ? set(&sum->file, join(naming->base, object->file + n_main, ""),
                   err)
             : set(&sum->file, join(naming->base, ".", sum->name), err);
}

/** Name the profiles that a program's side file lists, and the file itself. */
static int name_program(const struct naming *naming, struct merge_sum *side,
                        struct err *err) {
  const struct sum_file bytes = byte_sink_file(&side->bytes);
  const struct gmon_file file = {
      .path = "sum", .bytes = side->bytes.sink.first, .n_bytes = bytes.n_bytes};
  struct side_reader reader;
  struct side_record record;
  char *main_file = NULL;
  char id[MERGE_ID_TEXT + sizeof(SIDE_SUFFIX)] = "";
  int rc = 0;
  side_reader_begin(&reader, &file, err);
  while (rc == 0 && side_reader_next(&reader, &record)) {
    if (record.form->kind != SIDE_OBJECT || !record.file)
      continue;
    if (!main_file) {
      id_of(&record, id);
      rc = set(&main_file, strdup(record.file), err);
      if (rc == 0)
        rc = set(&side->name, strdup(base_of(record.path)), err);
    }
    if (rc == 0)
      rc = name_object(naming, &record, main_file, err);
  }
  free(main_file);
  if (side_reader_end(&reader) || rc)
    return -1;
  if (naming->base)
    return set(&side->file, join(naming->base, SIDE_SUFFIX, ""), err);
  strcat(id, SIDE_SUFFIX);
  return set(&side->file, join(side->name ? side->name : "program", ".", id),
             err);
}

/** Name the profiles that no side file lists. */
static int name_others(const struct naming *naming, struct err *err) {
  struct merge *const merge = naming->merge;
  for (size_t i = 0; i < merge->n_sums; i++) {
    struct merge_sum *const sum = &merge->sums[i];
    const struct sum_file file = byte_sink_file(&sum->bytes);
    const char *const name = sum->name ? sum->name : "object";
    char id[MERGE_ID_TEXT + 1];
    if (sum->file)
      continue;
    const bool has_id = merge_build_id(&file, id);
    if (set(&sum->file,
            naming->base ? strdup(naming->base)
            : has_id     ? join(name, ".", id)
                         : strdup(name),
            err))
      return -1;
  }
  return 0;
}

static int compare_files(const void *left, const void *right) {
  const struct merge_sum *const a = left, *const b = right;
  return strcmp(a->file, b->file);
}

static bool is_used(const struct merge *merge, const char *file) {
  for (size_t i = 0; i < merge->n_sums; i++)
    if (strcmp(merge->sums[i].file, file) == 0)
      return true;
  return false;
}

/** Append the next number with which a name is not used: "libx.so.2" may be
 * that of another library. */
static int add_number(const struct merge *merge, const char *name,
                      size_t *number, char **out, struct err *err) {
  char *file = NULL;
  do {
    char text[24];
    snprintf(text, sizeof(text), ".%zu", ++*number);
    if (set(&file, join(name, text, ""), err))
      return -1;
  } while (is_used(merge, file));
  return set(out, file, err);
}

/** Number equal names: programs without build-ids may share one, and builds of
 * a library. */
static int number_equal_names(struct merge *merge, struct err *err) {
  qsort(merge->sums, merge->n_sums, sizeof(*merge->sums), compare_files);
  for (size_t first = 0, end; first < merge->n_sums; first = end) {
    for (end = first + 1;
         end < merge->n_sums &&
         strcmp(merge->sums[first].file, merge->sums[end].file) == 0;
         end++)
      continue;
    size_t number = 1;
    for (size_t i = first + 1; i < end; i++)
      if (add_number(merge, merge->sums[first].file, &number,
                     &merge->sums[i].file, err))
        return -1;
  }
  return 0;
}

static int name_all(const struct naming *naming, struct err *err) {
  struct merge *const merge = naming->merge;
  for (size_t i = 0; i < merge->n_sums; i++) {
    free(merge->sums[i].file);
    merge->sums[i].file = NULL;
  }
  for (size_t i = 0; i < merge->n_sums; i++)
    if (merge->sums[i].is_side && name_program(naming, &merge->sums[i], err))
      return -1;
  return 0;
}

// --- Files ---

/** Context of sum_side(). */
struct renaming {
  const struct naming *naming;
  struct side_word *main_file; // of the first object that has one
};

/** Put the name that the sum of an object's profiles would have, if none of
 * them was added: under its old name, there may be other counts. */
static void put_absent(const struct renaming *renaming,
                       const struct sum_object *object, const char *id,
                       struct write_sink *sink) {
  const char *const base = renaming->naming->base;
  const struct side_word main_file = *renaming->main_file;
  const struct side_word file = object->file;
  const struct side_word path = object->path;
  const char *const slash = memrchr(path.at, '/', path.n);
  const char *const name = slash ? slash + 1 : path.at;
  write_side_word(sink, base ? base : "");
  if (base && file.n >= main_file.n &&
      memcmp(file.at, main_file.at, main_file.n) == 0) {
    write_sink_put(sink, file.at + main_file.n, file.n - main_file.n);
    return;
  }
  if (base)
    write_sink_put(sink, ".", 1);
  write_sink_put(sink, name, (size_t)(path.at + path.n - name));
  if (!base) {
    write_sink_put(sink, ".", 1);
    write_sink_put(sink, id, strlen(id));
  }
}

/** For sum_side(): the name of the sum of an object's profiles. */
static void put_file(const void *context, const struct sum_object *object,
                     struct write_sink *sink) {
  const struct renaming *const renaming = context;
  char id[MERGE_ID_TEXT + 1];
  const bool has_id = merge_object_id(object->build_id, id);
  const struct merge_sum *const sum =
      has_id ? find_profile(renaming->naming->merge, id) : NULL;
  if (!renaming->main_file->at)
    *renaming->main_file = object->file;
  if (sum)
    write_side_word(sink, sum->file);
  else
    put_absent(renaming, object, id, sink);
}

static void *allocate(size_t n_bytes) { return malloc(n_bytes ? n_bytes : 1); }

static void deallocate(void *memory, size_t n_bytes) {
  (void)n_bytes;
  free(memory);
}

/** Files have new names. */
static int rename_in_side(const struct naming *naming, struct merge_sum *side,
                          struct err *err) {
  struct side_word main_file = {0};
  const struct renaming renaming = {naming, &main_file};
  const struct sum_side_options options = {.memory = {allocate, deallocate},
                                           .put_file = put_file,
                                           .context = &renaming};
  const struct sum_file files[2] = {byte_sink_file(&side->bytes)};
  struct write_byte_sink *const spare = &naming->merge->spare;
  struct sum_flaw flaw;
  if (byte_sink_begin(spare) || sum_side(files, &options, &spare->sink, &flaw))
    return err_no_memory(err);
  const struct write_byte_sink swap = side->bytes;
  side->bytes = *spare;
  *spare = swap;
  return 0;
}

static int write_sum(const struct merge_sum *sum, const char *folder,
                     struct err *err) {
  const struct sum_file bytes = byte_sink_file(&sum->bytes);
  char *const path = join(folder, folder[0] ? "/" : "", sum->file);
  struct out_file file;
  if (!path)
    return err_no_memory(err);
  int rc = out_file_open(path, &file, err);
  if (rc == 0) {
    fwrite(bytes.bytes, 1, bytes.n_bytes, file.stream);
    rc = out_file_commit(&file, err);
    out_file_release(&file);
  }
  free(path);
  return rc;
}

static bool is_folder(const char *path) {
  struct stat status;
  const size_t n = strlen(path);
  return (n && path[n - 1] == '/') ||
         (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

/** Are all sums of one program, so that one name is enough? */
static bool is_one_program(struct merge *merge) {
  size_t n_sides = 0, n_unknown = 0;
  for (size_t i = 0; i < merge->n_sums; i++) {
    n_sides += merge->sums[i].is_side;
    n_unknown += !merge->sums[i].is_side && !merge->sums[i].file;
  }
  return n_sides ? n_sides == 1 && !n_unknown : merge->n_sums == 1;
}

/** The folder's part of a path; "" if there is none. */
static char *folder_of(const char *path) {
  const size_t n = (size_t)(base_of(path) - path);
  return n > 1 ? strndup(path, n - 1) : strndup(path, n);
}

static int make_folder(const char *path, struct err *err) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST)
    return 0;
  return err_set(err, ERR_SYSTEM, "%s: cannot create folder: %s", path,
                 strerror(errno));
}

int merge_write(struct merge *merge, const char *path, struct err *err) {
  struct naming naming = {.merge = merge, .base = base_of(path)};
  // Names given as for one program show whether it is one.
  if (name_all(&naming, err))
    return -1;
  const bool has_folder = is_folder(path) || !is_one_program(merge);
  if (has_folder) {
    naming.base = NULL;
    if (make_folder(path, err) || name_all(&naming, err))
      return -1;
  }
  if (name_others(&naming, err) || number_equal_names(merge, err))
    return -1;
  char *const folder = has_folder ? strdup(path) : folder_of(path);
  int rc = folder ? 0 : err_no_memory(err);
  for (size_t i = 0; i < merge->n_sums && rc == 0; i++) {
    if (merge->sums[i].is_side)
      rc = rename_in_side(&naming, &merge->sums[i], err);
    if (rc == 0)
      rc = write_sum(&merge->sums[i], folder, err);
  }
  free(folder);
  return rc;
}
