/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/file_naming.h"

#include "arcline/name_hash.h"
#include "base/err.h"
#include "debug/file_table.h"
#include "debug/line_table.h"
#include "debug/source.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FOLDERS = 64 }; /* of a unit, that are searched for a file */

static const char *base_of(const char *name) {
  const char *const slash = strrchr(name, '/');
  return slash ? slash + 1 : name;
}

int file_naming_index(struct file_naming *naming, struct err *err) {
  const struct file_table *const known = naming->known;
  for (uint32_t i = 0; i < known->n_names; i++) {
    const uint64_t key = arcline_name_hash(base_of(known->names[i]));
    uint32_t first = i, second = i;
    const int found = map64_find_or_insert(&naming->ends, key, &first, err);
    if (found < 0 ||
        (found && map64_find_or_insert(&naming->ends, ~key, &second, err) < 0))
      return -1;
  }
  return 0;
}

void file_naming_release(struct file_naming *naming) {
  map64_release(&naming->ends);
  *naming = (struct file_naming){0};
}

/** A search for a file of a unit, and its result. */
struct search {
  const struct file_naming *naming;
  const struct line_unit *unit;
  const char *relative;
  char *name; /* found so far: NULL if nothing is */
  bool has_failed;
};

/** Use the name of a file in a folder of a folder, if it is known. */
static bool try_folder(struct search *search, const char *comp_dir,
                       const char *folder, const char *file) {
  char *const tried = source_join(comp_dir, folder, file);
  if (!tried) {
    search->has_failed = true;
    return true;
  }
  source_clean(tried);
  if (!file_table_has(search->naming->known, tried)) {
    free(tried);
    return false;
  }
  free(search->name);
  search->name = tried;
  return true;
}

/** Is the unit's source among the known files? Then all of its files are. */
static bool is_known_unit(struct search *search) {
  const char *const name = search->unit->name;
  const bool is_known =
      name && (try_folder(search, search->unit->comp_dir, NULL, name) ||
               try_folder(search, NULL, NULL, name));
  free(search->name);
  search->name = NULL;
  return is_known;
}

/** Search the folder of the unit's source. */
static bool try_beside_source(struct search *search) {
  const struct line_unit *const unit = search->unit;
  const char *const slash = unit->name ? strrchr(unit->name, '/') : NULL;
  if (!slash)
    return false;
  char *const folder = strndup(unit->name, (size_t)(slash - unit->name) + 1);
  const bool is_found =
      !folder || try_folder(search, unit->comp_dir, folder, search->relative) ||
      (unit->comp_dir && unit->comp_dir[0] != '/' &&
       try_folder(search, NULL, folder, search->relative));
  search->has_failed = search->has_failed || !folder;
  free(folder);
  return is_found;
}

/** Use the only known name with the same last part. */
static void try_end(struct search *search) {
  const struct file_table *const known = search->naming->known;
  const uint64_t key = arcline_name_hash(base_of(search->relative));
  const uint32_t i = map64_find(&search->naming->ends, key);
  if (i != MAP64_NONE &&
      map64_find(&search->naming->ends, ~key) == MAP64_NONE &&
      strcmp(base_of(known->names[i]), base_of(search->relative)) == 0)
    try_folder(search, NULL, NULL, known->names[i]);
}

/** Determine what a relative name is relative to: the folder that leads to a
 * known name. */
static void find_known(struct search *search, const struct line_table *table) {
  const struct line_unit *const unit = search->unit;
  if (try_folder(search, unit->comp_dir, NULL, search->relative))
    return;
  const bool is_known = is_known_unit(search);
  if (search->has_failed ||
      (is_known && try_folder(search, NULL, NULL, search->relative)) ||
      try_beside_source(search))
    return;
  for (size_t i = 0; i < table->n_dirs && i < MAX_FOLDERS; i++)
    if (try_folder(search, unit->comp_dir, table->dirs[i], search->relative))
      return;
  if (is_known)
    try_end(search);
}

char *file_naming_make(const struct file_naming *naming,
                       const struct line_table *table, uint32_t i_file,
                       const struct line_unit *unit) {
  if (!naming)
    return line_table_file_name(table, i_file, unit->comp_dir);
  struct line_unit own = *unit;
  if (!own.comp_dir && table->version >= 5 && table->n_dirs > 0)
    own.comp_dir = table->dirs[0];
  char *const relative = line_table_relative_name(table, i_file);
  struct search search = {.naming = naming, .unit = &own, .relative = relative};
  if (relative && relative[0] != '/' && naming->known)
    find_known(&search, table);
  if (relative && !search.has_failed && !search.name)
    search.name = source_join(own.comp_dir, NULL, relative);
  free(relative);
  if (!search.has_failed)
    return source_map_name(naming->paths, search.name);
  free(search.name);
  return NULL;
}
