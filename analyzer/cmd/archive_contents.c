/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/archive_contents.h"

#include "base/array.h"
#include "base/err.h"
#include "base/in_file.h"
#include "base/mapped_file.h"
#include "base/path_clean.h"
#include "base/progress.h"
#include "base/tar_write.h"
#include "cmd/project_root.h"
#include "gmon/gmon_file.h"
#include "image/image_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- Files ---

/** Make a name absolute; to free(), NULL (no memory). */
static char *whole_name(const char *path) {
  char *const folder = path[0] == '/' ? NULL : in_file_folder();
  char *name;
  if (asprintf(&name, "%s%s%s", folder ? folder : "", folder ? "/" : "", path) <
      0)
    name = NULL;
  free(folder);
  if (name)
    path_clean(name);
  return name;
}

int archive_contents_add(struct archive_contents *contents, const char *path,
                         enum archived_kind kind, struct err *err) {
  struct archived_file *const files = array_grow(
      contents->files, contents->n_added, &contents->max_files, sizeof(*files));
  if (!files)
    return err_no_memory(err);
  contents->files = files;
  struct archived_file *const file = &files[contents->n_added];
  *file = (struct archived_file){
      .name = whole_name(path), .real = in_file_real(path), .kind = kind};
  // A source may be one of the machine, beside those of an archive.
  if (!file->real && kind == ARCHIVED_SOURCE)
    file->real = realpath(path, NULL);
  const int error = errno;
  contents->n_added++;
  if (!file->name)
    return err_no_memory(err);
  return file->real ? 0
                    : err_set(err, ERR_INPUT, "%s: cannot open: %s", path,
                              strerror(error));
}

/** By the file, then by its names; the real name is the first. */
static int compare(const void *left, const void *right) {
  const struct archived_file *const a = left, *const b = right;
  const int order = strcmp(a->real, b->real);
  if (order)
    return order;
  const int is_link_a = strcmp(a->name, a->real) != 0;
  const int is_link_b = strcmp(b->name, b->real) != 0;
  return is_link_a != is_link_b ? is_link_a - is_link_b
                                : strcmp(a->name, b->name);
}

// --- Bytes ---

/** The bytes of a file, from one of three places. */
struct loaded {
  const uint8_t *bytes;
  size_t n_bytes;
  struct mapped_file mapped;
  struct gmon_file gmon;
  char *text;
  struct image_parts parts;
};

static void unload(struct loaded *file) {
  image_parts_release(&file->parts);
  mapped_file_close(&file->mapped);
  gmon_file_release(&file->gmon);
  free(file->text);
}

static int load_text(const char *path, struct loaded *out, struct err *err) {
  struct stat status;
  const int fd = in_file_open(path, IN_FILE_SOURCE, &status);
  if (fd < 0)
    return err_set(err, ERR_INPUT, "%s: cannot open: %s", path,
                   in_file_reason(errno));
  out->text = malloc((size_t)status.st_size + 1);
  const ssize_t n =
      out->text ? in_file_read(fd, out->text, (size_t)status.st_size) : 0;
  const int error = errno;
  close(fd);
  if (!out->text)
    return err_no_memory(err);
  if (n < 0)
    return err_set(err, ERR_INPUT, "%s: cannot read: %s", path,
                   strerror(error));
  out->bytes = (const uint8_t *)out->text;
  out->n_bytes = (size_t)n;
  return 0;
}

static int load(const struct archive_contents *contents,
                const struct archived_file *file, struct loaded *out,
                struct err *err) {
  *out = (struct loaded){.bytes = NULL};
  switch (file->kind) {
  case ARCHIVED_SOURCE:
    return load_text(file->real, out, err);
  case ARCHIVED_PROFILE:
    // As a whole, while other processes add to it.
    if (gmon_file_load(file->real, &out->gmon, err))
      return -1;
    out->bytes = out->gmon.bytes;
    out->n_bytes = out->gmon.n_bytes;
    return 0;
  default:
    if (mapped_file_open(file->real, 0, &out->mapped, err))
      return -1;
    out->bytes = out->mapped.bytes;
    out->n_bytes = out->mapped.n_bytes;
    return image_parts_find(out->bytes, out->n_bytes, contents->profiled,
                            file->kind == ARCHIVED_OTHER ? contents->n_profiled
                                                         : 0,
                            &out->parts, err);
  }
}

/** May comments of the text exclude code? Then numbers depend on it. */
static bool has_markers(const struct loaded *file) {
  return memmem(file->bytes, file->n_bytes, "_EXCL_", 6) ||
         memmem(file->bytes, file->n_bytes, "_UNREACHABLE_", 13);
}

static void write_bytes(const struct loaded *file, FILE *out) {
  uint8_t bytes[1 << 14];
  for (size_t at = 0; at < file->n_bytes; at += sizeof(bytes)) {
    const size_t left = file->n_bytes - at;
    const size_t n = left < sizeof(bytes) ? left : sizeof(bytes);
    image_parts_copy(&file->parts, file->bytes, at, n, bytes);
    fwrite(bytes, 1, n, out);
  }
  tar_write_end(out, file->n_bytes);
}

// --- Members ---

/** The time of a member: reports print that of profiles. SOURCE_DATE_EPOCH is
 * the latest one that is recorded. */
