/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the functions that an image exports, by name: its dynamic symbols.
 */
#ifndef ARCLINE_DYN_NAMES_H
#define ARCLINE_DYN_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct image;

struct dyn_name {
  const char *name; /* lives as long as the image is open */
  uint64_t vaddr;
  size_t i_symbol; /* place in the symbol table */
};

/** Sorted by name, then by place. All zero is empty. */
struct dyn_names {
  struct dyn_name *names;
  size_t n_names;
};

/**
 * Read the functions among the dynamic symbols that the image defines.
 *
 * Symbols of ifuncs are left out, since the choice of the resolver is unknown.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty. No dynamic
 * symbols, or damaged ones, are an empty result.
 */
int dyn_names_load(const struct image *image, struct dyn_names *out,
                   struct err *err);

/**
 * Read the indirect functions (ifunc) in the image's symbol table, as static
 * executables have them; addresses are those of resolvers. Otherwise like
 * dyn_names_load().
 */
int dyn_names_load_ifuncs(const struct image *image, struct dyn_names *out,
                          struct err *err);

/** Read the names that the image imports; addresses are 0. Otherwise like
 * dyn_names_load(). */
int dyn_names_load_imports(const struct image *image, struct dyn_names *out,
                           struct err *err);

/** Find the function of a name. Returns true and sets *vaddr, or false. */
bool dyn_names_find(const struct dyn_names *names, const char *name,
                    uint64_t *vaddr);

/** Free; an empty one may be released too. */
void dyn_names_release(struct dyn_names *names);

#endif
