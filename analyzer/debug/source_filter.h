/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Selects the source files and functions that coverage is about, by patterns of
 * the user and the folder of the project.
 *
 * Of patterns of a folder, finds where links lead; no other I/O.
 */
#ifndef ARCLINE_SOURCE_FILTER_H
#define ARCLINE_SOURCE_FILTER_H

#include "debug/source_markers.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct wanted_func;

/** Patterns as source_matches() has them; `*` also fits slashes. */
struct source_patterns {
  const char **texts; /* borrowed */
  size_t n_texts, max_texts;
};

/** Names of functions, or patterns. */
struct source_names {
  struct wanted_func *funcs;
  size_t n_funcs, max_funcs;
};

/** The folder of the project: files below it are the project's. */
struct source_root {
  const char *folder; /* absolute, without a slash at its end; NULL: none; "":
                         all files */
  const char *alias;  /* the same by another name; or NULL */
  bool is_found;      /* rather than named by the user */
  const char *const *others; /* folders of images that are outside of it */
  size_t n_others;
};

/** All zero selects all files but headers of the system. */
struct source_filter {
  struct source_patterns includes; /* none: all of the program's own files */
  struct source_patterns excludes; /* these take precedence */
  struct source_names include_funcs, exclude_funcs; /* the same of functions */
  struct source_root root;                          /* borrowed */
  struct source_markers markers;                    /* the project's own */
  bool has_all;            /* files outside of the root, and of the system */
  bool is_without_markers; /* comments exclude nothing */
};

/** The kind of a file; only the first is in totals of coverage. */
enum source_kind {
  SOURCE_OWN,
  SOURCE_SYSTEM,   /* a header of the system or the compiler */
  SOURCE_OUTSIDE,  /* of the root */
  SOURCE_EXCLUDED, /* by patterns */
  N_SOURCE_KINDS
};

/** Append a pattern; borrowed. Returns 0, or -1 with *err set (an empty one; no
 * memory). */
int source_patterns_add(struct source_patterns *patterns, const char *text,
                        struct err *err);

/** Append a function, as of wanted_func.h; borrowed. Returns 0, or -1 with *err
 * set (an empty one; no memory). */
int source_names_add(struct source_names *names, const char *text,
                     struct err *err);

/** Kind of a file. A pattern of includes selects files of the system and
 * outside of the root, too. */
enum source_kind source_filter_kind(const struct source_filter *filter,
                                    const char *name);

/** Is a file selected? */
bool source_filter_has(const struct source_filter *filter, const char *name);

/** Is a file below a folder? A relative name is. */
bool source_root_has(const struct source_root *root, const char *name);

/** The name of a file from the root, or the whole of it. */
const char *source_root_relative(const struct source_root *root,
                                 const char *name);

/** Does a pattern, as source_matches() has it, fit the name of a file, or its
 * name by the other name of the root? */
bool source_root_fits(const struct source_root *root, const char *pattern,
                      const char *name);

/** Free; an empty one may be released too. */
void source_filter_release(struct source_filter *filter);

#endif
