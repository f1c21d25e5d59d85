/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A table that counts words. */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

struct entry {
  struct entry *next; /* of the same bucket */
  unsigned count;
  char word[];
};

struct table {
  size_t n_entries;
  struct entry *buckets[4096];
};

/* Add one to the count of a word. Returns 0, or -1 if out of memory. */
int table_count(struct table *table, const char *word);

/* Returns all entries, the most frequent first: an array of n_entries, which
   the caller frees; or NULL if out of memory. */
struct entry **table_by_count(const struct table *table);

#endif
