/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/source.h"

#include "base/err.h"
#include "base/in_file.h"
#include "base/path_clean.h"
#include "base/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int source_paths_add_dirs(struct source_paths *paths, const char *list,
                          struct err *err) {
  for (;;) {
    const size_t length = strcspn(list, ":");
    const char **const dirs =
        realloc(paths->dirs, (paths->n_dirs + 1) * sizeof(*dirs));
    if (!dirs)
      return err_no_memory(err);
    paths->dirs = dirs;
    char *const dir = length ? strndup(list, length) : strdup(".");
    if (!dir)
      return err_no_memory(err);
    dirs[paths->n_dirs++] = dir;
    if (!list[length])
      return 0;
    list += length + 1;
  }
}

int source_paths_add_map(struct source_paths *paths, const char *map,
                         struct err *err) {
  const char *const equals = strchr(map, '=');
  if (!equals || equals == map)
    return err_set(err, ERR_USAGE, "path map `%s' is not of the form FROM=TO",
                   map);
  struct source_map *const maps =
      realloc(paths->maps, (paths->n_maps + 1) * sizeof(*maps));
  if (!maps)
    return err_no_memory(err);
  paths->maps = maps;
  char *const from = strndup(map, (size_t)(equals - map));
  char *const to = strdup(equals + 1);
  if (!from || !to) {
    free(from);
    free(to);
    return err_no_memory(err);
  }
  // Names that it is compared with are cleaned, too.
  source_clean(from);
  maps[paths->n_maps++] = (struct source_map){.from = from, .to = to};
  return 0;
}

int source_paths_add_image(struct source_paths *paths, const char *image,
                           struct err *err) {
  char *const folder = paths->has_no_built ? NULL : in_file_real(image);
  char *const slash = folder ? strrchr(folder, '/') : NULL;
  bool is_known = !slash || slash == folder;
  if (slash)
    *slash = '\0';
  for (size_t i = 0; !is_known && i < paths->n_built; i++)
    is_known = strcmp(paths->built[i], folder) == 0;
  char **const built =
      is_known ? NULL
               : realloc(paths->built, (paths->n_built + 1) * sizeof(*built));
  if (built) {
    paths->built = built;
    built[paths->n_built++] = folder;
    return 0;
  }
  free(folder);
  return is_known ? 0 : err_no_memory(err);
}

void source_paths_release(struct source_paths *paths) {
  for (size_t i = 0; i < paths->n_dirs; i++)
    free((char *)paths->dirs[i]);
  for (size_t i = 0; i < paths->n_maps; i++) {
    free((char *)paths->maps[i].from);
    free((char *)paths->maps[i].to);
  }
  for (size_t i = 0; i < paths->n_built; i++)
    free(paths->built[i]);
  free(paths->dirs);
  free(paths->maps);
  free(paths->built);
  *paths = (struct source_paths){0};
}

static char *join_two(const char *dir, const char *name) {
  char *joined;
  return asprintf(&joined, "%s/%s", dir, name) < 0 ? NULL : joined;
}

char *source_join(const char *comp_dir, const char *dir, const char *name) {
  if (name[0] == '/')
    return strdup(name);
  const bool has_dir = dir && *dir;
  const bool has_comp_dir = comp_dir && *comp_dir;
  if (!has_dir)
    return has_comp_dir ? join_two(comp_dir, name) : strdup(name);
  if (dir[0] == '/' || !has_comp_dir)
    return join_two(dir, name);
  char *joined;
  return asprintf(&joined, "%s/%s/%s", comp_dir, dir, name) < 0 ? NULL : joined;
}

/** The name of the compiler's own folder, by which builds keep the folder's
 * real name out of debug information. */
static const char any_folder[] = "/proc/self/cwd";

/** The part of a name that is relative to a folder which the name does not
 * have; NULL: it has one. */
static const char *relative_part(const char *name) {
  const size_t length = sizeof(any_folder) - 1;
  if (name[0] != '/')
    return name;
  return strncmp(name, any_folder, length) == 0 && name[length] == '/'
             ? name + length + strspn(name + length, "/")
             : NULL;
}

void source_clean(char *name) {
  char *const part = name[0] == '/' ? (char *)relative_part(name) : NULL;
  if (part)
    path_clean(part);
  if (part && strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2]))
    memmove(name, part, strlen(part) + 1);
  else
    path_clean(name);
}

char *source_real(const char *name) {
  char *const real = name[0] == '/' ? in_file_real(name) : NULL;
  if (real && strcmp(real, name) != 0 &&
      strcmp(strrchr(real, '/'), strrchr(name, '/')) == 0)
    return real;
  free(real);
  return NULL;
}

