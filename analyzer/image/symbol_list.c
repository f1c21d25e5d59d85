/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/symbol_list.h"

#include "base/err.h"
#include "base/text_file.h"
#include "image/symtab.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\v\f\r";

/** Read a line: a number, a letter, a word. Returns false if it is not about a
 * function. */
static bool parse_line(char *line, struct symbol *out) {
  char *const address = line + strspn(line, blanks);
  char *const type = address + strcspn(address, blanks);
  char *end;

  // GNU gprof accepts a sign, 0x, or letters after the number.
  const uint64_t vaddr = strtoull(address, &end, 16);
  if (end == address || end > type)
    return false;
  const char *const letter = type + strspn(type, blanks);
  if (*letter != 't' && *letter != 'T')
    return false;
  char *const name = line + (letter + 1 - line) + strspn(letter + 1, blanks);
  name[strcspn(name, blanks)] = '\0';
  *out = (struct symbol){
      .vaddr = vaddr,
      .name = name,
      .is_func = true,
      .is_static = *letter == 't',
  };
  return *name != '\0';
}

int symbol_list_load(const char *path, uint64_t text_last,
                     struct text_file *text, struct symtab *out,
                     struct err *err) {
  struct symbol symbol;
  char *line;

  if (text_file_load(path, text, err))
    return -1;
  while ((line = text_file_next_line(text)))
    if (parse_line(line, &symbol) && symtab_add(out, &symbol, err)) {
      symtab_release(out);
      return -1;
    }
  if (out->n_symbols == 0)
    return err_set(err, ERR_INPUT,
                   "%s: no function symbols; expected lines of ADDRESS TYPE "
                   "NAME, as printed by nm, with type T or t",
                   path);
  return symtab_finish(out, text_last, err);
}
