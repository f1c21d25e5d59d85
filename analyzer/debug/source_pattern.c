/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/source_pattern.h"

#include "base/array.h"
#include "base/in_file.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/** A pattern of a folder. Its folder is found once: a pattern is compared with
 * each file of a program, and the working directory never changes. */
struct known_pattern {
  char *text;
  const struct file_set *files; /* by whose names it was found */
  char *folder;                 /* its characters are not special; or NULL */
  char *real;                   /* the same without links; or NULL */
  const char *rest;             /* of text, below the folder */
};

/* They are as many as the user writes, and kept. */
static struct known_pattern *known;
static size_t n_known, max_known;

bool source_pattern_has_folder(const char *pattern) {
  return pattern[0] == '/' || strncmp(pattern, "../", 3) == 0;
}

/** Find the folder of a pattern that begins with "../". */
static void find_above(struct known_pattern *pattern) {
  char *const folder = in_file_folder();
  size_t n = folder ? strlen(folder) : 0;
  for (; strncmp(pattern->rest, "../", 3) == 0; pattern->rest += 3) {
    while (n > 0 && folder[n - 1] != '/')
      n--;
    n -= n > 0; // the slash
  }
  if (folder)
    folder[n] = '\0';
  pattern->folder = folder;
}

/** Find the folder of an absolute one. */
static void find_folder(struct known_pattern *pattern) {
  const char *const text = pattern->text;
  size_t n = strcspn(text, "*?[\\");
  while (text[n] != '/')
    n--;
  pattern->folder = strndup(text, n);
  pattern->rest = text + n + 1;
}

static const struct known_pattern *find_known(const char *text) {
  const struct file_set *const files = in_file_used();
  for (size_t i = 0; i < n_known; i++)
    if (known[i].files == files && strcmp(known[i].text, text) == 0)
      return &known[i];
  struct known_pattern *const grown =
      array_grow(known, n_known, &max_known, sizeof(*known));
  if (!grown)
    return NULL;
  known = grown;
  struct known_pattern *const pattern = &known[n_known];
  *pattern = (struct known_pattern){.text = strdup(text), .files = files};
  if (!pattern->text)
    return NULL;
  n_known++;
  pattern->rest = pattern->text;
  if (text[0] == '/')
    find_folder(pattern);
  else
    find_above(pattern);
  if (pattern->folder && pattern->folder[0])
    pattern->real = in_file_real(pattern->folder);
  return pattern;
}

/** Does the rest of a pattern fit below that folder? */
static bool fits_below(const char *folder, const char *rest, const char *name) {
  const size_t n = folder ? strlen(folder) : 0;
  return folder && strncmp(name, folder, n) == 0 && name[n] == '/' &&
         fnmatch(rest, name + n + 1, 0) == 0;
}

static bool fits_folder(const char *pattern, const char *name) {
  const struct known_pattern *const it = find_known(pattern);
  return it && (fits_below(it->folder, it->rest, name) ||
                fits_below(it->real, it->rest, name));
}

bool source_matches(const char *pattern, const char *name) {
  if (source_pattern_has_folder(pattern))
    return fits_folder(pattern, name);
  if (strncmp(pattern, "./", 2) == 0)
    pattern += 2;
  for (const char *part = name; part;) {
    if (fnmatch(pattern, part, 0) == 0)
      return true;
    part = strchr(part, '/');
    part = part ? part + 1 : NULL;
  }
  return false;
}
