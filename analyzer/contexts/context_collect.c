/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/context_collect.h"

#include "base/array.h"
#include "base/err.h"
#include "base/progress.h"
#include "contexts/context_object.h"
#include "contexts/context_solver.h"
#include "contexts/context_writer.h"
#include "contexts/raw_contexts.h"
#include "image/image_index.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/** An object that is new in the index. */
struct new_object {
  uint8_t build_id[IMAGE_BUILD_ID_BYTES];
  size_t n_build_id, number;
};

/** State of collecting. */
struct collector {
  const struct context_collecting *options;
  struct context_collected *out;
  struct context_writer writer;
  struct context_solver solver; // of the last pool's image
  size_t i_object;              // of that image in the index
  struct new_object *added;
  size_t n_added, max_added;
  struct image_index images;
  uint8_t warned[ARCLINE_LIVE_BUILD_ID_BYTES]; // image that was warned of last
};

static int set_left(struct collector *c, const char *name, struct err *err) {
  struct context_collected *const out = c->out;
  char *const copy = strdup(name);
  char **const left =
      copy ? array_grow(out->left, out->n_left, &out->max_left, sizeof(*left))
           : NULL;

  if (!left) {
    free(copy);
    return err_no_memory(err);
  }
  out->left = left;
  left[out->n_left++] = copy;
  return 0;
}

/** Has the object at that path another build, which is in the index? */
static bool is_replaced(const struct collector *c, const char *path) {
  for (size_t i = 0; i < c->writer.index.n_objects; i++)
    if (c->writer.index.objects[i].is_current &&
        strcmp(c->writer.index.objects[i].path, path) == 0)
      return true;
  return false;
}

/** Pools of earlier builds without a context are the past of the suite. */
static int leave(struct collector *c, const struct pool_file *pool,
                 const char *name, const struct err *why, struct err *err) {
  const struct arcline_live_object *const record = &pool->start.object;

  if (name[0] == '\0' && is_replaced(c, record->path))
    return 0;
  if (memcmp(c->warned, record->build_id, sizeof(c->warned)) != 0)
    warn("%s; its contexts are left out; use --images=FOLDER to find the "
         "image that ran",
         why->text);
  memcpy(c->warned, record->build_id, sizeof(c->warned));
  return set_left(c, name, err);
}

// --- Objects ---

/** Open the image where it was, or in a folder. */
static int open_image(struct collector *c, const struct pool_file *pool,
                      struct err *err) {
  const struct arcline_live_object *const record = &pool->start.object;
  const char *path = NULL;
  struct err ignored;

  context_solver_close(&c->solver);
  if (context_solver_open(pool, record->path, &c->solver, err) == 0)
    return 0;
  if (!c->options->images ||
      image_index_find(&c->images, record->build_id, record->n_build_id, &path,
                       &ignored) != 0 ||
      !path)
    return -1;
  return context_solver_open(pool, path, &c->solver, err);
}

static size_t find_added(const struct collector *c) {
  const struct image *const image = &c->solver.image;

  for (size_t i = 0; i < c->n_added; i++)
    if (c->added[i].n_build_id == image->n_build_id &&
        memcmp(c->added[i].build_id, image->build_id, image->n_build_id) == 0)
      return c->added[i].number;
  return SIZE_MAX;
}

static int remember_added(struct collector *c, struct err *err) {
  const struct image *const image = &c->solver.image;
  struct new_object *const added =
      array_grow(c->added, c->n_added, &c->max_added, sizeof(*added));

  if (!added)
    return err_no_memory(err);
  c->added = added;
  added[c->n_added] = (struct new_object){.n_build_id = image->n_build_id,
                                          .number = c->i_object};
  memcpy(added[c->n_added++].build_id, image->build_id, image->n_build_id);
  return 0;
}

/** Find the object of the open image in the index, or add it. */
static int find_object(struct collector *c, const char *path, struct err *err) {
  const struct image *const image = &c->solver.image;
  struct context_record record = {.kind = ARCLINE_CONTEXT_OBJECT, .name = path};
  char *bytes;

  c->i_object =
      context_index_find(&c->writer.index, image->build_id, image->n_build_id);
  if (c->i_object == SIZE_MAX)
    c->i_object = find_added(c);
  if (c->i_object != SIZE_MAX)
    return 0;
  if (context_object_describe(&c->solver, c->options->has_lines, &bytes,
                              &record.n_plain, err) != 0)
    return -1;
  record.plain = bytes;
  c->i_object = c->writer.n_objects;
  const int rc = context_writer_add(&c->writer, &record, err);
  free(bytes);
  return rc == 0 ? remember_added(c, err) : -1;
}

