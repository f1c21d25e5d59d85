/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/changed_lines.h"

#include "base/array.h"
#include "base/err.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// --- Reading ---

/** The path in a line that begins with "+++ ". Names with special characters
 * are in quotes, as in C. Changes the line. */
static char *read_path(char *text) {
  char *to = text;

  text[strcspn(text, "\n\t")] = '\0';
  if (*text != '"')
    return text;
  for (const char *from = text + 1; *from && *from != '"';) {
    if (*from != '\\') {
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
  paths[out->n_paths] = strdup(path);
  if (!paths[out->n_paths])
    return err_no_memory(err);
  out->n_paths++;
  return 0;
}

/** Read "@@ -1,2 +3,4 @@": four lines from line 3. */
static int add_range(struct changed_lines *out, const char *text,
                     struct err *err) {
  unsigned long first, n = 1;
  char *end;

  const char *const plus = strchr(text, '+');
  if (!plus || out->n_paths == 0)
    return 0;
  first = strtoul(plus + 1, &end, 10);
  if (*end == ',')
    n = strtoul(end + 1, NULL, 10);
  if (n == 0 || first == 0 || first > UINT32_MAX || n > UINT32_MAX - first)
    return 0;
  struct changed_range *const ranges =
      array_grow(out->ranges, out->n_ranges, &out->max_ranges, sizeof(*ranges));
  if (!ranges)
    return err_no_memory(err);
  out->ranges = ranges;
  ranges[out->n_ranges++] =
      (struct changed_range){.i_path = out->n_paths - 1,
                             .first = (uint32_t)first,
                             .last = (uint32_t)(first + n - 1)};
  return 0;
}

int changed_lines_read(FILE *stream, struct changed_lines *out,
                       struct err *err) {
  char *line = NULL;
  size_t capacity = 0;
  bool is_head = false; // text may have the form of a head's lines
  int rc = 0;

  while (rc == 0 && getline(&line, &capacity, stream) >= 0) {
    if (strncmp(line, "diff --git ", 11) == 0)
      is_head = true;
    else if (is_head && strncmp(line, "+++ ", 4) == 0)
      rc = add_path(out, read_path(line + 4), err);
    else if (strncmp(line, "@@ ", 3) == 0) {
      is_head = false;
      rc = add_range(out, line, err);
    }
  }
  free(line);
  return rc;
}

// --- Asking ---

/** Start git with its output in a pipe. Returns its process id, or -1. */
static pid_t start(char *const *argv, FILE **out) {
  posix_spawn_file_actions_t actions;
  int ends[2];
  pid_t pid;

  if (pipe(ends) != 0)
    return -1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  const int error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  *out = error ? NULL : fdopen(ends[0], "r");
  if (*out)
    return pid;
  close(ends[0]);
  errno = error ? error : errno;
  return -1;
}

/** Have git print something, and read it. */
static int ask(char *const *argv, struct changed_lines *out,
               int (*read)(FILE *stream, struct changed_lines *out,
                           struct err *err),
               struct err *err) {
  FILE *stream;
  int status = 0;
  const pid_t pid = start(argv, &stream);

  if (pid < 0)
    return err_set(err, ERR_SYSTEM,
                   "cannot execute git, which --changed-since requires: %s",
                   strerror(errno));
  const int rc = read(stream, out, err);
  fclose(stream);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (rc != 0)
    return -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return err_set(err, ERR_INPUT,
                   "--changed-since: git failed, see above; run arcline in the "
                   "working tree and name a revision");
  return 0;
}

static int read_root(FILE *stream, struct changed_lines *out, struct err *err) {
  size_t capacity = 0;

  (void)err;
  if (getline(&out->root, &capacity, stream) > 0)
    out->root[strcspn(out->root, "\n")] = '\0';
  return 0;
}

int changed_lines_find(const char *revision, struct changed_lines *out,
                       struct err *err) {
  char *const root[] = {"git", "rev-parse", "--show-toplevel", NULL};
  // Nothing that the user has configured changes the form or runs programs. A
  // file that was renamed has the lines that differ from its old one's.
  char *const diff[] = {"git",
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

  *out = (struct changed_lines){0};
  if (revision[0] == '-' || revision[0] == '\0')
    return err_set(err, ERR_USAGE, "--changed-since=%s: not a git revision",
                   revision);
  unsetenv("GIT_DIFF_OPTS"); // git prefers it to -U0
  if (ask(root, out, read_root, err) == 0 &&
      ask(diff, out, changed_lines_read, err) == 0)
    return 0;
  changed_lines_release(out);
  return -1;
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
  free(changed->paths);
  free(changed->ranges);
  free(changed->root);
  *changed = (struct changed_lines){0};
}
