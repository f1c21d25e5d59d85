/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/git_tree.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "diff/git.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Output of git ---

/** Text of any bytes. */
struct output {
  char *bytes;
  size_t n_bytes;
};

static int read_all(FILE *stream, void *context, struct err *err) {
  struct output *const out = context;
  FILE *const memory = open_memstream(&out->bytes, &out->n_bytes);
  char part[65536];
  size_t n;

  if (!memory)
    return err_no_memory(err);
  while ((n = fread(part, 1, sizeof(part), stream)) > 0)
    fwrite(part, 1, n, memory);
  const int rc = ferror(memory);
  return fclose(memory) != 0 || rc ? err_no_memory(err) : 0;
}

static int ask(const char *option, char *const *argv, FILE *input,
               struct output *out, struct err *err) {
  *out = (struct output){0};
  if (git_run(&(const struct git_command){.argv = argv,
                                          .option = option,
                                          .input = input},
              read_all, out, err) == 0)
    return 0;
  free(out->bytes);
  *out = (struct output){0};
  return -1;
}

char *git_tree_text(const char *option, const char *version, size_t *n_bytes,
                    struct err *err) {
  char *const argv[] = {"git", "cat-file", "blob", (char *)version, NULL};
  struct output text;

  if (ask(option, argv, NULL, &text, err) != 0)
    return NULL;
  *n_bytes = text.n_bytes;
  return text.bytes;
}

// --- Changes ---

/** All parts are copied. */
static int add_change(struct git_tree *tree, char status, const char *path,
                      const char *old_path, const char *old_version,
                      struct err *err) {
  struct git_change *const changes = array_grow(
      tree->changes, tree->n_changes, &tree->max_changes, sizeof(*changes));

  if (!changes)
    return err_no_memory(err);
  tree->changes = changes;
  struct git_change *const change = &changes[tree->n_changes++];
  *change = (struct git_change){.status = status,
                                .path = strdup(path),
                                .old_path = strdup(old_path),
                                .old_version = strdup(old_version),
                                .new_version = strdup("")};
  return change->path && change->old_path && change->old_version &&
                 change->new_version
             ? 0
             : err_no_memory(err);
}

/** Text of n bytes in parts, each with a NUL. Returns NULL at the end. */
static char *next_part(char **at, const char *end) {
  char *const part = *at;

  if (!part || part >= end)
    return NULL;
  *at = part + strlen(part) + 1;
  return part;
}

/** Read ":OLDMODE NEWMODE OLD NEW STATUS", and the paths after it. */
static int read_raw(struct git_tree *tree, const struct output *raw,
                    struct err *err) {
  char *at = raw->bytes;
  const char *const end = raw->bytes + raw->n_bytes;
  char *head;

  while ((head = next_part(&at, end))) {
    char *const fields[] = {strtok(head, " "), strtok(NULL, " "),
                            strtok(NULL, " "), strtok(NULL, " "),
                            strtok(NULL, " ")};
    const char *path = next_part(&at, end), *const old_path = path;
    if (!fields[4] || !path)
      break;
    const char status = fields[4][0];
    if (status == 'R' || status == 'C')
      path = next_part(&at, end);
    if (!path || add_change(tree, status, path, old_path, fields[2], err) != 0)
      return path ? -1 : 0;
  }
  return 0;
}

static int read_changes(const char *option, const char *revision,
                        struct git_tree *tree, struct err *err) {
  char *const changed[] = {"git",
                           "diff",
                           "--raw",
                           "-z",
                           "--no-abbrev",
                           "--no-relative",
                           "--no-ext-diff",
                           "--find-renames",
                           "--ignore-submodules=none",
                           (char *)revision,
                           "--",
                           NULL};
  char *const untracked[] = {
      "git", "-C",       tree->lines.root,     "ls-files",
      "-z",  "--others", "--exclude-standard", NULL};
  struct output out;
  char *path;

  if (ask(option, changed, NULL, &out, err) != 0)
    return -1;
  int rc = read_raw(tree, &out, err);
  free(out.bytes);
  if (rc != 0 || ask(option, untracked, NULL, &out, err) != 0)
    return -1;
  char *at = out.bytes;
  while (rc == 0 && (path = next_part(&at, out.bytes + out.n_bytes)))
    rc = add_change(tree, 'U', path, path, "", err);
  free(out.bytes);
  return rc;
}

