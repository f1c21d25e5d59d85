/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/changed_lines.h"

#include "base/array.h"
#include "base/err.h"
#include "diff/git.h"

#include <stdlib.h>
#include <string.h>

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
  paths[out->n_paths] = strdup(path);
  if (!paths[out->n_paths])
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

static int read_root(FILE *stream, void *context, struct err *err) {
  struct changed_lines *const out = context;
  size_t capacity = 0;

  (void)err;
  if (getline(&out->root, &capacity, stream) > 0)
    out->root[strcspn(out->root, "\n")] = '\0';
  return 0;
}

static int read_ranges(FILE *stream, void *context, struct err *err) {
  return changed_lines_read(stream, context, err);
}

int changed_lines_find(const char *option, const char *revision,
                       struct changed_lines *out, struct err *err) {
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
    return err_set(err, ERR_USAGE, "%s=%s: not a git revision", option,
                   revision);
  unsetenv("GIT_DIFF_OPTS"); // git prefers it to -U0
  const struct git_command for_root = {.argv = root, .option = option};
  const struct git_command for_diff = {.argv = diff, .option = option};
  if (git_run(&for_root, read_root, out, err) == 0 &&
      git_run(&for_diff, read_ranges, out, err) == 0)
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
