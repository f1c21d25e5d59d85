/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counting/words.h"
#include "os/os.h"

enum {
  FIRST_BITS = 7, /* of the number of slots, in the first table */
  N_PROBES = 8,
  FREE = 0,
  LEFT = 1, /* by a thread; no thread pointer either */
};

struct slot {
  uintptr_t thread; /* or FREE or LEFT */
  intptr_t word;    /* then 0 */
};

struct rt_words {
  struct rt_words *next; /* twice as large, or NULL */
  unsigned bits;
  struct slot slots[];
};

static size_t table_bytes(unsigned bits) {
  return sizeof(struct rt_words) + (sizeof(struct slot) << bits);
}

/* Thread pointers are far apart, at like places in stacks of one size. */
static struct slot *probe(struct rt_words *table, uintptr_t thread,
                          unsigned i) {
  const uint64_t hash = (uint64_t)thread * UINT64_C(0x9e3779b97f4a7c15);
  const size_t mask = ((size_t)1 << table->bits) - 1;

  return &table->slots[((hash >> (64 - table->bits)) + i) & mask];
}

intptr_t *rt_words_find(struct rt_words *words, uintptr_t thread) {
  for (; words; words = rt_load(&words->next))
    for (unsigned i = 0; i < N_PROBES; i++) {
      struct slot *slot = probe(words, thread, i);
      if (rt_load(&slot->thread) == thread)
        return &slot->word;
    }
  return NULL;
}

static intptr_t *claim(struct rt_words *table, uintptr_t thread) {
  for (unsigned i = 0; i < N_PROBES; i++) {
    struct slot *slot = probe(table, thread, i);
    uintptr_t owner = rt_load(&slot->thread);
    if (owner <= LEFT && rt_cas(&slot->thread, &owner, thread))
      return &slot->word;
  }
  return NULL;
}

/* Returns the table that link leads to, which is made if there is none. */
static struct rt_words *follow(struct rt_words **link, unsigned bits) {
  struct rt_words *table = rt_load(link);

  if (table)
    return table;
  struct rt_words *fresh = rt_map(table_bytes(bits));
  if (!fresh)
    return NULL;
  fresh->bits = bits;
  if (rt_cas(link, &table, fresh))
    return fresh;
  rt_unmap(fresh, table_bytes(bits));
  return table;
}

intptr_t *rt_words_get(struct rt_words **words, uintptr_t thread) {
  intptr_t *word = rt_words_find(rt_load(words), thread);
  unsigned bits = FIRST_BITS;

  for (struct rt_words **link = words; !word; bits++) {
    struct rt_words *table = follow(link, bits);
    if (!table)
      return NULL;
    word = claim(table, thread);
    link = &table->next;
  }
  // A signal handler may have given the thread another one meanwhile, which
  // takes precedence.
  intptr_t *first = rt_words_find(rt_load(words), thread);
  if (first != word)
    rt_words_free(word);
  return first;
}

void rt_words_free(intptr_t *word) {
  struct slot *slot =
      (struct slot *)((char *)word - offsetof(struct slot, word));

  rt_store(&slot->word, 0);
  rt_store(&slot->thread, LEFT);
}

void rt_words_release(struct rt_words **words) {
  struct rt_words *table = *words;

  *words = NULL;
  while (table) {
    struct rt_words *next = table->next;
    rt_unmap(table, table_bytes(table->bits));
    table = next;
  }
}
