/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/symtab.h"

#include "base/array.h"
#include "base/err.h"
#include "base/sort_u64.h"
#include "base/sorted.h"

#include <stdlib.h>

int symtab_reserve(struct symtab *table, size_t n_more, struct err *err) {
  const size_t capacity = table->n_symbols + n_more;

  if (capacity <= table->capacity)
    return 0;
  struct symbol *const symbols =
      array_resize(table->symbols, capacity, sizeof(*symbols));
  if (!symbols)
    return err_no_memory(err);
  table->symbols = symbols;
  table->capacity = capacity;
  return 0;
}

int symtab_add(struct symtab *table, const struct symbol *symbol,
               struct err *err) {
  if (table->n_symbols == table->capacity &&
      symtab_reserve(table, table->capacity ? table->capacity : 64, err))
    return -1;
  // The index is no longer valid.
  free(table->starts);
  table->starts = NULL;
  table->symbols[table->n_symbols] = *symbol;
  table->symbols[table->n_symbols++].order = table->n_added++;
  return 0;
}

/** Number of underscores at the beginning, at most two. */
static unsigned leading_underscores(const char *name) {
  if (name[0] != '_')
    return 0;
  return name[1] == '_' ? 2 : 1;
}

static bool is_better(const struct symbol *candidate,
                      const struct symbol *kept) {
  if (candidate->is_static != kept->is_static)
    return kept->is_static;
  if (candidate->is_func != kept->is_func)
    return candidate->is_func;
  return leading_underscores(candidate->name) < leading_underscores(kept->name);
}

/** Searching an array of addresses is faster than searching the symbols
 * themselves. */
static int index_starts(struct symtab *table, struct err *err) {
  uint64_t *const starts =
      array_resize(table->starts, table->n_symbols + 1, sizeof(*starts));

  if (!starts)
    return err_no_memory(err);
  table->starts = starts;
  for (size_t i = 0; i < table->n_symbols; i++)
    starts[i] = table->symbols[i].vaddr;
  return 0;
}

static uint64_t vaddr_of(const void *symbol) {
  return ((const struct symbol *)symbol)->vaddr;
}

int symtab_finish(struct symtab *table, uint64_t text_last, struct err *err) {
  size_t n_kept = 0;

  if (table->n_symbols == 0)
    return 0;
  if (sort_by_key(table->symbols, table->n_symbols, sizeof(*table->symbols),
                  vaddr_of) != 0)
    return err_no_memory(err);
  struct symbol *const symbols = table->symbols;
  for (size_t i = 0; i < table->n_symbols; i++) {
    if (n_kept > 0 && symbols[n_kept - 1].vaddr == symbols[i].vaddr) {
      struct symbol *kept = &symbols[n_kept - 1];
      uint32_t order =
          kept->order < symbols[i].order ? kept->order : symbols[i].order;
      if (is_better(&symbols[i], kept))
        *kept = symbols[i];
      kept->order = order;
    } else {
      if (n_kept > 0 && symbols[n_kept - 1].last == 0)
        symbols[n_kept - 1].last = symbols[i].vaddr - 1;
      // Empty since an earlier round: the last symbol, if it is above .text.
      if (symbols[i].last == 0 || symbols[i].vaddr <= symbols[i].last)
        symbols[n_kept++] = symbols[i];
    }
  }
  if (n_kept > 0 && symbols[n_kept - 1].last == 0)
    symbols[n_kept - 1].last = text_last;
  table->n_symbols = n_kept;
  return index_starts(table, err);
}

int symtab_merge(struct symtab *table, const struct symtab *more,
                 struct err *err) {
  size_t n_left = table->n_symbols;
  size_t n_more = more->n_symbols;
  size_t end = n_left + n_more;
  struct symbol *symbols =
      array_resize(table->symbols, end + 1, sizeof(*symbols));

  if (!symbols)
    return err_no_memory(err);
  free(table->starts);
  table->starts = NULL;
  table->symbols = symbols;
  table->capacity = end + 1;
  table->n_symbols = end;
  // Backwards, so that no symbol is overwritten before it is moved.
  while (n_more > 0) {
    const struct symbol *added = &more->symbols[n_more - 1];
    // Before equal ones, so that it is preferred to them.
    if (n_left > 0 && symbols[n_left - 1].vaddr >= added->vaddr) {
      symbols[--end] = symbols[--n_left];
      continue;
    }
    symbols[--end] = *added;
    symbols[end].order += table->n_added;
    n_more--;
  }
  table->n_added += more->n_added;
  return 0;
}

int symtab_append(struct symtab *table, const struct symtab *more,
                  const struct symtab_object *object, struct err *err) {
  const uint32_t n_before = table->n_added;

  for (size_t i = 0; i < more->n_symbols; i++) {
    struct symbol symbol = more->symbols[i];
    if (symbol.vaddr < object->low || symbol.vaddr >= object->high)
      continue;
    if (symbol.last >= object->high)
      symbol.last = object->high - 1;
    symbol.vaddr += object->base;
    symbol.last += object->base;
    symbol.object = object;
    if (symtab_add(table, &symbol, err))
      return -1;
    table->symbols[table->n_symbols - 1].order = n_before + symbol.order;
  }
  table->n_added = n_before + more->n_added;
  return 0;
}

/** Search the index of a finished table for an address. Without branches that
 * depend on the address: they would be mispredicted. */
static size_t count_starts(const uint64_t *starts, size_t n, uint64_t vaddr) {
  const uint64_t *first = starts;

  while (n > 1) {
    const size_t half = n / 2;
    first += first[half - 1] <= vaddr ? half : 0;
    n -= half;
  }
  return (size_t)(first - starts) + (n == 1 && *first <= vaddr);
}

size_t symtab_count_up_to(const struct symtab *table, uint64_t vaddr) {
  if (table->starts)
    return count_starts(table->starts, table->n_symbols, vaddr);
  return sorted_count_keys(table->symbols, table->n_symbols,
                           sizeof(*table->symbols), vaddr);
}

size_t symtab_find(const struct symtab *table, uint64_t vaddr) {
  size_t n = symtab_count_up_to(table, vaddr);

  return n && vaddr <= table->symbols[n - 1].last ? n - 1 : SYMTAB_NONE;
}

void symtab_release(struct symtab *table) {
  free(table->symbols);
  free(table->starts);
  *table = (struct symtab){0};
}
