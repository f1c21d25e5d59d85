/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads text files of the user, line by line. A file is in memory as a whole,
 * so lines may be of any length, and strings in them live as long as the file.
 */
#ifndef ARCLINE_TEXT_FILE_H
#define ARCLINE_TEXT_FILE_H

#include <stddef.h>

struct err;

/** All zero is empty. */
struct text_file {
  const char *path;   /* for messages */
  unsigned long line; /* number of the line that was read last, from 1 */
  char *text;         /* private from here */
  char *next;
  char *end;
};

/**
 * Read a regular file into memory.
 *
 * path  kept by pointer.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Errors: unreadable; a folder, a pipe or a device.
 */
int text_file_load(const char *path, struct text_file *out, struct err *err);

/** Read the next line, without its newline. Returns it, or NULL at the end. It
 * may be changed in place. */
char *text_file_next_line(struct text_file *file);

/** Free; an empty one may be released too. */
void text_file_release(struct text_file *file);

#endif
