/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/changed_lines.h"

#include "base/array.h"
#include "base/err.h"
#include "diff/git.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- Reading ---

/** The path in a line that begins with "+++ ". Names with special characters
 * are in quotes, as in C. Changes the line. */
static char *read_path(char *text) {
  char *to = text;

  text[strcspn(text, "\n\t")] = '\0';
  if (*text != '"')
    return text;
  for (const char *from = text + 1; *from && *from != '"';) {
    if (*from != '\\' || !from[1]) {
      *to++ = *from++;
    } else if (from[1] >= '0' && from[1] <= '3') {
      char digits[4] = "";
      memcpy(digits, from + 1, strnlen(from + 1, 3));
      *to++ = (char)strtoul(digits, NULL, 8);
      from += 1 + strlen(digits);
    } else {
      *to++ = from[1] == 't' ? '\t' : from[1] == 'n' ? '\n' : from[1];
      from += 2;
    }
  }
  *to = '\0';
  return text;
}

static int add_path(struct changed_lines *out, const char *path,
                    struct err *err) {
  char **const paths =
      array_grow(out->paths, out->n_paths, &out->max_paths, sizeof(*paths));
  if (!paths)
    return err_no_memory(err);
  out->paths = paths;
  if (asprintf(&paths[out->n_paths], "%s%s%s", out->folder ? out->folder : "",
               out->folder ? "/" : "", path) < 0)
    return err_no_memory(err);
  out->n_paths++;
  return 0;
}

/** Read "3,4": four lines from line 3; of no lines the one before is named.
 * Returns the text after it; NULL: no such lines. */
static const char *read_lines(const char *text, uint32_t *first,
                              uint32_t *last) {
  unsigned long line, n = 1;
  char *end;

  line = strtoul(text, &end, 10);
  if (end == text)
    return NULL;
  if (*end == ',')
    n = strtoul(end + 1, &end, 10);
  if (line >= UINT32_MAX || n > UINT32_MAX - line || (line == 0 && n > 0))
    return NULL;
  *first = (uint32_t)(n == 0 ? line + 1 : line);
  *last = (uint32_t)(n == 0 ? line : line + n - 1);
  return end;
}

/** Read "@@ -1,2 +3,4 @@". */
static int add_range(struct changed_lines *out, const char *text,
                     struct err *err) {
  struct changed_range range = {.i_path = out->n_paths - 1};

  if (out->n_paths == 0 || strncmp(text, "@@ -", 4) != 0)
    return 0;
  text = read_lines(text + 4, &range.old_first, &range.old_last);
  if (!text || strncmp(text, " +", 2) != 0 ||
      !read_lines(text + 2, &range.first, &range.last))
    return 0;
  struct changed_range *const ranges =
      array_grow(out->ranges, out->n_ranges, &out->max_ranges, sizeof(*ranges));
  if (!ranges)
    return err_no_memory(err);
  out->ranges = ranges;
  ranges[out->n_ranges++] = range;
  return 0;
}

/** Read "-Subproject commit SHA", the only line of a submodule that was there,
 * or that with a plus of one that is new, and so compared with no files. A file
 * may have such a text, too: it is no folder with a .git. */
static int add_submodule(struct changed_lines *out, const char *line,
                         struct err *err) {
  static const char label[] = "Subproject commit ";
  static const char *const no_files[] = {
      "4b825dc642cb6eb9a060e54bf8d69288fbee4904", // SHA-1
      "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"};
  const size_t i_path = out->n_paths - 1;
  const size_t n = out->n_submodules;

  if (out->n_paths == 0 || strncmp(line + 1, label, strlen(label)) != 0 ||
      (n > 0 && out->submodules[n - 1].i_path == i_path))
    return 0;
  const char *const commit = line + 1 + strlen(label);
  const size_t n_digits = strspn(commit, "0123456789abcdef");
  if (n_digits == 0)
    return 0;
  struct changed_submodule *const submodules =
      array_grow(out->submodules, n, &out->max_submodules, sizeof(*submodules));
  if (!submodules)
    return err_no_memory(err);
  out->submodules = submodules;
  char *const copy = *line == '-' ? strndup(commit, n_digits)
                                  : strdup(no_files[n_digits > 40]);
  if (!copy)
    return err_no_memory(err);
  submodules[out->n_submodules++] = (struct changed_submodule){i_path, copy};
  return 0;
}

