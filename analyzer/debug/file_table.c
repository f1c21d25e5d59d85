/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/file_table.h"

#include "base/err.h"
#include "base/path_clean.h"
#include "debug/source.h"

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
    path_clean(full);
  uint32_t *slot = find_slot(table, full);
  if (*slot) {
    free(full);
  } else {
    table->names[table->n_names++] = full;
    *slot = table->n_names;
  }
  *out = *slot - 1;
  return 0;
}

bool file_table_has(const struct file_table *table, const char *name) {
  return table->n_names > 0 && *find_slot(table, name) != 0;
}

void file_table_release(struct file_table *table) {
  for (uint32_t i = 0; i < table->n_names; i++)
    free(table->names[i]);
  free(table->names);
  free(table->slots);
  *table = (struct file_table){0};
}
