/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/source_filter.h"

#include "base/array.h"
#include "base/err.h"
#include "debug/source.h"
#include "debug/source_pattern.h"
#include "debug/wanted_func.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int source_names_add(struct source_names *names, const char *text,
                     struct err *err) {
  if (!text[0])
    return err_set(err, ERR_USAGE, "an empty name selects no function");
  struct wanted_func *const funcs = array_grow(
      names->funcs, names->n_funcs, &names->max_funcs, sizeof(*names->funcs));
  if (!funcs)
    return err_no_memory(err);
  names->funcs = funcs;
  if (wanted_func_parse(text, &funcs[names->n_funcs]) != 0)
    return err_no_memory(err);
  names->n_funcs++;
  return 0;
}

/** The part of a name that is below a folder; NULL: it is elsewhere. */
static const char *part_below(const char *folder, const char *name) {
  const size_t n = folder ? strlen(folder) : 0;
  return folder && strncmp(name, folder, n) == 0 && name[n] == '/'
             ? name + n + 1
             : NULL;
}

bool source_root_has(const struct source_root *root, const char *name) {
  bool is_below = name[0] != '/' || part_below(root->folder, name) ||
                  part_below(root->alias, name);
  for (size_t i = 0; !is_below && i < root->n_others; i++)
    is_below = part_below(root->others[i], name);
  return is_below;
}

const char *source_root_relative(const struct source_root *root,
                                 const char *name) {
  const char *const part = part_below(root->folder, name);
  const char *const other = part ? part : part_below(root->alias, name);
  return other ? other : name;
}

bool source_root_fits(const struct source_root *root, const char *pattern,
                      const char *name) {
  if (source_matches(pattern, name))
    return true;
  const char *const own = part_below(root->folder, name);
  const char *const part = own ? own : part_below(root->alias, name);
  const char *const folder = own ? root->alias : root->folder;
  char *other;
  if (!part || !folder || !source_pattern_has_folder(pattern) ||
      asprintf(&other, "%s/%s", folder, part) < 0)
    return false;
  const bool fits = source_matches(pattern, other);
  free(other);
  return fits;
}

static bool has_match(const struct source_filter *filter,
                      const struct source_patterns *patterns,
                      const char *name) {
  for (size_t i = 0; i < patterns->n_texts; i++)
    if (source_root_fits(&filter->root, patterns->texts[i], name))
      return true;
  return false;
}

enum source_kind source_filter_kind(const struct source_filter *filter,
                                    const char *name) {
  if (has_match(filter, &filter->excludes, name))
    return SOURCE_EXCLUDED;
  if (filter->includes.n_texts > 0)
    return has_match(filter, &filter->includes, name) ? SOURCE_OWN
                                                      : SOURCE_EXCLUDED;
  if (filter->has_all)
    return SOURCE_OWN;
  if (source_is_system(name))
    return SOURCE_SYSTEM;
  return filter->root.folder && !source_root_has(&filter->root, name)
             ? SOURCE_OUTSIDE
             : SOURCE_OWN;
}

bool source_filter_has(const struct source_filter *filter, const char *name) {
  return name[0] && source_filter_kind(filter, name) == SOURCE_OWN;
}

static void release_names(struct source_names *names) {
  for (size_t i = 0; i < names->n_funcs; i++)
    wanted_func_release(&names->funcs[i]);
  free(names->funcs);
}

void source_filter_release(struct source_filter *filter) {
  free(filter->includes.texts);
  free(filter->excludes.texts);
  release_names(&filter->include_funcs);
  release_names(&filter->exclude_funcs);
  source_markers_release(&filter->markers);
  *filter = (struct source_filter){0};
}
