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

/* Count a word once more. Returns 0, or -1 without memory. */
int table_count(struct table *table, const char *word);

/* All entries, the most frequent first: an array of n_entries, which the caller
   frees; NULL without memory. */
struct entry **table_by_count(const struct table *table);

#endif
