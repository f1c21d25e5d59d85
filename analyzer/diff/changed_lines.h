/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Lists the lines of a working tree that are new since a revision, as git
 * reports them: committed or not, and those of renamed files that their old
 * ones do not have. Those of submodules are included, since the commit that the
 * revision has of them. Files that git does not track are left out.
 */
#ifndef ARCLINE_CHANGED_LINES_H
#define ARCLINE_CHANGED_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;

/** Lines of a file, from first to last; first is last + 1 if lines were only
 * removed before it. */
struct changed_range {
  size_t i_path;
  uint32_t first, last;
  uint32_t old_first, old_last; /* the lines that they replace, as the above */
};

/** A submodule that has changed. */
struct changed_submodule {
  size_t i_path;
  char *commit; /* that the revision has */
};

/** All zero is empty. */
struct changed_lines {
  char *root;   /* of the working tree; NULL: unknown */
  char **paths; /* of files, from there */
  size_t n_paths, max_paths;
  struct changed_range *ranges; /* in order of files */
  size_t n_ranges, max_ranges;
  struct changed_submodule *submodules; /* private, as is the rest */
  size_t n_submodules, max_submodules;
  const char *folder; /* of paths that are read; NULL: the root */
};

/**
 * Run git in the working directory.
 *
 * option    that names the revision, for messages.
 * revision  as git names them.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls changed_lines_release(out).
 * A submodule that git cannot compare is left out with a warning, and one that
 * is not checked out without.
 * Errors: git is missing, or fails with a message of its own; no memory.
 */
int changed_lines_find(const char *option, const char *revision,
                       struct changed_lines *out, struct err *err);

/** The same for the lines that a branch changes: since the last commit that it
 * has in common with the revision. The lines since the revision itself include
 * those that the revision has changed after that. If they have no such commit,
 * as in a clone without history, or it is no single revision, it is the
 * revision. */
int changed_lines_find_branch(const char *option, const char *revision,
                              struct changed_lines *out, struct err *err);

/** Read the output of `git diff -U0 --no-prefix`. Returns 0, or -1 with *err
 * set (no memory). */
int changed_lines_read(FILE *stream, struct changed_lines *out,
                       struct err *err);

enum { CHANGED_NO_PATH = -1 };

/** Index of the path of a source file, or CHANGED_NO_PATH. The tree may have
 * been compiled elsewhere: of a name that is not in the tree the longest path
 * that it ends with. */
long changed_lines_path(const struct changed_lines *changed, const char *name);

/** Was a line of the file of that path changed? */
bool changed_lines_have(const struct changed_lines *changed, long i_path,
                        uint32_t line);

/** Free; empty ones may be released too. */
void changed_lines_release(struct changed_lines *changed);

#endif
