/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "table.h"

#include <stdlib.h>
#include <string.h>

enum {
  N_BUCKETS = sizeof(((struct table *)0)->buckets) / sizeof(struct entry *)
};

static unsigned hash(const char *word) {
  unsigned value = 0;

  for (; *word; word++)
    value = value + (unsigned char)*word;
  return value;
}

int table_count(struct table *table, const char *word) {
  struct entry **place = &table->buckets[hash(word) % N_BUCKETS];

  while (*place && strcmp((*place)->word, word) != 0)
    place = &(*place)->next;
  if (!*place) {
    const size_t size = strlen(word) + 1;
    *place = calloc(1, sizeof(**place) + size);
    if (!*place)
      return -1;
    memcpy((*place)->word, word, size);
    table->n_entries++;
  }
  (*place)->count++;
  return 0;
}

static int compare(const void *a, const void *b) {
  const struct entry *const one = *(struct entry *const *)a;
  const struct entry *const other = *(struct entry *const *)b;

  if (one->count != other->count)
    return one->count < other->count ? 1 : -1;
  return strcmp(one->word, other->word);
}

struct entry **table_by_count(const struct table *table) {
  struct entry **all = malloc((table->n_entries + 1) * sizeof(*all));
  size_t n = 0;

  if (!all)
    return NULL;
  for (size_t i = 0; i < N_BUCKETS; i++)
    for (struct entry *entry = table->buckets[i]; entry; entry = entry->next)
      all[n++] = entry;
  qsort(all, n, sizeof(*all), compare);
  return all;
}
