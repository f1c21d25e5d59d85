/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Selections of symbols. Each line of the input is one; its first byte selects
   its use. */
#include "base/err.h"
#include "fuzz.h"
#include "profile/symspec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SPECS = 64 };

static const struct symbol symbols[] = {
    {.vaddr = 0x10, .name = "a", .file = "/one.c", .line = 5, .is_func = true},
    {.vaddr = 0x20, .name = "b", .file = "/one.c", .line = 9, .is_func = true},
    {.vaddr = 0x28, .name = "b", .file = "/one.c", .line = 10},
    {.vaddr = 0x30, .name = "c", .file = "/two.c", .line = 5, .is_func = true},
    {.vaddr = 0x40, .name = "mcount", .is_func = true},
    {.vaddr = 0x50, .name = "d", .file = "/x/two.c", .line = 7},
    {.vaddr = 0x60, .name = "", .file = "", .is_func = true},
};

enum { N_SYMBOLS = sizeof(symbols) / sizeof(symbols[0]) };

static void resolve(const struct symspec *specs, size_t n_specs) {
  struct symtab symtab = {0};
  struct symspec_tables tables;
  struct err err = {0};
  volatile int sum = 0;

  for (size_t i = 0; i < N_SYMBOLS; i++)
    symtab_add(&symtab, &symbols[i], &err);
  if (symtab_finish(&symtab, 0x6f, &err) == 0 &&
      symspec_resolve(&symtab, specs, n_specs, &tables, &err) == 0) {
    for (uint64_t vaddr = 0; vaddr < 0x80; vaddr += 8)
      for (unsigned use = 0; use < SYMSPEC_N_USES; use++)
        sum += symspec_allows(&tables, use, vaddr) +
               symspec_is_included(&tables, use, vaddr) +
               symspec_is_excluded(&tables, use, vaddr);
    for (size_t i = 0; i < symtab.n_symbols; i++)
      for (size_t k = 0; k < symtab.n_symbols; k++)
        sum +=
            symspec_allows_arc(&tables, &symtab.symbols[i], &symtab.symbols[k]);
    symspec_release(&tables);
  }
  symtab_release(&symtab);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  struct symspec specs[MAX_SPECS];
  size_t n_specs = 0;
  char *const text = fuzz_copy(bytes, n_bytes, 1);

  for (char *line = text; line && n_specs < MAX_SPECS;) {
    char *const end = strchr(line, '\n');
    if (end)
      *end = '\0';
    const unsigned choice = (unsigned char)*line;
    if (choice)
      specs[n_specs++] = (struct symspec){
          .use = (choice & 31) % SYMSPEC_N_USES,
          .is_exclude = choice & 32,
          .text = line + 1,
      };
    line = end ? end + 1 : NULL;
  }
  symspec_needs_files(specs, n_specs);
  resolve(specs, n_specs);
  free(text);
  return 0;
}