static bool has_lines(const struct collector *c) {
  return c->i_object < c->writer.index.n_objects
             ? c->writer.index.objects[c->i_object].has_lines
             : c->options->has_lines;
}

// --- Pools ---

/** Were the counts of processes without a context recorded before? */
static bool is_known(const struct collector *c, uint64_t state) {
  const struct context_index *const index = &c->writer.index;

  for (size_t i = 0; i < index->n_runs; i++)
    if (index->runs[i].i_name == CONTEXT_NO_NAME &&
        index->runs[i].i_object == c->i_object && index->runs[i].state == state)
      return true;
  return false;
}

static uint64_t state_of(const struct pool_file *pool) {
  uint64_t hash = pool->head->sequence;

  for (const char *at = strrchr(pool->bytes->path, '/'); *at; at++)
    hash = arcline_pool_mix(hash, (uint64_t)*at);
  return hash;
}

static int record_run(struct collector *c, const struct pool_file *pool,
                      const char *name, struct err *err) {
  const size_t n = context_solver_bytes(&c->solver, has_lines(c));
  uint8_t *const bits = calloc(n + 1, 1);

  if (!bits)
    return err_no_memory(err);
  int rc = context_solver_solve(&c->solver, pool, has_lines(c), bits, err);
  if (rc == 0)
    rc = context_writer_add(
        &c->writer,
        &(const struct context_record){.kind = ARCLINE_CONTEXT_RUN,
                                       .object = (uint32_t)c->i_object,
                                       .name = name,
                                       .plain = bits,
                                       .n_plain = n,
                                       .state = name[0] ? 0 : state_of(pool)},
        err);
  c->out->n_pools += rc == 0;
  free(bits);
  return rc;
}

/** Returns 1 if the pool is recorded now, 0 if it is left, or -1. */
static int collect_pool(struct collector *c, const struct pool_file *pool,
                        const char *name, struct err *err) {
  struct err why;

  if (!context_solver_is_of(&c->solver, pool)) {
    if (open_image(c, pool, &why) != 0)
      return leave(c, pool, name, &why, err);
    if (find_object(c, pool->start.object.path, err) != 0)
      return -1;
  }
  if (!name[0] && is_known(c, state_of(pool)))
    return 0;
  return record_run(c, pool, name, err) == 0 ? 1 : -1;
}

/** Read a file by a descriptor that has it locked: gmon_file_load() would wait
 * for that lock. */
static int load(int fd, const char *path, struct gmon_file *out,
                struct err *err) {
  struct stat status;
  ssize_t n = 1;

  *out = (struct gmon_file){.path = path};
  if (fstat(fd, &status) != 0)
    return err_set(err, ERR_INPUT, "%s: cannot read: %s", path,
                   strerror(errno));
  out->bytes = malloc((size_t)status.st_size + 1);
  if (!out->bytes)
    return err_no_memory(err);
  while (out->n_bytes < (size_t)status.st_size && n > 0) {
    n = read(fd, out->bytes + out->n_bytes,
             (size_t)status.st_size - out->n_bytes);
    if (n > 0)
      out->n_bytes += (size_t)n;
    else if (n < 0 && errno == EINTR)
      n = 1;
  }
  if (n >= 0)
    return 0;
  gmon_file_release(out);
  return err_set(err, ERR_INPUT, "%s: cannot read: %s", path, strerror(errno));
}

/** The file is locked. */
static int collect_file(struct collector *c, int fd,
                        const struct raw_context *raw, struct err *err) {
  struct gmon_file file;
  struct pool_file pool;
  int rc = 0;

  if (load(fd, raw->path, &file, err) != 0)
    return -1;
  if (pool_is_pool_file(&file)) {
    rc = pool_file_read(&file, &pool, err);
    if (rc == 0)
      rc = collect_pool(c, &pool, raw->name, err);
    if (rc > 0 && raw->name[0] && unlink(raw->path) != 0)
      rc = err_set(err, ERR_SYSTEM, "%s: cannot remove: %s", raw->path,
                   strerror(errno));
  }
  gmon_file_release(&file);
  return rc < 0 ? -1 : 0;
}

