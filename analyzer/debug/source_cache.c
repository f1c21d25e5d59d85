/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/source_cache.h"

#include "base/array.h"
#include "base/err.h"

#include <stdlib.h>

int source_cache_find(struct source_cache *cache,
                      const struct source_paths *paths, uint32_t i_file,
                      const char *name, const struct source_text **out,
                      struct err *err) {
  int reason;
  for (size_t i = cache->n_files; i-- > 0;)
    if (cache->files[i]->i_file == i_file) {
      *out = &cache->files[i]->text;
      return 0;
    }
  struct cached_source **const files = array_grow(
      cache->files, cache->n_files, &cache->max_files, sizeof(*files));
  struct cached_source *const file = files ? calloc(1, sizeof(*file)) : NULL;
  if (files)
    cache->files = files;
  if (!file)
    return err_no_memory(err);
  file->i_file = i_file;
  if (source_load(paths, name, &file->text, &reason, err)) {
    if (reason == 0) {
      free(file);
      return -1;
    }
    *err = (struct err){0};
  }
  files[cache->n_files++] = file;
  *out = &file->text;
  return 0;
}

void source_cache_release(struct source_cache *cache) {
  for (size_t i = 0; i < cache->n_files; i++) {
    source_release(&cache->files[i]->text);
    free(cache->files[i]);
  }
  free(cache->files);
  *cache = (struct source_cache){0};
}
