/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Keeps source files in memory, for views that show lines of many files.
 */
#ifndef ARCLINE_SOURCE_CACHE_H
#define ARCLINE_SOURCE_CACHE_H

#include "debug/source.h"

#include <stdint.h>

/** A file that was searched for. */
struct cached_source {
  uint32_t i_file;
  struct source_text text; /* empty: it cannot be read */
};

/** All zero is empty. */
struct source_cache {
  struct cached_source **files; /* private, as is the rest */
  size_t n_files, max_files;
};

/**
 * The text of a file, by its number in the caller's table.
 *
 * out  set; without lines if the file cannot be read. Lives as long as the
 *      cache.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int source_cache_find(struct source_cache *cache,
                      const struct source_paths *paths, uint32_t i_file,
                      const char *name, const struct source_text **out,
                      struct err *err);

/** Free; an empty one may be released too. */
void source_cache_release(struct source_cache *cache);

#endif