/** The rest of a name after FROM: empty, or beginning with a slash unless FROM
 * ends in one. NULL: the name does not begin with FROM. */
static const char *after_prefix(const char *name, const char *from) {
  // Names that a map of the compiler made relative do not begin with ".".
  if (name[0] != '/' &&
      (strcmp(from, ".") == 0 || strcmp(from, any_folder) == 0))
    return name;
  const size_t length = strlen(from);
  if (strncmp(name, from, length) != 0)
    return NULL;
  const char *const rest = name + length;
  return *rest && *rest != '/' && from[length - 1] != '/' ? NULL : rest;
}

/** The name with its prefix replaced by another. NULL: it has another prefix,
 * or there is no memory; then *has_failed is set. */
static char *replace_prefix(const char *name, const char *from, const char *to,
                            bool *has_failed) {
  const char *const rest = after_prefix(name, from);
  char *replaced;
  if (!rest)
    return NULL;
  if (asprintf(&replaced, "%s%s%s", to, *rest && *rest != '/' ? "/" : "",
               rest) < 0) {
    *has_failed = true;
    return NULL;
  }
  source_clean(replaced);
  return replaced;
}

char *source_map_name(const struct source_paths *paths, char *name) {
  bool has_failed = false;
  char *mapped = NULL;
  if (!name || !name[0])
    return name;
  source_clean(name);
  for (size_t i = 0; paths && !mapped && !has_failed && i < paths->n_maps; i++)
    mapped = replace_prefix(name, paths->maps[i].from, paths->maps[i].to,
                            &has_failed);
  if (!mapped && !has_failed)
    return name;
  free(name);
  return mapped;
}

/** Open a file of a size that sources have. Returns a descriptor, or -1 with
 * errno set. */
static int open_source(const char *path, struct stat *status) {
  const int fd = in_file_open(path, IN_FILE_SOURCE, status);
  if (fd < 0 || status->st_size <= SOURCE_MAX_BYTES)
    return fd;
  close(fd);
  errno = EFBIG;
  return -1;
}

/**
 * Try one place; takes path over.
 *
 * Returns a descriptor; or -1. *reason keeps the first failure other than
 * ENOENT, which is usual for all places but one.
 */
static int try_path(char *path, char **found, struct stat *status,
                    int *reason) {
  if (!path) {
    *reason = ENOMEM;
    return -1;
  }
  const int fd = open_source(path, status);
  const int failure = fd < 0 ? errno : 0;
  TRACE(TRACE_SOURCE, "looking for %s: %s", path,
        failure ? strerror(failure) : "found");
  if (fd >= 0) {
    *found = path;
    return fd;
  }
  if (*reason == ENOENT && failure != ENOTDIR)
    *reason = failure;
  free(path);
  return -1;
}

/** Try the folder of an image and, if that is below the root, the folders
 * between: one of them is that of the compilation, mostly. */
static int search_upwards(const char *folder, const char *root,
                          const char *part, char **found, struct stat *status,
                          int *reason) {
  const size_t n_root = root ? strlen(root) : 0;
  const bool is_below =
      root && strncmp(folder, root, n_root) == 0 && folder[n_root] == '/';
  size_t n = strlen(folder);
  int fd;
  do {
    char *path;
    if (asprintf(&path, "%.*s/%s", (int)n, folder, part) < 0)
      path = NULL;
    fd = try_path(path, found, status, reason);
    while (n > 0 && folder[n - 1] != '/')
      n--;
    n -= n > 0; // the slash
  } while (fd < 0 && is_below && n > n_root);
  return fd;
}

static int search_built(const struct source_paths *paths, const char *part,
                        char **found, struct stat *status, int *reason) {
  char *const root = paths->root ? in_file_real(paths->root) : NULL;
  int fd = -1;
  for (size_t i = 0; fd < 0 && i < paths->n_built; i++)
    fd = search_upwards(paths->built[i], root ? root : paths->root, part, found,
                        status, reason);
  free(root);
  return fd;
}

