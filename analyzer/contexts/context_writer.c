/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/context_writer.h"

#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

static int failed(const struct context_writer *writer, const char *what,
                  struct err *err) {
  return err_set(err, ERR_SYSTEM, "%s: cannot %s: %s", writer->path, what,
                 strerror(errno));
}

// --- The file ---

static int lock(const char *folder, struct context_writer *out,
                struct err *err) {
  out->lock_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  while (out->lock_fd >= 0 && flock(out->lock_fd, LOCK_EX) != 0)
    if (errno != EINTR)
      return err_set(err, ERR_SYSTEM, "%s: cannot lock folder: %s", folder,
                     strerror(errno));
  return out->lock_fd >= 0
             ? 0
             : err_set(err, ERR_SYSTEM, "%s: cannot open folder: %s", folder,
                       strerror(errno));
}

static int write_all(struct context_writer *writer, const void *bytes, size_t n,
                     struct err *err) {
  const char *at = bytes;

  while (n > 0) {
    const ssize_t written = pwrite(writer->fd, at, n, (off_t)writer->end);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return failed(writer, "write", err);
    at += written;
    writer->end += (uint64_t)written;
    n -= (size_t)written;
  }
  return 0;
}

static int write_start(struct context_writer *writer, struct err *err) {
  uint8_t start[ARCLINE_CONTEXT_START_BYTES] = ARCLINE_CONTEXT_MAGIC;

  start[ARCLINE_CONTEXT_MAGIC_BYTES] = ARCLINE_CONTEXT_VERSION;
  writer->end = 0;
  return write_all(writer, start, sizeof(start), err);
}

