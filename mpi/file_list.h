/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds the files of the operands, on one rank for all of them: a thousand
 * ranks that list one folder would overload its file system. */
#ifndef ARCLINE_FILE_LIST_H
#define ARCLINE_FILE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/** Names of files: for each, one byte for whether it was given or found in a
 * folder, and its name with NUL. All zero is empty. */
struct file_list {
  char *text;
  size_t n_bytes, max_bytes;
  size_t n_skipped; /* unreadable folders, with a warning each */
};

/** Find the files of an operand. Returns 0, or -1 with *err set (no memory). */
int file_list_add(struct file_list *list, const char *operand, struct err *err);

/** The next name, of *at in the text, at 0 first; NULL: there is none. */
const char *file_list_next(const struct file_list *list, size_t *at,
                           bool *is_given);

/** Free; an empty one may be released too. */
void file_list_release(struct file_list *list);

#endif
