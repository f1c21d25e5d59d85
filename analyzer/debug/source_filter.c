/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/source_filter.h"

#include "base/array.h"
#include "base/err.h"
#include "debug/source.h"

#include <stdlib.h>

int source_patterns_add(struct source_patterns *patterns, const char *text,
                        struct err *err) {
  if (!text[0])
    return err_set(err, ERR_USAGE, "an empty pattern selects no file");
  const char **const texts =
      array_grow(patterns->texts, patterns->n_texts, &patterns->max_texts,
                 sizeof(*patterns->texts));
  if (!texts)
    return err_no_memory(err);
  patterns->texts = texts;
  texts[patterns->n_texts++] = text;
  return 0;
}

static bool has_match(const struct source_patterns *patterns,
                      const char *name) {
  for (size_t i = 0; i < patterns->n_texts; i++)
    if (source_matches(patterns->texts[i], name))
      return true;
  return false;
}

bool source_filter_excludes(const struct source_filter *filter,
                            const char *name) {
  return has_match(&filter->excludes, name) ||
         (filter->includes.n_texts > 0 && !has_match(&filter->includes, name));
}

bool source_filter_has(const struct source_filter *filter, const char *name) {
  if (!name[0] || source_filter_excludes(filter, name))
    return false;
  return filter->includes.n_texts > 0 || filter->has_system ||
         !source_is_system(name);
}

void source_filter_release(struct source_filter *filter) {
  free(filter->includes.texts);
  free(filter->excludes.texts);
  *filter = (struct source_filter){0};
}