static int open_file(struct context_writer *out, struct err *err) {
  if (context_index_read(out->path, &out->index, err) != 0)
    return -1;
  out->n_objects = out->index.n_objects;
  out->fd = open(out->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (out->fd < 0)
    return failed(out, "open", err);
  out->end = out->index.n_valid;
  if (ftruncate(out->fd, (off_t)out->end) != 0)
    return failed(out, "write", err);
  return out->end == 0 ? write_start(out, err) : 0;
}

int context_writer_open(const char *folder, struct context_writer *out,
                        struct err *err) {
  *out = CONTEXT_WRITER_CLOSED;
  if (asprintf(&out->path, "%s/" ARCLINE_CONTEXTS_INDEX, folder) < 0) {
    out->path = NULL;
    return err_no_memory(err);
  }
  if (lock(folder, out, err) == 0 && open_file(out, err) == 0)
    return 0;
  context_writer_close(out);
  return -1;
}

void context_writer_close(struct context_writer *writer) {
  context_index_release(&writer->index);
  if (writer->fd >= 0)
    close(writer->fd);
  if (writer->lock_fd >= 0)
    close(writer->lock_fd);
  free(writer->path);
  *writer = CONTEXT_WRITER_CLOSED;
}

// --- Records ---

static uint8_t *put_number(uint8_t *at, uint64_t number, size_t n_bytes) {
  for (size_t i = 0; i < n_bytes; i++)
    *at++ = (uint8_t)(number >> 8 * i);
  return at;
}

/** Write a record whose bytes are compressed. */
static int write_record(struct context_writer *writer,
                        const struct arcline_context_head *head,
                        const char *name, const uint8_t *bytes,
                        struct err *err) {
  const size_t n = ARCLINE_CONTEXT_HEAD_BYTES + head->n_name + head->n_bytes;
  uint8_t *const all = malloc(n), *at = all;

  if (!all)
    return err_no_memory(err);
  at = put_number(at, 0, 4);
  at = put_number(at, head->kind, 4);
  at = put_number(at, head->object, 4);
  at = put_number(at, head->n_name, 4);
  at = put_number(at, head->n_bytes, 4);
  at = put_number(at, head->n_plain, 4);
  uint8_t *const checksum = at;
  at = put_number(at, 0, 4);
  at = put_number(at, head->state, 8);
  memcpy(at, name, head->n_name);
  memcpy(at + head->n_name, bytes, head->n_bytes);
  put_number(checksum, crc32_z(0, at, n - ARCLINE_CONTEXT_HEAD_BYTES), 4);
  put_number(all, crc32_z(0, all + 4, ARCLINE_CONTEXT_HEAD_BYTES - 4), 4);
  // At once, so that a reader finds it whole or cut off.
  const int rc = write_all(writer, all, n, err);
  free(all);
  return rc;
}

int context_writer_add(struct context_writer *writer,
                       const struct context_record *record, struct err *err) {
  uLongf n_bytes = compressBound(record->n_plain);
  uint8_t *const bytes = malloc(n_bytes + 1);

  if (!bytes || compress2(bytes, &n_bytes, record->plain, record->n_plain,
                          Z_BEST_COMPRESSION) != Z_OK) {
    free(bytes);
    return err_no_memory(err);
  }
  struct arcline_context_head head = {.kind = record->kind,
                                      .object = record->object,
                                      .n_name = (uint32_t)strlen(record->name),
                                      .n_bytes = (uint32_t)n_bytes,
                                      .n_plain = (uint32_t)record->n_plain,
                                      .state = record->state};
  const int rc = write_record(writer, &head, record->name, bytes, err);
  writer->n_objects += rc == 0 && record->kind == ARCLINE_CONTEXT_OBJECT;
  free(bytes);
  return rc;
}

// --- Shrinking ---

enum { MIN_SHRINK = 1 << 20 };

/** Is there nothing newer of the context and path? */
static bool is_kept(const struct context_index *index, size_t i_run) {
  const struct context_run *const run = &index->runs[i_run];
  const struct context_object *const object = &index->objects[run->i_object];

  if (object->is_current)
    return true;
  for (size_t k = 0; k < index->n_runs; k++) {
    const struct context_run *const other = &index->runs[k];
    const struct context_object *const newer = &index->objects[other->i_object];
    if (other->i_name == run->i_name &&
        (newer->is_current || other->i_object > run->i_object) &&
        strcmp(newer->path, object->path) == 0)
      return false;
  }
  return true;
}

struct shrinking {
  struct context_writer *writer;
  const struct context_index *index;
  bool is_stale; // those that are written now: the last ones are current
};

static int copy_run(void *context, const struct context_run *run,
                    const uint8_t *bits, struct err *err) {
  const struct shrinking *const s = context;
  const struct context_object *const object = &s->index->objects[run->i_object];

  if (object->is_current == s->is_stale ||
      !is_kept(s->index, (size_t)(run - s->index->runs)))
    return 0;
  return context_writer_add(
      s->writer,
      &(const struct context_record){.kind = ARCLINE_CONTEXT_RUN,
                                     .object = run->i_object,
                                     .name = run->i_name == CONTEXT_NO_NAME
                                                 ? ""
                                                 : s->index->names[run->i_name],
                                     .plain = bits,
                                     .n_plain = context_object_bytes(object),
                                     .state = run->state},
      err);
}

/** Copy the records of objects as they are. */
static int copy_objects(struct context_writer *to,
                        const struct context_index *index, struct err *err) {
  for (size_t i = 0; i < index->n_objects; i++)
    if (context_writer_add(to,
                           &(const struct context_record){
                               .kind = ARCLINE_CONTEXT_OBJECT,
                               .name = index->objects[i].path,
                               .plain = index->objects[i].plain,
                               .n_plain = index->objects[i].n_plain},
                           err) != 0)
      return -1;
  return 0;
}

static int write_again(const struct context_index *index,
                       struct context_writer *to, struct err *err) {
  struct shrinking s = {.writer = to, .index = index, .is_stale = true};

  if (write_start(to, err) != 0 || copy_objects(to, index, err) != 0 ||
      context_index_visit(index, copy_run, &s, err) != 0)
    return -1;
  s.is_stale = false;
  return context_index_visit(index, copy_run, &s, err);
}

/** How many runs are left if repeated and stale ones are removed? */
static size_t count_kept(const struct context_index *index) {
  size_t n = 0;

  for (size_t i = 0; i < index->n_runs; i++)
    n += (i == 0 || index->runs[i - 1].i_name != index->runs[i].i_name ||
          index->runs[i - 1].i_object != index->runs[i].i_object) &&
         index->objects[index->runs[i].i_object].is_current;
  return n;
}

int context_writer_shrink(struct context_writer *writer, struct err *err) {
  struct context_writer to = CONTEXT_WRITER_CLOSED;
  struct context_index index;
  char *name = NULL;
  int rc = 0;

  if (writer->end < MIN_SHRINK)
    return 0;
  if (context_index_read(writer->path, &index, err) != 0)
    return -1;
  if (count_kept(&index) < index.n_runs / 2) {
    if (asprintf(&name, "%s.new", writer->path) < 0)
      name = NULL;
    to.path = name;
    to.fd =
        name ? open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    rc = to.fd < 0 ? failed(writer, "write again", err)
                   : write_again(&index, &to, err);
    if (rc == 0 && (fdatasync(to.fd) != 0 || rename(name, writer->path) != 0))
      rc = failed(writer, "write again", err);
    if (rc != 0 && name)
      unlink(name);
    context_writer_close(&to);
  }
  context_index_release(&index);
  return rc;
}
