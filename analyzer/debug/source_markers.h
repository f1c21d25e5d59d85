/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the comments of a source text that exclude lines from coverage: those
 * of lcov and gcovr, and those that a project has chosen.
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_SOURCE_MARKERS_H
#define ARCLINE_SOURCE_MARKERS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct source_text;

enum marker_verb { MARKER_LINE, MARKER_START, MARKER_STOP, MARKER_FUNCTION };

/** The kind of a marker, and the text of a project's own one. */
struct source_marker {
  enum marker_verb verb;
  bool is_of_branches; /* alone */
  const char *text;    /* borrowed; NULL: lcov's or gcovr's */
  size_t offset;       /* in the source text, of one that was found */
};

/** All zero is empty. */
struct source_markers {
  struct source_marker *markers;
  size_t n_markers, max_markers;
};

/**
 * Append a project's own marker, "KIND=TEXT": KIND is line, start, stop,
 * br-line, br-start, br-stop or function.
 *
 * option  borrowed until source_markers_release().
 *
 * Returns 0, or -1 with *err set (another kind, no text, no memory).
 */
int source_markers_add(struct source_markers *own, const char *option,
                       struct err *err);

/**
 * List the markers in a text, in its order. A marker is a whole word.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller calls source_markers_release(out).
 */
int source_markers_find(const struct source_text *text,
                        const struct source_markers *own,
                        struct source_markers *out, struct err *err);

/** Free; an empty list may be released too. */
void source_markers_release(struct source_markers *markers);

#endif
