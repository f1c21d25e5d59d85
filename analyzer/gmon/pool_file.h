/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads pools (arcline/pool_format.h): the counts of all processes of an
 * object. Every size and offset is checked before it is used. Independent of
 * images.
 */
#ifndef ARCLINE_POOL_FILE_H
#define ARCLINE_POOL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/pool_places.h"

struct err;
struct gmon_file;

/** Pointers are into the file. */
struct pool_file {
  const struct gmon_file *bytes;
  struct arcline_pool_start start; /* its object: as live_object.record */
  struct arcline_pool_places places;
  const struct arcline_pool_head *head;
  const struct arcline_pool_other *others; /* head->n_others */
};

/** Does a file begin as pools of any version do? */
bool pool_is_pool_file(const struct gmon_file *file);

/**
 * Read the start and the heads.
 *
 * bytes  of the whole file; kept by pointer.
 *
 * Returns 0; or -1 with *err set: no pool, another version or byte order, cut
 * off, sizes that contradict one another.
 */
int pool_file_read(const struct gmon_file *bytes, struct pool_file *out,
                   struct err *err);

/** The words of a chunk, at most ARCLINE_POOL_CHUNK_WORDS; fewer at the end of
 * the file, after which all are 0. */
const uint64_t *pool_file_chunk(const struct pool_file *pool, uint64_t chunk,
                                size_t *n_words);

/** Copy words of the file. */
void pool_file_copy(const struct pool_file *pool, uint64_t first,
                    size_t n_words, uint64_t *out);

/** Call visit with each slot of the table of arcs that is in use. */
void pool_file_each_arc(const struct pool_file *pool,
                        void (*visit)(void *context,
                                      const struct arcline_pool_arc *arc),
                        void *context);

#endif