int changed_lines_read(FILE *stream, struct changed_lines *out,
                       struct err *err) {
  char *line = NULL;
  size_t capacity = 0;
  bool is_head = false; // text may have the form of a head's lines
  int rc = 0;

  while (rc == 0 && getline(&line, &capacity, stream) >= 0) {
    if (strncmp(line, "diff --git ", 11) == 0) {
      is_head = true;
    } else if (is_head && strncmp(line, "+++ ", 4) == 0) {
      rc = add_path(out, read_path(line + 4), err);
    } else if (strncmp(line, "@@ ", 3) == 0) {
      is_head = false;
      rc = add_range(out, line, err);
    } else if (!is_head && (*line == '-' || *line == '+')) {
      rc = add_submodule(out, line, err);
    }
  }
  free(line);
  return rc;
}

// --- Asking ---

/** Read a line of output. context: a char *, NULL at first. */
static int read_line(FILE *stream, void *context, struct err *err) {
  char **const out = context;
  size_t capacity = 0;

  (void)err;
  if (getline(out, &capacity, stream) > 0)
    (*out)[strcspn(*out, "\n")] = '\0';
  return 0;
}

static int read_ranges(FILE *stream, void *context, struct err *err) {
  return changed_lines_read(stream, context, err);
}

/** Ask for the lines that changed in a folder, that of a submodule or NULL. */
static int ask(const char *option, const char *folder, const char *revision,
               struct changed_lines *out, struct err *err) {
  // Nothing that the user has configured changes the form or runs programs. A
  // file that was renamed has the lines that differ from its old one's.
  char *const diff[] = {"git",
                        "-C",
                        (char *)(folder ? folder : "."),
                        "-c",
                        "core.quotePath=false",
                        "diff",
                        "-U0",
                        "--inter-hunk-context=0",
                        "--submodule=short",
                        "--no-color",
                        "--no-ext-diff",
                        "--no-textconv",
                        "--no-prefix",
                        "--no-relative",
                        "--find-renames",
                        "--diff-filter=d",
                        (char *)revision,
                        "--",
                        NULL};
  // Hooks have a repository in the environment, which is not the submodule's.
  char *env[sizeof(diff) / sizeof(diff[0]) + 7] = {
      "env", "-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "-u", "GIT_INDEX_FILE"};
  memcpy(env + 7, diff, sizeof(diff));
  const struct git_command command = {.argv = folder ? env : diff,
                                      .option = option};
  return git_run(&command, read_ranges, out, err);
}

/** Add the lines of a submodule. The revision's commit of it may be missing,
 * such as in a clone without history. */
static int ask_submodule(const char *option, const struct changed_submodule *of,
                         struct changed_lines *out, struct err *err) {
  char *folder = NULL, *git_file = NULL;
  struct err why = {0};
  int rc = 0;

  const char *const path = out->paths[of->i_path];
  if (asprintf(&folder, "%s/%s", out->root, path) < 0)
    return err_no_memory(err);
  if (asprintf(&git_file, "%s/.git", folder) < 0) {
    free(folder);
    return err_no_memory(err);
  }
  out->folder = path;
  // Without its .git, git would look for the one above.
  if (access(git_file, F_OK) == 0)
    rc = ask(option, folder, of->commit, out, &why);
  out->folder = NULL;
  if (rc != 0 && why.code == ERR_INPUT) {
    warn("%s: changed lines of this submodule are not counted, since git "
         "cannot compare it with %s; fetch that commit",
         folder, of->commit);
    rc = 0;
  }
  if (rc != 0)
    *err = why;
  free(git_file);
  free(folder);
  return rc;
}

int changed_lines_find(const char *option, const char *revision,
                       struct changed_lines *out, struct err *err) {
  char *const root[] = {"git", "rev-parse", "--show-toplevel", NULL};

  *out = (struct changed_lines){0};
  if (revision[0] == '-' || revision[0] == '\0')
    return err_set(err, ERR_USAGE, "%s=%s: not a git revision", option,
                   revision);
  unsetenv("GIT_DIFF_OPTS"); // git prefers it to -U0
  const struct git_command for_root = {.argv = root, .option = option};
  int rc = git_run(&for_root, read_line, &out->root, err);
  if (rc == 0)
    rc = ask(option, NULL, revision, out, err);
  // Submodules may have some, which are appended.
  for (size_t i = 0; rc == 0 && out->root && i < out->n_submodules; i++) {
    const struct changed_submodule submodule = out->submodules[i];
    rc = ask_submodule(option, &submodule, out, err);
  }
  if (rc != 0)
    changed_lines_release(out);
  return rc;
}

/** The output of a git command, a line to be freed; NULL: it failed. */
static char *ask_line(const char *option, char *const *argv) {
  const struct git_command command = {.argv = argv, .option = option};
  char *line = NULL;
  struct err ignored = {0};

  if (git_run(&command, read_line, &line, &ignored) == 0 && line && *line)
    return line;
  free(line);
  return NULL;
}

int changed_lines_find_branch(const char *option, const char *revision,
                              struct changed_lines *out, struct err *err) {
  char *name = NULL, *base = NULL;

  if (asprintf(&name, "%s^{commit}", revision) < 0)
    return err_no_memory(err);
  // Quiet: git's message of a wrong revision is that of the comparison.
  char *const parse[] = {"git", "rev-parse", "--verify", "--quiet", name, NULL};
  char *const commit = revision[0] == '-' ? NULL : ask_line(option, parse);
  if (commit) {
    char *const merge_base[] = {"git", "merge-base", commit, "HEAD", NULL};
    base = ask_line(option, merge_base);
  }
  const int rc = changed_lines_find(option, base ? base : revision, out, err);
  free(base);
  free(commit);
  free(name);
  return rc;
}

// --- Looking up ---

/** Does a path of the tree name the source file? */
static bool is_file(const struct changed_lines *changed, const char *path,
                    const char *name) {
  const size_t n_root = changed->root ? strlen(changed->root) : 0;
  const size_t n_path = strlen(path), n_name = strlen(name);

  if (n_root > 0 && strncmp(name, changed->root, n_root) == 0 &&
      name[n_root] == '/')
    return strcmp(name + n_root + 1, path) == 0;
  if (strcmp(name, path) == 0)
    return true;
  return n_name > n_path && name[n_name - n_path - 1] == '/' &&
         strcmp(name + n_name - n_path, path) == 0;
}

long changed_lines_path(const struct changed_lines *changed, const char *name) {
  long i_path = CHANGED_NO_PATH;
  size_t n_longest = 0;

  // Of a tree that was compiled elsewhere, sub/a.c may end like a.c, too.
  for (size_t i = 0; i < changed->n_paths; i++) {
    const size_t n_path = strlen(changed->paths[i]);
    if (n_path > n_longest && is_file(changed, changed->paths[i], name)) {
      i_path = (long)i;
      n_longest = n_path;
    }
  }
  return i_path;
}

bool changed_lines_have(const struct changed_lines *changed, long i_path,
                        uint32_t line) {
  for (size_t i = 0; i < changed->n_ranges; i++) {
    const struct changed_range *const range = &changed->ranges[i];
    if ((long)range->i_path == i_path && line >= range->first &&
        line <= range->last)
      return true;
  }
  return false;
}

void changed_lines_release(struct changed_lines *changed) {
  for (size_t i = 0; i < changed->n_paths; i++)
    free(changed->paths[i]);
  for (size_t i = 0; i < changed->n_submodules; i++)
    free(changed->submodules[i].commit);
  free(changed->submodules);
  free(changed->paths);
  free(changed->ranges);
  free(changed->root);
  *changed = (struct changed_lines){0};
}
