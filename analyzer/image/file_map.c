/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/file_map.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "image/symtab.h"

#include <stdlib.h>
#include <string.h>

/** Cut a line into file and name. Sets *err if it has none. */
static int parse_line(const struct text_file *text, char *line,
                      struct file_map_entry *out, struct err *err) {
  char *const colon = strchr(line, ':');

  if (!colon || colon == line)
    return err_set(err, ERR_INPUT,
                   "%s:%lu: missing file name and colon; expected "
                   "FILE:anything NAME, as printed by nm -o",
                   text->path, text->line);
  char *const blank = strrchr(colon, ' ');
  if (!blank)
    return err_set(err, ERR_INPUT,
                   "%s:%lu: missing blank and name after the colon; expected "
                   "FILE:anything NAME, as printed by nm -o",
                   text->path, text->line);
  *colon = '\0';
  *out = (struct file_map_entry){.name = blank + 1, .file = line};
  return 0;
}

static int add_line(struct file_map *map, char *line, struct err *err) {
  struct file_map_entry *const entries = array_grow(
      map->entries, map->n_entries, &map->max_entries, sizeof(*map->entries));

  if (!entries)
    return err_no_memory(err);
  map->entries = entries;
  struct file_map_entry *const entry = &entries[map->n_entries];
  if (parse_line(&map->text, line, entry, err))
    return -1;
  entry->is_first =
      map->n_entries == 0 || strcmp(entry[-1].file, entry->file) != 0;
  map->n_entries++;
  return 0;
}

static int compare_names(const void *left_ptr, const void *right_ptr,
                         const void *context) {
  const struct file_map_entry *const left = left_ptr;
  const struct file_map_entry *const right = right_ptr;

  (void)context;
  return strcmp(left->name, right->name);
}

/** Sort entries, and list files. */
static int sort(struct file_map *map, struct err *err) {
  size_t n_files = 0;

  map->files = calloc(map->n_entries + 1, sizeof(*map->files));
  if (!map->files)
    return err_no_memory(err);
  for (size_t i = 0; i < map->n_entries; i++)
    if (map->entries[i].is_first)
      map->files[n_files++] = map->entries[i].file;
  if (merge_sort(map->files, n_files, sizeof(*map->files), sorted_compare_names,
                 NULL) ||
      merge_sort(map->entries, map->n_entries, sizeof(*map->entries),
                 compare_names, NULL))
    return err_no_memory(err);
  for (size_t i = 0; i < n_files; i++)
    if (i == 0 || strcmp(map->files[i - 1], map->files[i]) != 0)
      map->files[map->n_files++] = map->files[i];
  return 0;
}

int file_map_load(const char *path, struct file_map *out, struct err *err) {
  char *line;

  *out = (struct file_map){0};
  if (text_file_load(path, &out->text, err))
    return -1;
  int rc = 0;
  while (rc == 0 && (line = text_file_next_line(&out->text))) {
    line += strspn(line, " \t\r\v\f");
    // nm prints this for a file without symbols.
    if (*line && strncmp(line, "No symbols in ", 14) != 0)
      rc = add_line(out, line, err);
  }
  if (rc == 0 && out->text.line == 0)
    rc = err_set(err, ERR_INPUT,
                 "%s: file is empty; expected lines of FILE:anything NAME, as "
                 "printed by nm -o",
                 path);
  if (rc == 0)
    rc = sort(out, err);
  if (rc)
    file_map_release(out);
  return rc;
}

static const struct file_map_entry *find(const struct file_map *map,
                                         const char *name) {
  size_t low = 0;
  size_t high = map->n_entries;

  // The split into halves determines which of several equal names is found, as
  // in GNU gprof.
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(name, map->entries[middle].name);
    if (order == 0)
      return &map->entries[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

void file_map_apply(const struct file_map *map, struct symtab *table) {
  size_t n_kept = 0;

  for (size_t i = 0; i < table->n_symbols; i++) {
    struct symbol symbol = table->symbols[i];
    const struct file_map_entry *const entry = find(map, symbol.name);
    if (entry && !entry->is_first)
      continue;
    if (entry) {
      symbol.name = entry->file;
      symbol.is_file = true;
    }
    table->symbols[n_kept++] = symbol;
  }
  table->n_symbols = n_kept;
}

void file_map_release(struct file_map *map) {
  free(map->entries);
  free(map->files);
  text_file_release(&map->text);
  *map = (struct file_map){0};
}
