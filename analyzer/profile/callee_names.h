/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Functions of a program by object and name, for calls that are known by the
 * name of the callee.
 */
#ifndef ARCLINE_CALLEE_NAMES_H
#define ARCLINE_CALLEE_NAMES_H

#include "image/dyn_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct model;

/** All zero is empty. */
struct callee_names {
  const struct model *model;
  struct dyn_names *dynamic; /* per object */
  struct dyn_names *ifuncs;  /* per object: resolvers */
  struct dyn_names *imports; /* per object */
  size_t *by_name;           /* symbols, by object and name */
  size_t n_by_name;
};

/** Collect the names. Returns 0, or -1 with *err set (no memory) and *out
 * empty. */
int callee_names_init(struct callee_names *out, const struct model *model,
                      struct err *err);

/** Find a function that an object offers to others. Returns true and sets
 * *vaddr, or false. */
bool callee_names_find_offered(const struct callee_names *names,
                               size_t i_object, const char *name,
                               uint64_t *vaddr);

/** Find a function that an object keeps to itself. */
bool callee_names_find_hidden(const struct callee_names *names, size_t i_object,
                              const char *name, uint64_t *vaddr);

/** Find the resolver of an indirect function of an object's own. */
bool callee_names_find_resolver(const struct callee_names *names,
                                size_t i_object, const char *name,
                                uint64_t *vaddr);

/** Does an object look up a name in others? */
bool callee_names_is_import(const struct callee_names *names, size_t i_object,
                            const char *name);

/** Free; an empty one may be released too. */
void callee_names_release(struct callee_names *names);

#endif
