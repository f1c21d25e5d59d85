/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Compares a working tree with a revision, as git does: files that differ, the
 * versions of all files, and their texts. */
#ifndef ARCLINE_GIT_TREE_H
#define ARCLINE_GIT_TREE_H

#include "diff/changed_lines.h"

#include <stddef.h>

struct err;

/** A file that differs. Paths are from the root of the tree. */
struct git_change {
  char status;       /* as git has it: A, C, D, M, R, T; U: not tracked */
  char *path;        /* now; of D: before */
  char *old_path;    /* before; the same, but for R and C */
  char *old_version; /* name of its contents; "": none */
  char *new_version; /* the same; "": none */
};

/** A file of the revision. */
struct git_file {
  const char *path;
  const char *version;
};

/** All zero is empty. */
struct git_tree {
  struct git_change *changes;
  size_t n_changes, max_changes;
  struct git_file *files; /* sorted by path */
  size_t n_files, max_files;
  struct changed_lines lines; /* with the root */
  char *text;                 /* private: names of files */
};

/**
 * Read all that differs between a revision and the working tree.
 *
 * option  that names the revision, for messages.
 *
 * Returns 0; or -1 with *err set and *out empty. Errors: those of git.
 * Owns:   caller calls git_tree_release(out).
 */
int git_tree_read(const char *option, const char *revision,
                  struct git_tree *out, struct err *err);

/** Version of a source file in the revision, by its name in debug information;
 * NULL: it is not in the tree. */
const char *git_tree_version(const struct git_tree *tree, const char *name);

/** Does a source file have that path in the tree? A tree may have been compiled
 * elsewhere: then the name ends with the path. */
bool git_tree_is_file(const struct git_tree *tree, const char *name,
                      const char *path);

/** Read the contents of a version. Returns memory to free(), or NULL with *err
 * set. */
char *git_tree_text(const char *option, const char *version, size_t *n_bytes,
                    struct err *err);

/** Free; an empty one may be released too. */
void git_tree_release(struct git_tree *tree);

#endif