static int64_t time_of(const struct archived_file *file) {
  const char *const latest = getenv("SOURCE_DATE_EPOCH");
  struct stat status;
  if (file->kind != ARCHIVED_PROFILE || in_file_status(file->real, &status))
    return 0;
  const int64_t limit = latest ? strtoll(latest, NULL, 10) : INT64_MAX;
  return status.st_mtime < limit ? status.st_mtime : limit;
}

static char *member_name(const char *name) {
  char *member;
  return asprintf(&member, ARCHIVE_FOLDER "%s", name) < 0 ? NULL : member;
}

/** Write a file. A source that has several names is needed to join these.
 * Returns 1; 0: it is left out; or -1. */
static int write_file(struct archive_contents *contents,
                      const struct archived_file *file, bool has_names,
                      FILE *out, struct err *err) {
  struct loaded loaded;
  progress_step("packing", file->real);
  int rc = load(contents, file, &loaded, err) ? -1 : 1;
  if (rc > 0 && file->kind == ARCHIVED_SOURCE && !contents->has_sources)
    rc = has_names || has_markers(&loaded);
  if (rc > 0) {
    char *const name = member_name(file->real);
    if (name) {
      tar_write_file(out, name, loaded.n_bytes, time_of(file));
      write_bytes(&loaded, out);
      contents->n_files[file->kind]++;
      contents->n_bytes += loaded.n_bytes;
    } else {
      rc = err_no_memory(err);
    }
    free(name);
  }
  unload(&loaded);
  return rc;
}

static int write_link(const struct archived_file *file, FILE *out,
                      struct err *err) {
  char *const name = member_name(file->name);
  char *const target = member_name(file->real);
  const bool has_both = name && target;
  if (has_both)
    tar_write_link(out, name, target, time_of(file));
  free(name);
  free(target);
  return has_both ? 0 : err_no_memory(err);
}

/** Write all files, each once, then their other names. */
static int write_files(struct archive_contents *contents, FILE *out,
                       struct err *err) {
  struct archived_file *const files = contents->files;
  const char *written = NULL;
  if (contents->n_added)
    qsort(files, contents->n_added, sizeof(*files), compare);
  for (size_t i = 0, k = 0; i < contents->n_added; i = k) {
    while (k < contents->n_added && strcmp(files[k].real, files[i].real) == 0) {
      // A source may be an image as well, to no purpose.
      if (files[k].kind < files[i].kind)
        files[i].kind = files[k].kind;
      k++;
    }
    const bool has_names = strcmp(files[i].name, files[k - 1].name) != 0;
    const int rc = write_file(contents, &files[i], has_names, out, err);
    if (rc < 0)
      return -1;
    for (size_t j = i; rc == 0 && j < k; j++)
      files[j].name[0] = '\0'; // left out
  }
  for (size_t i = 0; i < contents->n_added; i++) {
    const struct archived_file *const file = &files[i];
    const bool is_new = !written || strcmp(written, file->name) != 0;
    if (!file->name[0] || !is_new || strcmp(file->name, file->real) == 0)
      continue;
    written = file->name;
    if (write_link(file, out, err))
      return -1;
  }
  return 0;
}

// --- Index ---

/** Write a line of the index, with the escapes of side files. */
static void put_line(FILE *out, const char *key, const char *value) {
  fprintf(out, "%s ", key);
  for (const char *at = value; *at; at++) {
    const unsigned char c = (unsigned char)*at;
    fprintf(out, c <= ' ' || c == '%' || c == 0x7f ? "%%%02x" : "%c", c);
  }
  putc('\n', out);
}

static void put_words(FILE *out, const char *key,
                      const struct archive_words *words) {
  for (size_t i = 0; i < words->n; i++)
    put_line(out, key, words->list[i]);
}

static void put_root(FILE *out, const struct project_root *root) {
  if (!root->folder)
    return;
  put_line(out, root->is_found ? "root" : "root-named",
           root->folder[0] ? root->folder : "/");
  if (root->alias && root->alias[0])
    put_line(out, "root-alias", root->alias);
}

static int write_index(const struct archive_contents *contents, FILE *out,
                       struct err *err) {
  char *text = NULL;
  size_t n_bytes;
  char *const folder = in_file_folder();
  FILE *const lines = open_memstream(&text, &n_bytes);
  if (lines) {
    fprintf(lines, ARCHIVE_INDEX " %d\n", ARCHIVE_VERSION);
    if (folder)
      put_line(lines, "folder", folder);
    put_root(lines, contents->root);
    put_words(lines, "operand", &contents->operands);
    put_words(lines, "option", &contents->options);
  }
  free(folder);
  if (!lines || fclose(lines) != 0) {
    free(text);
    return err_no_memory(err);
  }
  tar_write_file(out, ARCHIVE_INDEX, n_bytes, 0);
  fwrite(text, 1, n_bytes, out);
  tar_write_end(out, n_bytes);
  free(text);
  return 0;
}

int archive_contents_write(struct archive_contents *contents, FILE *out,
                           struct err *err) {
  if (write_index(contents, out, err) || write_files(contents, out, err))
    return -1;
  tar_write_finish(out);
  return 0;
}

void archive_contents_release(struct archive_contents *contents) {
  for (size_t i = 0; i < contents->n_added; i++) {
    free(contents->files[i].name);
    free(contents->files[i].real);
  }
  free(contents->files);
  free(contents->profiled);
  archive_words_release(&contents->operands);
  archive_words_release(&contents->options);
  *contents = (struct archive_contents){0};
}
