/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/file_walk.h"

#include "arcline/context_format.h"
#include "base/array.h"
#include "base/err.h"
#include "base/file_set.h"
#include "base/in_file.h"

#include <dirent.h>
#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/** Push a name; freed if there is no memory, or NULL. */
static int push(struct file_walk *walk, char *path, struct err *err) {
  char **const paths = path ? array_grow(walk->paths, walk->n_paths,
                                         &walk->max_paths, sizeof(*paths))
                            : NULL;
  if (!paths) {
    free(path);
    return err_no_memory(err);
  }
  walk->paths = paths;
  paths[walk->n_paths++] = path;
  return 0;
}

static int compare_downwards(const void *left, const void *right) {
  return strcmp(*(char *const *)right, *(char *const *)left);
}

/** Push the entries of a folder, so that they are popped in order of names. */
static int push_entries(struct file_walk *walk, DIR *dir, const char *folder,
                        struct err *err) {
  const size_t first = walk->n_paths;
  const size_t n_bytes = strlen(folder);
  const char *const slash = n_bytes && folder[n_bytes - 1] == '/' ? "" : "/";
  int rc = 0;
  for (const struct dirent *entry; rc == 0 && (entry = readdir(dir));) {
    char *path = NULL;
    if (entry->d_name[0] == '.')
      continue;
    if (asprintf(&path, "%s%s%s", folder, slash, entry->d_name) < 0)
      path = NULL;
    rc = push(walk, path, err);
  }
  if (walk->n_paths > first)
    qsort(walk->paths + first, walk->n_paths - first, sizeof(*walk->paths),
          compare_downwards);
  return rc;
}

/** The walk of an archive's folder. */
struct set_walk {
  struct file_walk *walk;
  const char *folder;
  struct err *err;
};

static int push_rest(void *context, const char *rest) {
  const struct set_walk *const set = context;
  const size_t n_bytes = strlen(set->folder);
  const char *const slash =
      n_bytes && set->folder[n_bytes - 1] == '/' ? "" : "/";
  char *path = NULL;
  if (rest[0] == '.' || strstr(rest, "/."))
    return 0;
  if (asprintf(&path, "%s%s%s", set->folder, slash, rest) < 0)
    path = NULL;
  return push(set->walk, path, set->err);
}

/** Push all files of an archive's folder, so that they are popped in order. */
static int push_files(struct file_walk *walk, const char *folder,
                      struct err *err) {
  struct set_walk set = {walk, folder, err};
  struct stat status;
  if (in_file_status(folder, &status) || !S_ISDIR(status.st_mode)) {
    walk->error = ENOENT;
    return push(walk, strdup(folder), err);
  }
  if (file_set_walk(in_file_used(), folder, push_rest, &set))
    return -1;
  for (size_t i = 0, k = walk->n_paths; i + 1 < k; i++) {
    char *const path = walk->paths[i];
    walk->paths[i] = walk->paths[--k];
    walk->paths[k] = path;
  }
  return 0;
}

/** Identity of a file, whatever its names. */
struct identity {
  dev_t device;
  ino_t inode;
};

static int compare_identities(const void *left, const void *right) {
  const struct identity *const a = left, *const b = right;
  if (a->device != b->device)
    return a->device < b->device ? -1 : 1;
  return (a->inode > b->inode) - (a->inode < b->inode);
}

/** Returns 1 if the file is new, 0 if it was found before, -1 with *err set. */
static int mark_seen(struct file_walk *walk, const struct stat *status,
                     struct err *err) {
  struct identity *const identity = malloc(sizeof(*identity));
  if (!identity)
    return err_no_memory(err);
  *identity = (struct identity){status->st_dev, status->st_ino};
  struct identity **const at =
      tsearch(identity, &walk->seen, compare_identities);
  if (!at || *at != identity)
    free(identity);
  if (!at)
    return err_no_memory(err);
  return *at == identity;
}

