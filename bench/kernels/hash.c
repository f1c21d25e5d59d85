/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A hash table with chains that counts words: short functions, short loops,
 * branches that depend on the data.
 *
 *   hash [SCALE]    looks up SCALE times 100,000 words
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_BUCKETS = 4096, N_WORDS = 100000, WORD_BYTES = 12 };

struct entry {
  struct entry *next;
  uint32_t hash;
  uint32_t count;
  char word[WORD_BYTES];
};

struct table {
  struct entry *buckets[N_BUCKETS];
  long n_entries;
};

static uint32_t hash_of(const char *word) {
  uint32_t hash = 2166136261u;
  for (; *word; word++)
    hash = (hash ^ (uint8_t)*word) * 16777619u;
  return hash;
}

static struct entry *find(const struct table *table, const char *word,
                          uint32_t hash) {
  struct entry *entry = table->buckets[hash % N_BUCKETS];
  while (entry && (entry->hash != hash || strcmp(entry->word, word) != 0))
    entry = entry->next;
  return entry;
}

static struct entry *add(struct table *table, const char *word, uint32_t hash) {
  struct entry *const entry = calloc(1, sizeof(*entry));
  if (!entry) {
    fprintf(stderr, "hash: out of memory\n");
    exit(1);
  }
  entry->hash = hash;
  strcpy(entry->word, word);
  entry->next = table->buckets[hash % N_BUCKETS];
  table->buckets[hash % N_BUCKETS] = entry;
  table->n_entries++;
  return entry;
}

static void remove_rare(struct table *table, uint32_t limit) {
  for (int i = 0; i < N_BUCKETS; i++) {
    struct entry **link = &table->buckets[i];
    while (*link) {
      struct entry *const entry = *link;
      if (entry->count >= limit) {
        link = &entry->next;
        continue;
      }
      *link = entry->next;
      free(entry);
      table->n_entries--;
    }
  }
}

static void make_word(uint32_t random, char *word) {
  int n = 0;
  // The smaller of two numbers: some words are frequent, most are rare.
  const uint32_t a = random % 9973;
  const uint32_t b = random / 9973 % 9973;
  for (uint32_t left = a < b ? a : b; left > 0; left /= 13)
    word[n++] = (char)('a' + left % 13);
  word[n] = '\0';
}

int main(int argc, char **argv) {
  static struct table table;
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  uint32_t random = 20261121;
  uint64_t checksum = 0;

  for (int i = 0; i < scale; i++) {
    for (int j = 0; j < N_WORDS; j++) {
      char word[WORD_BYTES];
      random = random * 1664525u + 1013904223u;
      make_word(random >> 3, word);
      const uint32_t hash = hash_of(word);
      struct entry *entry = find(&table, word, hash);
      if (!entry)
        entry = add(&table, word, hash);
      entry->count++;
      checksum = checksum * 31 + entry->count;
    }
    remove_rare(&table, 2 * (uint32_t)i);
  }
  printf("%ld entries, checksum %016llx\n", table.n_entries,
         (unsigned long long)checksum);
  return 0;
}
