/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/project_root.h"

#include "base/err.h"
#include "base/path_clean.h"
#include "debug/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** The nearest folder, from one upwards, that has an entry of a name. Returns
 * the length of its name, or 0. */
static size_t search(const char *folder, const char *entry) {
  for (size_t n = strlen(folder); n > 0;) {
    char *path;
    if (asprintf(&path, "%.*s/%s", (int)n, folder, entry) < 0)
      return 0;
    const bool exists = access(path, F_OK) == 0;
    free(path);
    if (exists)
      return n;
    while (n > 0 && folder[n - 1] != '/')
      n--;
    n -= n > 0; // the slash
  }
  return 0;
}

/** The shell's name of the working directory, if it is one: symbolic links are
 * in it, and in the names of files that were compiled there. */
static const char *shell_name(void) {
  const char *const name = getenv("PWD");
  struct stat named, present;
  return name && name[0] == '/' && stat(name, &named) == 0 &&
                 stat(".", &present) == 0 && named.st_dev == present.st_dev &&
                 named.st_ino == present.st_ino
             ? name
             : NULL;
}

static int find_nearest(struct project_root *out) {
  char *const present = getcwd(NULL, 0);
  if (!present) // it was removed
    return 0;
  size_t n = getenv("ARCLINE_CONFIG") ? 0 : search(present, "arcline.ini");
  if (n == 0)
    n = search(present, ".git");
  const char *const inside = present + n; // the way from the root to here
  const char *const name = shell_name();
  const size_t n_name = name ? strlen(name) : 0;
  bool has_memory = true;
  if (n > 0) {
    out->is_found = true;
    out->folder = strndup(present, n);
    has_memory = out->folder != NULL;
  }
  if (n > 0 && name && strcmp(name, present) != 0 && n_name > strlen(inside) &&
      strcmp(name + n_name - strlen(inside), inside) == 0) {
    out->alias = strndup(name, n_name - strlen(inside));
    has_memory = has_memory && out->alias;
  }
  free(present);
  return has_memory ? 0 : -1;
}

static void remove_slashes(char *name) {
  for (size_t n = strlen(name); n > 0 && name[n - 1] == '/'; n--)
    name[n - 1] = '\0';
}

static int use_named(const char *named, struct project_root *out) {
  char *const present = getcwd(NULL, 0);
  out->folder = source_join(present ? present : "/", NULL, named);
  free(present);
  if (!out->folder)
    return -1;
  path_clean(out->folder);
  remove_slashes(out->folder);
  out->alias = realpath(named, NULL);
  if (out->alias)
    remove_slashes(out->alias);
  return 0;
}

int project_root_find(const char *named, struct project_root *out,
                      struct err *err) {
  *out = (struct project_root){0};
  if ((named ? use_named(named, out) : find_nearest(out)) == 0)
    return 0;
  project_root_release(out);
  return err_no_memory(err);
}

void project_root_release(struct project_root *root) {
  free(root->folder);
  free(root->alias);
  *root = (struct project_root){0};
}
