/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/site.h"

#include "base/array.h"
#include "base/asset.h"
#include "base/err.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char marker_name[] = ".arcline-html";

// --- Paths ---

static char *join(const char *folder, const char *name) {
  char *path;
  return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/** Make a folder, unless there is one. */
static int make_folder(const char *path, struct err *err) {
  struct stat status;
  if (mkdir(path, 0777) == 0)
    return 0;
  const int error = errno;
  if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
    return 0;
  return err_set(err, ERR_SYSTEM, "%s: cannot create folder: %s", path,
                 strerror(error));
}

static int make_subfolder(const char *path, const char *name, struct err *err) {
  char *const folder = join(path, name);
  const int rc = folder ? make_folder(folder, err) : err_no_memory(err);
  free(folder);
  return rc;
}

// --- Lists of pages ---

static int add_name(char ***names, size_t *n, size_t *max, const char *name,
                    struct err *err) {
  char **const list = array_grow(*names, *n, max, sizeof(*list));
  if (!list)
    return err_no_memory(err);
  *names = list;
  list[*n] = strdup(name);
  if (!list[*n])
    return err_no_memory(err);
  ++*n;
  return 0;
}

static void free_names(char **names, size_t n) {
  for (size_t i = 0; i < n; i++)
    free(names[i]);
  free(names);
}

static int compare_names(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

/** May a report have given this name to a page? No other files are ever
 * removed, even if the list, which may be forged, has their names. */
static bool is_page_name(const char *name) {
  const size_t length = strlen(name);
  const size_t n_safe =
      strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                   "0123456789._-");
  return n_safe == length && name[0] != '.' && length > 5 &&
         strcmp(name + length - 5, ".html") == 0;
}

// --- The file that marks the folder as a report's ---

/** Its first line. */
static const char *make_head(const struct site *site, char head[32]) {
  snprintf(head, 32, "arcline %s 1\n", site->kind);
  return head;
}

/** Read it. Returns 1 if it is there; 0 if not; or -1 with *err set. */
static int read_marker(struct site *site, struct err *err) {
  char *const path = join(site->path, marker_name);
  if (!path)
    return err_no_memory(err);
  FILE *const file = fopen(path, "rbe");
  free(path);
  if (!file)
    return 0;
  char *line = NULL;
  size_t max_line = 0;
  char head[32];
  int rc = getline(&line, &max_line, file) > 0 &&
           strcmp(line, make_head(site, head)) == 0;
  while (rc > 0 && getline(&line, &max_line, file) > 0) {
    line[strcspn(line, "\n")] = '\0';
    if (is_page_name(line) && add_name(&site->old_pages, &site->n_old_pages,
                                       &site->max_old_pages, line, err))
      rc = -1;
  }
  free(line);
  fclose(file);
  return rc;
}

/** Write it. with_old: also the pages that are still there. */
static int write_marker(const struct site *site, bool with_old,
                        struct err *err) {
  struct out_file file;
  if (site_open_file(site, marker_name, &file, err))
    return -1;
  char head[32];
  fputs(make_head(site, head), file.stream);
  for (size_t i = 0; i < site->n_pages; i++)
    fprintf(file.stream, "%s\n", site->pages[i]);
  for (size_t i = 0; with_old && i < site->n_old_pages; i++)
    fprintf(file.stream, "%s\n", site->old_pages[i]);
  const int rc = out_file_commit(&file, err);
  out_file_release(&file);
  return rc;
}

// --- Begin and end ---

/** Is there anything in the folder? */
static int check_empty(const char *path, struct err *err) {
  DIR *const folder = opendir(path);
  if (!folder)
    return err_set(err, ERR_SYSTEM, "%s: cannot read folder: %s", path,
                   strerror(errno));
  bool is_empty = true;
  for (const struct dirent *entry; (entry = readdir(folder));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      is_empty = false;
  closedir(folder);
  return is_empty ? 0
                  : err_set(err, ERR_USAGE,
                            "%s: folder is not empty and contains other files; "
                            "name another folder, or use --overwrite",
                            path);
}

int site_open(const char *path, const char *kind, bool is_forced,
              struct site *out, struct err *err) {
  *out = (struct site){.path = path, .kind = kind};
  int rc = make_folder(path, err);
  if (rc == 0) {
    const int is_ours = read_marker(out, err);
    out->is_old = is_ours > 0;
    rc = is_ours < 0                  ? -1
         : is_ours == 0 && !is_forced ? check_empty(path, err)
                                      : 0;
  }
  if (rc)
    site_release(out);
  return rc;
}

int site_add_page(struct site *site, const char *name, struct err *err) {
  return add_name(&site->pages, &site->n_pages, &site->max_pages, name, err);
}

int site_open_file(const struct site *site, const char *name,
                   struct out_file *out, struct err *err) {
  char *const path = join(site->path, name);
  const int rc = path ? out_file_open(path, out, err) : err_no_memory(err);
  free(path);
  return rc;
}

static int write_assets(const struct site *site, struct err *err) {
  for (const struct asset *asset = html_assets; asset->name; asset++) {
    struct out_file file;
    char name[64];
    snprintf(name, sizeof(name), "assets/%s", asset->name);
    if (site_open_file(site, name, &file, err))
      return -1;
    fwrite(asset->bytes, 1, asset->n_bytes, file.stream);
    const int rc = out_file_commit(&file, err);
    out_file_release(&file);
    if (rc)
      return -1;
  }
  return 0;
}

int site_begin_pages(struct site *site, struct err *err) {
  return write_marker(site, true, err) ||
                 make_subfolder(site->path, "src", err) ||
                 make_subfolder(site->path, "assets", err) ||
                 make_subfolder(site->path, "data", err) ||
                 write_assets(site, err)
             ? -1
             : 0;
}

int site_remove_file(const struct site *site, const char *name,
                     struct err *err) {
  if (!site->is_old)
    return 0;
  char *const path = join(site->path, name);
  int rc = path ? 0 : err_no_memory(err);
  if (path && unlink(path) && errno != ENOENT)
    rc = err_set(err, ERR_SYSTEM, "%s: cannot remove an earlier report: %s",
                 path, strerror(errno));
  free(path);
  return rc;
}

int site_finish(struct site *site, struct err *err) {
  if (site->n_pages)
    qsort(site->pages, site->n_pages, sizeof(*site->pages), compare_names);
  for (size_t i = 0; i < site->n_old_pages; i++) {
    if (site->n_pages &&
        bsearch(&site->old_pages[i], site->pages, site->n_pages,
                sizeof(*site->pages), compare_names))
      continue;
    char *const name = join("src", site->old_pages[i]);
    const int rc =
        name ? site_remove_file(site, name, err) : err_no_memory(err);
    free(name);
    if (rc)
      return -1;
  }
  return write_marker(site, false, err);
}

void site_release(struct site *site) {
  free_names(site->pages, site->n_pages);
  free_names(site->old_pages, site->n_old_pages);
  *site = (struct site){0};
}
