/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads live files (arcline/live_format.h): the counts of a program that ran
 * with persist=mmap. Every size and offset is checked against the size of the
 * file before it is used. Independent of images.
 */
#ifndef ARCLINE_LIVE_FILE_H
#define ARCLINE_LIVE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/live_format.h"
#include "base/mapped_file.h"

struct err;

/** A table of arcs. */
struct live_table {
  const struct arcline_live_arc *arcs;
  size_t n;
};

/** An object that was loaded at some time. Pointers but of the baseline are
 * into the file; everything has the size in the record. */
struct live_object {
  struct arcline_live_object record; /* texts: ascending, of whole bins */
  uint32_t region;                   /* that contains the record */
  bool is_loaded; /* it was loaded at the end: arcs with addresses of its last
                     load are valid */
  const uint64_t **copies; /* of the cells */
  size_t n_copies;
  struct live_table *tables;
  size_t n_tables;
  const uint64_t *bins[ARCLINE_LIVE_MAX_TEXTS];   /* or NULL */
  const uint8_t *touched[ARCLINE_LIVE_MAX_TEXTS]; /* if bins */
  struct arcline_live_baseline *baseline;         /* or NULL */
  const uint64_t *early_cells;                    /* or NULL */
  struct live_table early;
  const struct arcline_live_callees *callees; /* or NULL */
  const uint64_t *biases;                     /* of earlier loads */
  size_t n_biases;
};

/** An open file, which stays where it is. All zero is closed. */
struct live_file {
  const char *path;
  struct arcline_live_head head; /* as it was when the file was opened */
  struct live_object *objects;
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

/** The first flaw of an object's record, as text; NULL: it has none. */
const char *live_record_flaw(const struct arcline_live_object *record);

/** Close; a closed file may be closed again. */
void live_file_close(struct live_file *file);

#endif
