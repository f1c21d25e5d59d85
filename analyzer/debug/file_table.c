/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/file_table.h"

#include "base/err.h"
#include "debug/source.h"
#include "debug/source_filter.h"

#include <stdlib.h>
#include <string.h>

/** FNV-1a. */
static uint32_t hash_name(const char *name) {
  uint32_t hash = 2166136261u;

  for (; *name; name++)
    hash = (hash ^ (unsigned char)*name) * 16777619u;
  return hash;
}

/** Find the slot of the name, or the free slot for it. */
static uint32_t *find_slot(const struct file_table *table, const char *name) {
  const uint32_t mask = table->n_slots - 1;
  uint32_t i = hash_name(name) & mask;

  while (table->slots[i] &&
         strcmp(table->names[table->slots[i] - 1], name) != 0)
    i = (i + 1) & mask;
  return &table->slots[i];
}

/** Make room for one more name. Returns 0 or -1 (no memory). */
static int grow(struct file_table *table) {
  if (table->n_names < table->max_names)
    return 0;
  uint32_t max_names = table->max_names ? table->max_names * 2 : 64;
  char **names = realloc(table->names, max_names * sizeof(*names));
  if (!names)
    return -1;
  table->names = names;
  // At most half full, so that probing stays short and always ends.
  uint32_t *slots = calloc((size_t)max_names * 2, sizeof(*slots));
  if (!slots)
    return -1;
  free(table->slots);
  table->slots = slots;
  table->n_slots = max_names * 2;
  table->max_names = max_names;
  for (uint32_t i = 0; i < table->n_names; i++)
    *find_slot(table, table->names[i]) = i + 1;
  return 0;
}

// --- Further names ---

/** Find a further name; NULL: there is none. */
static struct file_alias *find_alias(const struct file_table *table,
                                     const char *name) {
  const struct file_table *const others = table->others;
  const uint32_t *const slot =
      others && others->n_names ? find_slot(others, name) : NULL;
  return slot && *slot ? &table->aliases[*slot - 1] : NULL;
}

static int add_alias(struct file_table *table, const char *name,
                     const struct file_alias *alias, struct err *err) {
  uint32_t i;
  if (!table->others)
    table->others = calloc(1, sizeof(*table->others));
  if (!table->others)
    return err_no_memory(err);
  if (file_table_add(table->others, NULL, name, &i, err) != 0)
    return -1;
  struct file_alias *const aliases = realloc(
      table->aliases, (size_t)table->others->max_names * sizeof(*aliases));
  if (!aliases)
    return err_no_memory(err);
  table->aliases = aliases;
  aliases[i] = *alias;
  return 0;
}

/** Find the file of a name that is not its first one. Returns true and sets
 * *out; or false. */
static bool find_other(const struct file_table *table, const char *name,
                       uint32_t *out) {
  const struct file_alias *const alias = find_alias(table, name);
  const uint32_t *const slot =
      !alias && table->n_names ? find_slot(table, name) : NULL;
  if (!alias && !(slot && *slot))
    return false;
  *out = alias ? alias->i_file : *slot - 1;
  return true;
}

/** Is a file the project's by its name without links alone? */
static bool is_inside(const struct source_root *root, const char *name,
                      const char *real) {
  if (!root || !root->folder)
    return false;
  const struct source_root folder = {.folder = root->folder};
  return !source_root_has(&folder, name) && source_root_has(root, real);
}

/** Add a name that is new to the table, unless its file is in it. Sets
 * *is_found if it is; otherwise the name may be replaced by the one without
 * links. */
static int follow_links(struct file_table *table, char **name, uint32_t *out,
                        bool *is_found, struct err *err) {
  struct file_alias *const known = find_alias(table, *name);
  *is_found = known != NULL;
  if (known) {
    known->is_used = true;
    *out = known->i_file;
    return 0;
  }
  char *real = source_real(*name);
  if (!real)
    return 0;
  *is_found = find_other(table, real, out);
  struct file_alias alias = {*is_found ? *out : table->n_names, true};
  char *further = *is_found ? *name : real;
  if (!*is_found && is_inside(table->root, *name, real)) {
    further = *name;
    *name = real;
    real = further;
  } else if (!*is_found) {
    alias.is_used = false;
  }
  const int rc = add_alias(table, further, &alias, err);
  free(real);
  return rc;
}

// --- All names ---

int file_table_add(struct file_table *table, const char *comp_dir,
                   const char *name, uint32_t *out, struct err *err) {
  if (strlen(name) > FILE_TABLE_NAME_BYTES ||
      (comp_dir && strlen(comp_dir) > FILE_TABLE_NAME_BYTES))
    return err_set(err, ERR_INPUT,
                   "source file name is longer than %d bytes: %.64s...; is the "
                   "debug information corrupt?",
                   FILE_TABLE_NAME_BYTES,
                   strlen(name) > FILE_TABLE_NAME_BYTES ? name : comp_dir);
  char *full = source_join(comp_dir, NULL, name);
  if (!full || grow(table) != 0) {
    free(full);
    return err_no_memory(err);
  }
  if (full[0])
    source_clean(full);
  const uint32_t known = *find_slot(table, full);
  bool is_found = known != 0;
  int rc = 0;
  if (is_found)
    *out = known - 1;
  else if (table->follows_links)
    rc = follow_links(table, &full, out, &is_found, err);
  if (rc != 0 || is_found) {
    free(full);
    return rc;
  }
  *out = table->n_names;
  *find_slot(table, full) = table->n_names + 1;
  table->names[table->n_names++] = full;
  return 0;
}

bool file_table_has(const struct file_table *table, const char *name) {
  return table->n_names > 0 && *find_slot(table, name) != 0;
}

bool file_table_find(const struct file_table *table, const char *name,
                     uint32_t *out) {
  char *const full = source_join(NULL, NULL, name);
  if (!full)
    return false;
  if (full[0])
    source_clean(full);
  const bool is_found = find_other(table, full, out);
  free(full);
  return is_found;
}

const char *file_table_next_alias(const struct file_table *table, uint32_t *i,
                                  uint32_t *i_file) {
  const struct file_table *const others = table->others;
  while (others && *i < others->n_names) {
    const struct file_alias *const alias = &table->aliases[(*i)++];
    *i_file = alias->i_file;
    if (alias->is_used)
      return others->names[*i - 1];
  }
  return NULL;
}

void file_table_release(struct file_table *table) {
  if (table->others)
    file_table_release(table->others);
  free(table->others);
  free(table->aliases);
  for (uint32_t i = 0; i < table->n_names; i++)
    free(table->names[i]);
  free(table->names);
  free(table->slots);
  *table = (struct file_table){0};
}
