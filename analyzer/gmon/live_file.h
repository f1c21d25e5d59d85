/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads live files (arcline/live_format.h): what a program that ran with
 * persist=mmap has left behind. Everything is compared with the size of the
 * file before it is believed. Knows nothing of images (live_image.h).
 */
#ifndef ARCLINE_LIVE_FILE_H
#define ARCLINE_LIVE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/offline.h"
#include "base/mapped_file.h"

struct err;

/** An object that was loaded at some time. */
struct live_object {
  struct arcline_live_object record;
  uint32_t region; /* that the record lies in */
  const uint64_t **copies;
  struct arcline_offline_table *tables;
  struct arcline_live_baseline *baseline; /* or NULL */
};

/** An open file, which stays where it is. All zero is closed. */
struct live_file {
  const char *path;
  struct arcline_live_head head; /* as it was when the file was opened */
  struct live_object *objects;
  /** Parallel: all but what an image tells; pointers into the two above and
   * into the file. */
  struct arcline_offline_object *offline;
  size_t n_objects;
  struct mapped_file mapped; /* private */
};

/**
 * Open a file.
 *
 * path  kept by pointer.
 *
 * Returns 0; or -1 with *err set and *out closed.
 * Errors: unreadable, no live file, another version or byte order, cut off,
 * sizes that contradict one another.
 */
int live_file_open(const char *path, struct live_file *out, struct err *err);

/** Close; a closed file may be closed again. */
void live_file_close(struct live_file *file);

#endif
