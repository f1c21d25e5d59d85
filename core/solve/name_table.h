/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds functions by name and bodies by address, in hash tables. */
#ifndef ARCLINE_SOLVE_NAME_TABLE_H
#define ARCLINE_SOLVE_NAME_TABLE_H

#include <stdint.h>

struct solve_func;
struct solver;

/** An open-addressing hash table; name 0 is a free slot. */
struct solve_name {
  uint32_t name;   /* one more than its place in the constant data */
  uint32_t i_func; /* or SOLVE_NONE */
};

struct solve_names {
  struct solve_name *slots;
  uint32_t mask; /* number of slots minus 1 */
};

/** Enter all functions and bodies into the hash tables. */
void solve_names_prepare(struct solver *s);
/** The function that a call in a function names, or SOLVE_NONE. */
uint32_t solve_names_resolve(struct solver *s, const struct solve_func *caller,
                             uint32_t string);
/** The function whose body begins at vaddr, or SOLVE_NONE. */
uint32_t solve_names_at(const struct solver *s, uint64_t vaddr);

#endif
