/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/file_tree.h"

#include "base/array.h"
#include "base/err.h"
#include "html/changed_files.h"
#include "report/annotate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char system_name[] = "System headers";

void file_sums_add(struct file_sums *sums, const struct annotate_file *file,
                   const struct changed_files *changed) {
  sums->n_samples += file->n_samples;
  sums->n_lines += file->at.end_line - file->at.first_line;
  sums->n_executed += file->n_executed;
  sums->n_funcs += file->n_funcs;
  sums->n_called += file->n_funcs_called;
  sums->n_ways += file->n_ways;
  sums->n_taken += file->n_ways_taken;
  if (file->i_file < changed->n_files) {
    sums->n_changed += changed->files[file->i_file].n_lines;
    sums->n_changed_executed += changed->files[file->i_file].n_executed;
  }
}

int file_tree_compare(const char *left, const char *right) {
  size_t n_same = 0, first = 0; // of the part of the path that differs

  for (; left[n_same] && left[n_same] == right[n_same]; n_same++)
    if (left[n_same] == '/')
      first = n_same + 1;
  const bool is_folder_left = strchr(left + first, '/') != NULL;
  const bool is_folder_right = strchr(right + first, '/') != NULL;
  if (is_folder_left != is_folder_right)
    return is_folder_right - is_folder_left;
  // "/" is the end of a part, and so comes before any other character.
  const unsigned char a = left[n_same] == '/' ? 1 : (unsigned char)left[n_same];
  const unsigned char b =
      right[n_same] == '/' ? 1 : (unsigned char)right[n_same];
  return (a > b) - (a < b);
}

// --- Rows ---

static int add_row(struct file_tree *tree, const struct file_tree_row *row,
                   struct err *err) {
  struct file_tree_row *const rows =
      array_grow(tree->rows, tree->n_rows, &tree->max_rows, sizeof(*rows));
  if (!rows)
    return err_no_memory(err);
  tree->rows = rows;
  rows[tree->n_rows++] = *row;
  return 0;
}

/** Bytes of the next folder of a path, with its slash; 0: there is none. The
 * root has no row of its own. */
static size_t next_folder(const char *path, size_t n_bytes) {
  const size_t first = n_bytes == 0 && path[0] == '/' ? 1 : n_bytes;
  const char *const slash = strchr(path + first, '/');

  return slash ? (size_t)(slash - path) + 1 : 0;
}

/** Add a file and the folders around it that have no rows yet. current: the
 * innermost folder of the file before, or SIZE_MAX. */
static int add_file(struct file_tree *tree, const struct annotate_file *file,
                    const char *path, const struct changed_files *changed,
                    size_t top, size_t *current, struct err *err) {
  size_t n_bytes = 0;

  while (*current != top && strncmp(tree->rows[*current].path, path,
                                    tree->rows[*current].path_bytes) != 0)
    *current = tree->rows[*current].parent;
  if (*current != top)
    n_bytes = tree->rows[*current].path_bytes;
  for (size_t n; (n = next_folder(path, n_bytes)) > 0; n_bytes = n) {
    const struct file_tree_row folder = {
        .parent = *current, .path = path, .path_bytes = n};
    if (add_row(tree, &folder, err))
      return -1;
    *current = tree->n_rows - 1;
  }
  const struct file_tree_row row = {.file = file,
                                    .parent = *current,
                                    .path = path,
                                    .path_bytes = strlen(path)};
  if (add_row(tree, &row, err))
    return -1;
  for (size_t i = tree->n_rows - 1; i != SIZE_MAX; i = tree->rows[i].parent)
    file_sums_add(&tree->rows[i].sums, file, changed);
  return 0;
}

/** Is the content of a folder one folder? ends: of the contents of folders. */
static bool is_link(const struct file_tree *tree, const size_t *ends,
                    size_t i) {
  return !tree->rows[i].file && tree->rows[i].path && i + 1 < ends[i] &&
         !tree->rows[i + 1].file && ends[i + 1] == ends[i];
}

/** Name rows, and remove folders whose only content is a folder. */
static int join_folders(struct file_tree *tree, struct err *err) {
  struct file_tree_row *const rows = tree->rows;
  size_t *const ends = calloc(tree->n_rows + 1, sizeof(*ends));
  size_t n = 0;

  if (!ends)
    return err_no_memory(err);
  for (size_t i = tree->n_rows; i-- > 0;) {
    if (ends[i] < i + 1)
      ends[i] = i + 1;
    if (rows[i].parent != SIZE_MAX && ends[rows[i].parent] < ends[i])
      ends[rows[i].parent] = ends[i];
  }
  for (size_t i = 0; i < tree->n_rows; i++) {
    // The folder around: a removed one has the name and depth of its content.
    const size_t around = rows[i].parent;
    const struct file_tree_row *const parent =
        around == SIZE_MAX ? NULL : &rows[around];
    const bool is_joined = parent && is_link(tree, ends, around);
    const size_t skipped = is_joined ? (size_t)(parent->name - parent->path)
                           : parent  ? parent->path_bytes
                                     : 0;
    rows[i].depth = parent ? parent->depth + !is_joined : 0;
    if (rows[i].path) {
      rows[i].name = rows[i].path + skipped;
      rows[i].n_bytes = rows[i].path_bytes - skipped;
    }
  }
  for (size_t i = 0; i < tree->n_rows; i++)
    if (!is_link(tree, ends, i))
      rows[n++] = rows[i];
  tree->n_rows = n;
  free(ends);
  return 0;
}

int file_tree_build(const struct annotate_file *const *files, size_t n_files,
                    char *const *names, const struct changed_files *changed,
                    struct file_tree *out, struct err *err) {
  size_t top = SIZE_MAX, current = SIZE_MAX;
  int rc = 0;

  *out = (struct file_tree){0};
  for (size_t i = 0; rc == 0 && i < n_files; i++) {
    if (i > 0 && files[i]->kind == SOURCE_SYSTEM &&
        files[i - 1]->kind != SOURCE_SYSTEM) {
      const struct file_tree_row system = {.name = system_name,
                                           .n_bytes = sizeof(system_name) - 1,
                                           .parent = SIZE_MAX};
      rc = add_row(out, &system, err);
      top = current = out->n_rows - 1;
    }
    if (rc == 0)
      rc = add_file(out, files[i], names[files[i]->i_file], changed, top,
                    &current, err);
  }
  if (rc == 0)
    rc = join_folders(out, err);
  if (rc)
    file_tree_release(out);
  return rc;
}

void file_tree_release(struct file_tree *tree) {
  free(tree->rows);
  *tree = (struct file_tree){0};
}