static int collect(struct collector *c, const struct raw_context *raw,
                   struct err *err) {
  const int fd = open(raw->path, O_RDONLY | O_CLOEXEC);
  int rc = 0;

  if (fd < 0)
    return errno == ENOENT ? 0 // another process was first
                           : err_set(err, ERR_INPUT, "%s: cannot open: %s",
                                     raw->path, strerror(errno));
  while (flock(fd, LOCK_EX) != 0 && rc == 0)
    if (errno != EINTR)
      rc = err_set(err, ERR_SYSTEM, "%s: cannot lock: %s", raw->path,
                   strerror(errno));
  if (rc == 0)
    rc = collect_file(c, fd, raw, err);
  close(fd);
  raw_contexts_remove_folders(raw->path);
  return rc;
}

// --- All ---

static bool has_contexts(const struct raw_contexts *raw) {
  for (size_t i = 0; i < raw->n; i++)
    if (raw->list[i].name[0])
      return true;
  return false;
}

static int collect_all(struct collector *c, const struct raw_contexts *raw,
                       struct err *err) {
  char *folder = NULL;
  size_t n = raw->n;
  int rc = 0;

  if (asprintf(&folder, "%s/" ARCLINE_CONTEXTS_FOLDER, c->options->folder) < 0)
    return err_no_memory(err);
  if (access(folder, W_OK) == 0 || has_contexts(raw))
    rc = context_writer_open(folder, &c->writer, err);
  else
    n = 0; // nothing is lost if it cannot be written
  for (size_t i = 0; rc == 0 && i < n; i++)
    rc = collect(c, &raw->list[i], err);
  if (rc == 0 && c->out->n_pools > 0)
    rc = context_writer_shrink(&c->writer, err);
  context_writer_close(&c->writer);
  context_solver_close(&c->solver);
  image_index_release(&c->images);
  free(c->added);
  free(folder);
  return rc;
}

int context_collect(const struct context_collecting *options,
                    struct context_collected *out, struct err *err) {
  struct collector c = {.options = options,
                        .out = out,
                        .writer = CONTEXT_WRITER_CLOSED,
                        .images = {.folder = options->images}};
  struct raw_contexts raw;

  *out = (struct context_collected){0};
  if (!context_folder_is_suite(options->folder))
    return 0;
  if (raw_contexts_find(options->folder, &raw, err) != 0)
    return -1;
  const int rc = collect_all(&c, &raw, err);
  raw_contexts_release(&raw);
  if (rc != 0)
    context_collected_release(out);
  return rc;
}

bool context_folder_is_suite(const char *folder) {
  struct stat status;
  char *path = NULL;

  if (asprintf(&path, "%s/" ARCLINE_CONTEXTS_FOLDER, folder) < 0)
    return false;
  const bool is_suite = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
  free(path);
  return is_suite;
}

char *context_index_path(const char *folder) {
  char *path = NULL;

  return asprintf(&path,
                  "%s/" ARCLINE_CONTEXTS_FOLDER "/" ARCLINE_CONTEXTS_INDEX,
                  folder) < 0
             ? NULL
             : path;
}

int context_index_find_beside(const char *profile, char **out,
                              struct err *err) {
  static const char pools[] = "/" ARCLINE_CONTEXTS_FOLDER;
  const char *const slash = strrchr(profile, '/');
  char *folder = NULL;

  *out = NULL;
  if (asprintf(&folder, "%.*s", slash ? (int)(slash - profile) : 1,
               slash ? profile : ".") < 0)
    return err_no_memory(err);
  const size_t n = strlen(folder), n_pools = strlen(pools);
  if (strcmp(folder, pools + 1) == 0)
    strcpy(folder, "."); // shorter
  else if (n >= n_pools && strcmp(folder + n - n_pools, pools) == 0)
    folder[n - n_pools] = '\0';
  char *const path = context_index_path(folder);
  free(folder);
  if (!path)
    return err_no_memory(err);
  if (access(path, F_OK) == 0)
    *out = path;
  else
    free(path);
  return 0;
}

void context_collected_release(struct context_collected *collected) {
  for (size_t i = 0; i < collected->n_left; i++)
    free(collected->left[i]);
  free(collected->left);
  *collected = (struct context_collected){0};
}