/** Try all places. Returns a descriptor, or -1 with *reason set. */
static int search(const struct source_paths *paths, const char *name,
                  char **found, struct stat *status, int *reason) {
  const char *const part = relative_part(name);
  *reason = ENOENT;
  int fd = try_path(strdup(name), found, status, reason);
  // The file may be in its old place, before the map.
  for (size_t i = 0; fd < 0 && i < paths->n_maps; i++) {
    bool has_failed = false;
    char *const unmapped = replace_prefix(name, paths->maps[i].to,
                                          paths->maps[i].from, &has_failed);
    if (unmapped || has_failed)
      fd = try_path(unmapped, found, status, reason);
  }
  for (size_t i = 0; fd < 0 && part && i < paths->n_dirs; i++)
    fd = try_path(join_two(paths->dirs[i], part), found, status, reason);
  // A map of the compiler makes names relative to the root, mostly.
  if (fd < 0 && part && paths->root)
    fd = try_path(join_two(paths->root, part), found, status, reason);
  if (fd < 0 && part)
    fd = search_built(paths, part, found, status, reason);
  const char *const slash = strrchr(name, '/');
  for (size_t i = 0; fd < 0 && i < paths->n_dirs; i++)
    fd = try_path(join_two(paths->dirs[i], slash ? slash + 1 : name), found,
                  status, reason);
  return fd;
}

/** Read a file that may shrink or grow meanwhile. Returns 0 or an errno. */
static int read_all(int fd, size_t capacity, struct source_text *out) {
  out->bytes = malloc(capacity + 1);
  if (!out->bytes)
    return ENOMEM;
  const ssize_t n = in_file_read(fd, out->bytes, capacity);
  if (n < 0)
    return errno;
  out->n_bytes = (size_t)n;
  out->bytes[out->n_bytes] = '\0';
  return 0;
}

static int find_lines(struct source_text *text) {
  size_t n_lines = 0;
  for (size_t i = 0; i < text->n_bytes; i++)
    n_lines += text->bytes[i] == '\n';
  if (text->n_bytes && text->bytes[text->n_bytes - 1] != '\n')
    n_lines++;
  text->line_starts = calloc(n_lines + 1, sizeof(*text->line_starts));
  if (!text->line_starts)
    return ENOMEM;
  size_t start = 0;
  for (size_t i = 0; i < n_lines; i++) {
    text->line_starts[i] = start;
    const char *const newline =
        memchr(text->bytes + start, '\n', text->n_bytes - start);
    start = newline ? (size_t)(newline - text->bytes) + 1 : text->n_bytes;
  }
  text->line_starts[n_lines] = text->n_bytes;
  text->n_lines = n_lines;
  return 0;
}

int source_load(const struct source_paths *paths, const char *name,
                struct source_text *out, int *reason, struct err *err) {
  *out = (struct source_text){0};
  struct stat status;
  const struct file_set *const used = in_file_used();
  if (paths && paths->files)
    in_file_use(paths->files);
  const int fd = search(paths, name, &out->path, &status, reason);
  in_file_use(used);
  if (fd >= 0) {
    *reason = read_all(fd, (size_t)status.st_size, out);
    close(fd);
    if (!*reason)
      *reason = find_lines(out);
  }
  if (!*reason)
    return 0;
  source_release(out);
  return err_set(err, ERR_INPUT, "%s: cannot open source file: %s", name,
                 in_file_reason(*reason));
}

const char *source_line(const struct source_text *text, size_t line,
                        size_t *n_bytes) {
  if (line == 0 || line > text->n_lines)
    return NULL;
  const char *const begin = text->bytes + text->line_starts[line - 1];
  const char *end = text->bytes + text->line_starts[line];
  while (end > begin && (end[-1] == '\n' || end[-1] == '\r'))
    end--;
  *n_bytes = (size_t)(end - begin);
  return begin;
}

const char *source_line_trimmed(const struct source_text *text, size_t line,
                                size_t *n_bytes) {
  const char *begin = source_line(text, line, n_bytes);
  for (; begin && *n_bytes > 0 && (*begin == ' ' || *begin == '\t'); begin++)
    --*n_bytes;
  return begin;
}

void source_release(struct source_text *text) {
  free(text->path);
  free(text->bytes);
  free(text->line_starts);
  *text = (struct source_text){0};
}

/** Does a name continue with a part, and a version after that? */
static bool is_of_version(const char *name, const char *part) {
  const char *const at = strstr(name, part);
  const char *const end = at ? strchr(at + strlen(part), '/') : NULL;

  return end && end > at + strlen(part) && strncmp(end, "/include", 8) == 0;
}

bool source_is_system(const char *name) {
  static const char *const folders[] = {"/usr/include/", "/usr/lib/",
                                        "/usr/lib32/", "/usr/lib64/",
                                        "/usr/libx32/"};
  for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
    if (strncmp(name, folders[i], strlen(folders[i])) == 0)
      return true;
  // Compilers that are installed anywhere: clang's headers; gcc's, which have
  // the machine's name before the version; and both C++ libraries.
  return is_of_version(name, "/lib/clang/") ||
         is_of_version(name, "/lib64/clang/") ||
         (strstr(name, "/lib/gcc/") && strstr(name, "/include")) ||
         strstr(name, "/include/c++/");
}
