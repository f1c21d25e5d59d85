/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/source_markers.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "debug/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word_char(int c) {
  return isalnum((unsigned char)c) || c == '_';
}

static int append(struct source_markers *out, struct source_marker marker,
                  struct err *err) {
  struct source_marker *const markers = array_grow(
      out->markers, out->n_markers, &out->max_markers, sizeof(*markers));
  if (!markers)
    return err_no_memory(err);
  out->markers = markers;
  markers[out->n_markers++] = marker;
  return 0;
}

int source_markers_add(struct source_markers *own, const char *option,
                       struct err *err) {
  static const struct {
    const char *name;
    enum marker_verb verb;
    bool is_of_branches;
  } kinds[] = {
      {"line", MARKER_LINE, false},         {"start", MARKER_START, false},
      {"stop", MARKER_STOP, false},         {"br-line", MARKER_LINE, true},
      {"br-start", MARKER_START, true},     {"br-stop", MARKER_STOP, true},
      {"function", MARKER_FUNCTION, false},
  };
  const size_t n = strcspn(option, "=");
  for (size_t i = 0;
       option[n] && option[n + 1] && i < sizeof(kinds) / sizeof(*kinds); i++)
    if (strlen(kinds[i].name) == n && memcmp(kinds[i].name, option, n) == 0)
      return append(own,
                    (struct source_marker){
                        .verb = kinds[i].verb,
                        .is_of_branches = kinds[i].is_of_branches,
                        .text = option + n + 1,
                    },
                    err);
  return err_set(err, ERR_USAGE,
                 "--marker=%s: must be KIND=TEXT; KIND is line, start, stop, "
                 "br-line, br-start, br-stop or function",
                 option);
}

//===--- Markers of lcov and gcovr ----------------------------------------===//

/** Skip a text; returns false, and stays, if another one follows. */
static bool skip(const char **at, const char *text) {
  const size_t n = strlen(text);
  if (strncmp(*at, text, n) != 0)
    return false;
  *at += n;
  return true;
}

/** Read the marker whose "COV" is at `at`, in a text that NUL ends. */
static bool read_marker(const char *first, const char *at,
                        struct source_marker *out) {
  static const char *const verbs[] = {"LINE", "START", "STOP", "FUNCTION"};
  if (at == first || (at[-1] != 'L' && at[-1] != 'G') ||
      (at - 1 > first && is_word_char(at[-2])))
    return false;
  at += 3;
  if (*at == 'R')
    at++;
  if (!skip(&at, "_EXCL_") && !skip(&at, "_UNREACHABLE_"))
    return false;
  const bool is_of_branches = skip(&at, "BR_");
  for (unsigned i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
    if (skip(&at, verbs[i]) && !is_word_char(*at)) {
      *out =
          (struct source_marker){.verb = i, .is_of_branches = is_of_branches};
      return i != MARKER_FUNCTION || !is_of_branches;
    }
  return false;
}

static int find_usual(const struct source_text *text,
                      struct source_markers *out, struct err *err) {
  const char *const end = text->bytes + text->n_bytes;
  for (const char *at = text->bytes;
       (at = memmem(at, (size_t)(end - at), "COV", 3)) != NULL; at += 3) {
    struct source_marker marker;
    if (!read_marker(text->bytes, at, &marker))
      continue;
    marker.offset = (size_t)(at - text->bytes);
    if (append(out, marker, err) != 0)
      return -1;
  }
  return 0;
}

//===--- A project's own markers ------------------------------------------===//

/** Is the text at `at` a word, if it begins and ends as words do? */
static bool is_whole(const char *first, const char *at, const char *end,
                     size_t n) {
  return !(is_word_char(at[0]) && at > first && is_word_char(at[-1])) &&
         !(is_word_char(at[n - 1]) && at + n < end && is_word_char(at[n]));
}

static int find_own(const struct source_text *text,
                    const struct source_marker *own, struct source_markers *out,
                    struct err *err) {
  const char *const end = text->bytes + text->n_bytes;
  const size_t n = strlen(own->text);
  for (const char *at = text->bytes;
       (at = memmem(at, (size_t)(end - at), own->text, n)) != NULL; at += n) {
    struct source_marker marker = *own;
    if (!is_whole(text->bytes, at, end, n))
      continue;
    marker.offset = (size_t)(at - text->bytes);
    if (append(out, marker, err) != 0)
      return -1;
  }
  return 0;
}

static int compare(const void *left, const void *right, const void *context) {
  const struct source_marker *a = left, *b = right;
  (void)context;
  return (a->offset > b->offset) - (a->offset < b->offset);
}

int source_markers_find(const struct source_text *text,
                        const struct source_markers *own,
                        struct source_markers *out, struct err *err) {
  *out = (struct source_markers){0};
  int rc = find_usual(text, out, err);
  for (size_t i = 0; rc == 0 && i < own->n_markers; i++)
    rc = find_own(text, &own->markers[i], out, err);
  if (rc == 0 && own->n_markers > 0 &&
      merge_sort(out->markers, out->n_markers, sizeof(*out->markers), compare,
                 NULL) != 0)
    rc = err_no_memory(err);
  if (rc != 0)
    source_markers_release(out);
  return rc;
}

void source_markers_release(struct source_markers *markers) {
  free(markers->markers);
  *markers = (struct source_markers){0};
}
