/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/symtab_lines.h"

#include "base/err.h"
#include "debug/lines.h"
#include "image/symtab.h"

#include <stdbool.h>
#include <string.h>

void symtab_lines_locate(struct symtab *table, struct lines *lines) {
  for (size_t i = 0; i < table->n_symbols; i++) {
    struct symbol *const symbol = &table->symbols[i];
    struct line_pos pos;
    if (!lines_find(lines, symbol->vaddr, &pos))
      continue;
    symbol->file = lines_file_name(lines, pos.i_file);
    symbol->line = pos.line;
  }
}

static bool is_same_function(const struct line_pos *a,
                             const struct line_pos *b) {
  return a->i_file == b->i_file &&
         (a->func == b->func || strcmp(a->func, b->func) == 0);
}

/** Collect one line symbol for each stretch of the same file, function, line.
 */
static int collect(const struct symtab *funcs, struct lines *lines,
                   const struct lines_breaks *breaks, struct symtab *out,
                   struct err *err) {
  struct line_pos last = {.i_file = LINES_NO_FILE};
  bool is_static = false;
  // Memory that stays unused costs nothing.
  if (symtab_reserve(out, breaks->n_vaddrs, err))
    return -1;
  for (size_t i = 0; i < breaks->n_vaddrs; i++) {
    const uint64_t vaddr = breaks->vaddrs[i];
    struct line_pos pos;
    // An address without a line continues the stretch before it.
    if (!lines_find(lines, vaddr, &pos))
      continue;
    const bool continues =
        last.i_file != LINES_NO_FILE && is_same_function(&pos, &last);
    if (continues && pos.line == last.line)
      continue;
    if (!continues) {
      const size_t i_func = symtab_find(funcs, vaddr);
      is_static = i_func != SYMTAB_NONE && funcs->symbols[i_func].is_static;
    }
    const struct symbol symbol = {
        .vaddr = vaddr,
        .name = pos.func,
        .file = lines_file_name(lines, pos.i_file),
        .line = pos.line,
        .is_static = is_static,
    };
    if (symtab_add(out, &symbol, err))
      return -1;
    last = pos;
  }
  return 0;
}

/** Drop symbols that begin after their own end: in GNU gprof the last symbol,
 * if it is above .text, is lost in the second sorting. */
static void drop_inverted(struct symtab *table) {
  size_t n_kept = 0;
  for (size_t i = 0; i < table->n_symbols; i++)
    if (table->symbols[i].last >= table->symbols[i].vaddr)
      table->symbols[n_kept++] = table->symbols[i];
  table->n_symbols = n_kept;
}

int symtab_lines_add(struct symtab *table, struct lines *lines,
                     uint64_t text_low, uint64_t text_high, struct err *err) {
  struct lines_breaks breaks;
  if (lines_breaks_find(lines, text_low, text_high, &breaks, err))
    return -1;
  struct symtab found = {0};
  int rc = collect(table, lines, &breaks, &found, err);
  drop_inverted(table);
  if (rc == 0)
    // Of equally good symbols of an address, such as assembly without types,
    // the line is preferred.
    rc = symtab_merge(table, &found, err);
  if (symtab_finish(table, text_high - 1, err))
    rc = -1;
  symtab_release(&found);
  lines_breaks_release(&breaks);
  return rc;
}