/** Name the contents of files that are there. */
static int find_new_versions(const char *option, struct git_tree *tree,
                             struct err *err) {
  char *const argv[] = {"git",           "-C", tree->lines.root, "hash-object",
                        "--stdin-paths", NULL};
  FILE *const input = tmpfile();
  struct stat status;
  struct output out;
  char *path = NULL;

  if (!input)
    return err_no_memory(err);
  bool *const is_asked = calloc(tree->n_changes + 1, sizeof(*is_asked));
  for (size_t i = 0; is_asked && i < tree->n_changes; i++) {
    const struct git_change *const change = &tree->changes[i];
    if (strchr(change->path, '\n') ||
        asprintf(&path, "%s/%s", tree->lines.root, change->path) < 0)
      continue;
    is_asked[i] = change->status != 'D' && lstat(path, &status) == 0 &&
                  S_ISREG(status.st_mode);
    if (is_asked[i])
      fprintf(input, "%s\n", change->path);
    free(path);
  }
  int rc = is_asked && fflush(input) == 0 ? 0 : err_no_memory(err);
  rewind(input);
  lseek(fileno(input), 0, SEEK_SET);
  if (rc == 0)
    rc = ask(option, argv, input, &out, err);
  fclose(input);
  char *line = rc == 0 ? strtok(out.bytes, "\n") : NULL;
  for (size_t i = 0; rc == 0 && i < tree->n_changes; i++) {
    if (!is_asked[i] || !line)
      continue;
    free(tree->changes[i].new_version);
    tree->changes[i].new_version = strdup(line);
    rc = tree->changes[i].new_version ? 0 : err_no_memory(err);
    line = strtok(NULL, "\n");
  }
  if (rc == 0)
    free(out.bytes);
  free(is_asked);
  return rc;
}

// --- Files of the revision ---

/** Read "MODE TYPE NAME<tab>PATH". */
static int read_files(const char *option, const char *revision,
                      struct git_tree *tree, struct err *err) {
  char *const argv[] = {"git",         "ls-tree",        "-r", "-z",
                        "--full-tree", (char *)revision, NULL};
  struct output out;
  char *line;

  if (ask(option, argv, NULL, &out, err) != 0)
    return -1;
  tree->text = out.bytes;
  char *at = out.bytes;
  while ((line = next_part(&at, out.bytes + out.n_bytes))) {
    char *const tab = strchr(line, '\t');
    struct git_file *const files = array_grow(tree->files, tree->n_files,
                                              &tree->max_files, sizeof(*files));
    if (!files)
      return err_no_memory(err);
    tree->files = files;
    if (!tab)
      continue;
    *tab = '\0';
    const char *const blank = strrchr(line, ' ');
    if (blank)
      files[tree->n_files++] = (struct git_file){tab + 1, blank + 1};
  }
  return merge_sort_runs(tree->files, tree->n_files, sizeof(*tree->files),
                         sorted_compare_names, NULL) == 0
             ? 0
             : err_no_memory(err);
}

static const char *find_version(const struct git_tree *tree, const char *path) {
  const size_t i = sorted_find(tree->files, tree->n_files, sizeof(*tree->files),
                               &path, sorted_compare_names, NULL);

  return i < tree->n_files ? tree->files[i].version : NULL;
}

/** The part of a name after the root; NULL: it is elsewhere. */
static const char *path_in_tree(const struct git_tree *tree, const char *name) {
  const size_t n = strlen(tree->lines.root);

  return strncmp(name, tree->lines.root, n) == 0 && name[n] == '/'
             ? name + n + 1
             : NULL;
}

const char *git_tree_version(const struct git_tree *tree, const char *name) {
  const char *const path = path_in_tree(tree, name);
  const char *version = NULL;

  if (path)
    return find_version(tree, path);
  for (const char *part = name; part && !version; part = strchr(part, '/')) {
    part += *part == '/';
    version = find_version(tree, part);
  }
  return version;
}

bool git_tree_is_file(const struct git_tree *tree, const char *name,
                      const char *path) {
  const char *const own = path_in_tree(tree, name);
  const size_t n_name = strlen(name), n_path = strlen(path);

  if (own)
    return strcmp(own, path) == 0;
  return n_name >= n_path && strcmp(name + n_name - n_path, path) == 0 &&
         (n_name == n_path || name[n_name - n_path - 1] == '/');
}

int git_tree_read(const char *option, const char *revision,
                  struct git_tree *out, struct err *err) {
  *out = (struct git_tree){0};
  if (changed_lines_find(option, revision, &out->lines, err) == 0 &&
      read_changes(option, revision, out, err) == 0 &&
      find_new_versions(option, out, err) == 0 &&
      read_files(option, revision, out, err) == 0)
    return 0;
  git_tree_release(out);
  return -1;
}

void git_tree_release(struct git_tree *tree) {
  for (size_t i = 0; i < tree->n_changes; i++) {
    free(tree->changes[i].path);
    free(tree->changes[i].old_path);
    free(tree->changes[i].old_version);
    free(tree->changes[i].new_version);
  }
  free(tree->changes);
  free(tree->files);
  free(tree->text);
  changed_lines_release(&tree->lines);
  *tree = (struct git_tree){0};
}
