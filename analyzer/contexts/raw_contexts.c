/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/raw_contexts.h"

#include "arcline/context_format.h"
#include "base/array.h"
#include "base/err.h"
#include "base/file_walk.h"
#include "base/merge_sort.h"
#include "base/sorted.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/** The name of the context whose folder has n bytes; to free(), NULL (no
 * memory). */
static char *decode_name(const char *folder, size_t n) {
  char *const name = malloc(n + 1), *to = name;

  for (size_t i = 0; name && i < n; i++) {
    const bool is_code = folder[i] == '%' && n - i > 2 &&
                         digit(folder[i + 1]) >= 0 && digit(folder[i + 2]) >= 0;
    if (is_code) {
      *to++ = (char)(digit(folder[i + 1]) * 16 + digit(folder[i + 2]));
      i += 2;
    } else if (folder[i] != '/') {
      *to++ = folder[i];
    }
  }
  if (name)
    *to = '\0';
  return name;
}

/** path, name: taken over. */
static int add(struct raw_contexts *out, char *path, char *name,
               struct err *err) {
  struct raw_context *const list =
      path && name ? array_grow(out->list, out->n, &out->max, sizeof(*list))
                   : NULL;

  if (!list) {
    free(path);
    free(name);
    return err_no_memory(err);
  }
  out->list = list;
  list[out->n++] = (struct raw_context){
      .base = strrchr(path, '/') + 1, .path = path, .name = name};
  return 0;
}

/** Add the files of a context's folder, and of those in it: long names have
 * several parts. */
static int add_context(const char *contexts, const char *name,
                       struct raw_contexts *out, struct err *err) {
  const size_t n_folder = strlen(contexts) + 1, n_before = out->n;
  struct file_walk_found found;
  struct file_walk walk;
  char *folder = NULL;
  int rc = -1;

  if (asprintf(&folder, "%s/%s", contexts, name) < 0)
    return err_no_memory(err);
  if (file_walk_begin(folder, &walk, err) == 0) {
    while ((rc = file_walk_next(&walk, &found, err)) > 0) {
      if (found.error) {
        rc = err_set(err, ERR_INPUT, "%s: cannot read folder: %s", found.path,
                     strerror(found.error));
        break;
      }
      const char *const base = strrchr(found.path, '/');
      char *const decoded = decode_name(found.path + n_folder,
                                        (size_t)(base - found.path) - n_folder);
      rc = add(out, strdup(found.path), decoded, err);
      if (rc != 0)
        break;
    }
    file_walk_end(&walk);
  }
  if (rc == 0 && out->n == n_before)
    rmdir(folder); // left by a process that was killed while it collected
  free(folder);
  return rc;
}

/** Add the entries of a folder: files, or folders of contexts. */
static int add_entries(const char *folder, bool are_contexts,
                       struct raw_contexts *out, struct err *err) {
  DIR *const dir = opendir(folder);
  struct stat status;
  int rc = 0;

  if (!dir)
    return err_set(err, ERR_INPUT, "%s: cannot read folder: %s", folder,
                   strerror(errno));
  for (const struct dirent *entry; rc == 0 && (entry = readdir(dir));) {
    char *path = NULL;
    if (entry->d_name[0] == '.')
      continue;
    if (asprintf(&path, "%s/%s", folder, entry->d_name) < 0) {
      rc = err_no_memory(err);
      break;
    }
    const bool is_there = lstat(path, &status) == 0;
    if (is_there && are_contexts && S_ISDIR(status.st_mode))
      rc = add_context(folder, entry->d_name, out, err);
    else if (is_there && !are_contexts && S_ISREG(status.st_mode))
      rc = add(out, strdup(path), strdup(""), err);
    free(path);
  }
  closedir(dir);
  return rc;
}

int raw_contexts_find(const char *folder, struct raw_contexts *out,
                      struct err *err) {
  char *contexts = NULL;

  *out = (struct raw_contexts){0};
  if (asprintf(&contexts, "%s/" ARCLINE_CONTEXTS_FOLDER, folder) < 0)
    return err_no_memory(err);
  int rc = add_entries(folder, false, out, err);
  if (rc == 0)
    rc = add_entries(contexts, true, out, err);
  if (rc == 0 && merge_sort(out->list, out->n, sizeof(*out->list),
                            sorted_compare_names, NULL) != 0)
    rc = err_no_memory(err);
  free(contexts);
  if (rc != 0)
    raw_contexts_release(out);
  return rc;
}

void raw_contexts_remove_folders(const char *path) {
  static const char name[] = "/" ARCLINE_CONTEXTS_FOLDER;
  char *const folder = strdup(path), *slash;

  while (folder && (slash = strrchr(folder, '/'))) {
    *slash = '\0';
    const size_t n = strlen(folder);
    if ((n >= sizeof(name) - 1 &&
         strcmp(folder + n - (sizeof(name) - 1), name) == 0) ||
        rmdir(folder) != 0)
      break;
  }
  free(folder);
}

void raw_contexts_release(struct raw_contexts *contexts) {
  for (size_t i = 0; i < contexts->n; i++) {
    free(contexts->list[i].path);
    free(contexts->list[i].name);
  }
  free(contexts->list);
  *contexts = (struct raw_contexts){0};
}
