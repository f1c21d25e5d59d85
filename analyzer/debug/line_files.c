/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/line_files.h"

#include <stdlib.h>
#include <string.h>

/** FNV-1a. */
static size_t hash_string(const char *text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
  return (size_t)(hash ^ hash >> 32);
}

static int grow_slots(struct line_files *files) {
  const size_t n_slots = files->n_slots ? files->n_slots * 2 : 64;
  uint32_t *const slots = calloc(n_slots, sizeof(*slots));
  if (!slots)
    return -1;
  for (size_t i = 0; i < files->n_names; i++) {
    size_t k = hash_string(files->names[i]) & (n_slots - 1);
    while (slots[k])
      k = (k + 1) & (n_slots - 1);
    slots[k] = (uint32_t)i + 1;
  }
  free(files->slots);
  files->slots = slots;
  files->n_slots = n_slots;
  return 0;
}

uint32_t line_files_add(struct line_files *files, char *name) {
  if (!name)
    return UINT32_MAX;
  if (files->n_names * 2 >= files->n_slots && grow_slots(files))
    goto fail;
  size_t k = hash_string(name) & (files->n_slots - 1);
  for (; files->slots[k]; k = (k + 1) & (files->n_slots - 1)) {
    const uint32_t i_file = files->slots[k] - 1;
    if (strcmp(files->names[i_file], name) == 0) {
      free(name);
      return i_file;
    }
  }
  if (files->n_names == files->capacity) {
    const size_t capacity = files->capacity ? files->capacity * 2 : 32;
    char **const names = reallocarray(files->names, capacity, sizeof(*names));
    if (!names)
      goto fail;
    files->names = names;
    files->capacity = capacity;
  }
  files->names[files->n_names] = name;
  files->slots[k] = (uint32_t)++files->n_names;
  return (uint32_t)files->n_names - 1;
fail:
  free(name);
  return UINT32_MAX;
}

uint32_t *line_files_make_map(const struct line_table *table) {
  const size_t n_places = table->n_files + 2;
  uint32_t *const map = malloc(n_places * sizeof(*map));
  for (size_t i = 0; map && i < n_places; i++)
    map[i] = UINT32_MAX;
  return map;
}

void line_files_release(struct line_files *files) {
  for (size_t i = 0; i < files->n_names; i++)
    free(files->names[i]);
  free(files->names);
  free(files->slots);
  *files = (struct line_files){0};
}
