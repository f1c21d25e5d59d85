/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Selects the source files that coverage is about, by patterns of the user.
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_SOURCE_FILTER_H
#define ARCLINE_SOURCE_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/** Patterns as source_matches() has them; `*` also fits slashes. */
struct source_patterns {
  const char **texts; /* borrowed */
  size_t n_texts, max_texts;
};

/** All zero selects all files but headers of the system. */
struct source_filter {
  struct source_patterns includes; /* none: all of the program's own files */
  struct source_patterns excludes; /* these take precedence */
  bool has_system;                 /* headers of the system, too */
  bool is_without_markers;         /* comments exclude nothing */
};

/** Append a pattern; borrowed. Returns 0, or -1 with *err set (an empty one; no
 * memory). */
int source_patterns_add(struct source_patterns *patterns, const char *text,
                        struct err *err);

/** Is a file selected? Headers of the system are if a pattern includes them. */
bool source_filter_has(const struct source_filter *filter, const char *name);

/** Is a file left out by a pattern, rather than for being a header of the
 * system? */
bool source_filter_excludes(const struct source_filter *filter,
                            const char *name);

/** Free; an empty one may be released too. */
void source_filter_release(struct source_filter *filter);

#endif
