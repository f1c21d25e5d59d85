/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Sorts and searches the symbols that a profile is reported by: functions, and
 * in line mode also source lines. Addresses and names only; counts are in
 * profile.h, in arrays parallel to the table.
 *
 * Does no I/O and is independent of ELF (image.h fills the table with
 * functions, symtab_lines.h adds lines).
 */
#ifndef ARCLINE_SYMTAB_H
#define ARCLINE_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/** "No such symbol" as an index. */
#define SYMTAB_NONE SIZE_MAX

/** An object whose symbols share a table with those of others; its base makes
 * their addresses unique. */
struct symtab_object {
  const char *name;   /* last part of its path */
  size_t i_object;    /* in the program: program.h */
  uint64_t base;      /* added to its link-time addresses */
  uint64_t low, high; /* link-time: low <= vaddr < high */
};

/** One symbol. Strings are borrowed: from the image, or from struct lines. */
struct symbol {
  uint64_t vaddr; /* first byte, link-time, plus the object's base */
  uint64_t last;  /* last byte, inclusive; symtab_finish() sets it if it is 0 */
  const char *name; /* as in the file: not demangled; never NULL */
  const char *file; /* source file of its first byte; NULL if unknown */
  uint32_t line;    /* line of its first byte; 0 if unknown */
  bool is_func;     /* STT_FUNC. False for line symbols */
  bool is_static;   /* local binding */
  bool is_file;     /* represents an object file: file_map.h */
  uint32_t order;   /* number of symbols added before the first one at this
                       address; symtab_add() sets it */
  const struct symtab_object *object; /* NULL: the table has only one */
};

/** Symbols in order of address, no two at the same. All zero is empty. */
struct symtab {
  struct symbol *symbols;
  uint64_t *starts; /* private: addresses of a finished table; NULL: none */
  size_t n_symbols;
  size_t capacity;
  uint32_t n_added; /* by symtab_add(), ever */
};

/** Make room for more symbols. Returns 0, or -1 with *err set (no memory). */
int symtab_reserve(struct symtab *table, size_t n_more, struct err *err);

/** Append a symbol. Returns 0, or -1 with *err set (no memory). */
int symtab_add(struct symtab *table, const struct symbol *symbol,
               struct err *err);

/**
 * Sort by address, keep the best symbol of each address, and set the last byte
 * of those that have none.
 *
 * text_last  last byte of the last symbol: that of section .text.
 *
 * May be called again after more symbols were added: a symbol whose last byte
 * is set keeps it. Of several symbols at one address a global one is preferred
 * to a local one, then a function to anything else, then the name with fewer
 * leading underscores (none, one, more), then the one added first.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int symtab_finish(struct symtab *table, uint64_t text_last, struct err *err);

/**
 * Add symbols if both tables are in order; symtab_finish() has little work
 * then. Added ones are preferred to equally good ones of the same address.
 *
 * table  finished.
 * more   ascending, no two at one address.
 *
 * Returns 0, or -1 with *err set (no memory) and the table as it was.
 */
int symtab_merge(struct symtab *table, const struct symtab *more,
                 struct err *err);

/**
 * Append the symbols of one more object.
 *
 * table   finished; remains so.
 * more    finished; those outside of the object are left out.
 * object  borrowed; its range plus base is above all symbols of the table.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int symtab_append(struct symtab *table, const struct symtab *more,
                  const struct symtab_object *object, struct err *err);

/** Link-time address of an address within a symbol. */
static inline uint64_t symtab_vaddr(const struct symbol *symbol,
                                    uint64_t vaddr) {
  return symbol->object ? vaddr - symbol->object->base : vaddr;
}

/** Number of symbols that begin at vaddr or below: the first ones. O(log n). */
size_t symtab_count_up_to(const struct symtab *table, uint64_t vaddr);

/** Index of the symbol that covers vaddr, or SYMTAB_NONE. O(log n). */
size_t symtab_find(const struct symtab *table, uint64_t vaddr);

/** Free the table, not the strings. A released table is empty. */
void symtab_release(struct symtab *table);

#endif
