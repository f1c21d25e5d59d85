/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds ELF symbols as names of code for which debug information has none. Part
 * of lines.h, its only user; the table of symbols that a profile is reported by
 * is symtab.h.
 */
#ifndef ARCLINE_TEXT_NAMES_H
#define ARCLINE_TEXT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Elf;
struct err;

struct text_name {
  uint64_t vaddr;
  uint64_t size_bytes; /* at least 1 */
  const char *name;    /* lives as long as the Elf */
  bool is_func;
  bool is_typed;
};

/** Sorted by address, then by place in the symbol table. All zero is empty. */
struct text_names {
  struct text_name *names;
  size_t n_names;
};

/**
 * Read the symbols of executable sections.
 *
 * only_section  take those of this section alone; 0 takes all.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty. No symbol table
 * is an empty result.
 */
int text_names_load(struct Elf *elf, size_t only_section,
                    struct text_names *out, struct err *err);

/** Find the symbol that starts at vaddr or closest below it, or NULL. */
const struct text_name *text_names_find(const struct text_names *names,
                                        uint64_t vaddr);

/** Free; an empty one may be released too. */
void text_names_release(struct text_names *names);

#endif
