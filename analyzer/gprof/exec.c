/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gprof/exec.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "profile/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/**
 * By file, line and address; by address alone if a file is unknown. That order
 * is inconsistent, so the result depends on the algorithm of merge_sort().
 */
static int compare_symbols(const void *left_ptr, const void *right_ptr,
                           const void *context) {
  const struct symtab *const symtab = context;
  const struct symbol *const left = &symtab->symbols[*(const size_t *)left_ptr];
  const struct symbol *const right =
      &symtab->symbols[*(const size_t *)right_ptr];
  if (left->file && right->file) {
    const int by_file =
        left->file == right->file ? 0 : strcmp(left->file, right->file);
    if (by_file)
      return by_file;
    if (left->line != right->line)
      return left->line < right->line ? -1 : 1;
  }
  return (left->vaddr > right->vaddr) - (left->vaddr < right->vaddr);
}

static void print_row(const struct symbol *symbol, uint64_t vaddr,
                      uint64_t count, FILE *out) {
  fprintf(out, "%s:%" PRIu32 ": (%s:0x%" PRIx64 ") %" PRIu64 " executions\n",
          symbol->file ? symbol->file : "<unknown>", symbol->line, symbol->name,
          symtab_vaddr(symbol, vaddr), count);
}

static void print_symbol(const struct profile *profile, size_t i_symbol,
                         bool has_zero_rows, FILE *out) {
  const struct symbol *const symbol = &profile->symtab->symbols[i_symbol];
  const struct symbol_counts *const counts = &profile->counts[i_symbol];
  if (counts->calls || has_zero_rows)
    print_row(symbol, symbol->vaddr, counts->calls, out);
  uint32_t i_block = counts->first_block;
  while (i_block != PROFILE_NONE) {
    const struct profile_block *const block = &profile->blocks[i_block];
    if (block->count || has_zero_rows)
      print_row(symbol, block->vaddr, block->count, out);
    i_block = block->next;
  }
}

int gprof_exec(const struct profile *profile, bool has_zero_rows, FILE *out,
               struct err *err) {
  const struct symtab *const symtab = profile->symtab;
  size_t *const sorted = calloc(symtab->n_symbols + 1, sizeof(*sorted));
  if (!sorted)
    return err_no_memory(err);
  size_t n_sorted = 0;
  for (size_t i = 0; i < symtab->n_symbols; i++)
    if (symspec_allows(profile->filters, SYMSPEC_EXEC,
                       symtab->symbols[i].vaddr))
      sorted[n_sorted++] = i;
  int rc = -1;
  if (merge_sort(sorted, n_sorted, sizeof(*sorted), compare_symbols, symtab)) {
    err_no_memory(err);
    goto out;
  }
  for (size_t i = 0; i < n_sorted; i++)
    print_symbol(profile, sorted[i], has_zero_rows, out);
  rc = 0;
out:
  free(sorted);
  return rc;
}