/** Are the counts of a folder those of one context? The folder above it has
 * them, too. */
static bool is_of_context(const char *path) {
  static const char name[] = ARCLINE_CONTEXTS_FOLDER;
  const size_t n = sizeof(name) - 1;
  const char *const slash = strrchr(path, '/');
  const size_t n_above = slash ? (size_t)(slash - path) : 0;

  return n_above >= n && memcmp(slash - n, name, n) == 0 &&
         (n_above == n || slash[-(ptrdiff_t)n - 1] == '/');
}

/** Visit the current path. Returns 1 with *out set if it is a file, or a folder
 * that cannot be read. */
static int visit_path(struct file_walk *walk, struct file_walk_found *out,
                      struct err *err) {
  struct stat status;
  const char *const path = walk->current;
  if (in_file_used()) {
    *out = (struct file_walk_found){path, 0};
    return in_file_status(path, &status) ? 0 : mark_seen(walk, &status, err);
  }
  if (lstat(path, &status))
    return 0;
  if (S_ISDIR(status.st_mode) && is_of_context(path))
    return 0;
  if (S_ISDIR(status.st_mode)) {
    DIR *const dir = opendir(path);
    if (!dir) {
      *out = (struct file_walk_found){path, errno};
      return 1;
    }
    const int rc = push_entries(walk, dir, path, err);
    closedir(dir);
    return rc;
  }
  if (S_ISLNK(status.st_mode) && stat(path, &status))
    return 0;
  if (!S_ISREG(status.st_mode))
    return 0;
  *out = (struct file_walk_found){path, 0};
  return mark_seen(walk, &status, err);
}

int file_walk_begin(const char *path, struct file_walk *out, struct err *err) {
  *out = (struct file_walk){0};
  DIR *const dir = in_file_used() ? NULL : opendir(path);
  // A folder that cannot be read is reported by the first file_walk_next().
  out->error = dir || in_file_used() ? 0 : errno;
  const int rc = in_file_used() ? push_files(out, path, err)
                 : dir          ? push_entries(out, dir, path, err)
                                : push(out, strdup(path), err);
  if (dir)
    closedir(dir);
  if (rc)
    file_walk_end(out);
  return rc;
}

int file_walk_next(struct file_walk *walk, struct file_walk_found *out,
                   struct err *err) {
  int rc = 0;
  while (rc == 0 && walk->n_paths) {
    free(walk->current);
    walk->current = walk->paths[--walk->n_paths];
    if (walk->error) {
      *out = (struct file_walk_found){walk->current, walk->error};
      walk->error = 0;
      return 1;
    }
    rc = visit_path(walk, out, err);
  }
  return rc;
}

void file_walk_end(struct file_walk *walk) {
  while (walk->n_paths)
    free(walk->paths[--walk->n_paths]);
  free(walk->paths);
  free(walk->current);
  tdestroy(walk->seen, free);
  *walk = (struct file_walk){0};
}

/** Skip a folder that cannot be read. */
static int skip(const char *folder, const struct file_walk_found *found,
                size_t *n_skipped, struct err *err) {
  if (!n_skipped && strcmp(found->path, folder) == 0)
    return err_set(err, ERR_INPUT, "%s: cannot read folder: %s", folder,
                   strerror(found->error));
  warn("%s: cannot read: %s; skipped", found->path, strerror(found->error));
  if (n_skipped)
    ++*n_skipped;
  return 0;
}

int file_walk_each(const char *folder, file_walk_visit *visit, void *context,
                   size_t *n_skipped, struct err *err) {
  struct file_walk walk;
  struct file_walk_found found;
  int rc = file_walk_begin(folder, &walk, err);
  if (rc)
    return -1;
  while ((rc = file_walk_next(&walk, &found, err)) > 0) {
    rc = found.error ? skip(folder, &found, n_skipped, err)
                     : visit(context, found.path, err);
    if (rc)
      break;
  }
  file_walk_end(&walk);
  return rc;
}
