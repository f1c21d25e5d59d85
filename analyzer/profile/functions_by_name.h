/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds functions of a program by object and name, for calls that are recorded
 * by the name of the callee.
 */
#ifndef ARCLINE_FUNCTIONS_BY_NAME_H
#define ARCLINE_FUNCTIONS_BY_NAME_H

#include "image/dyn_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct model;

/** All zero is empty. */
struct functions_by_name {
  const struct model *model;
  struct dyn_names *dynamic; /* per object */
  struct dyn_names *ifuncs;  /* per object: resolvers */
  size_t *by_name;           /* symbols, by object and name */
  size_t n_by_name;
};

/** Collect the names. Returns 0, or -1 with *err set (no memory) and *out
 * empty. */
int functions_by_name_init(struct functions_by_name *out,
                           const struct model *model, struct err *err);

/** Find a function that an object offers to others. Returns true and sets
 * *vaddr, or false. */
bool functions_by_name_find_offered(const struct functions_by_name *names,
                                    size_t i_object, const char *name,
                                    uint64_t *vaddr);

/** Find a function that an object keeps to itself. */
bool functions_by_name_find_hidden(const struct functions_by_name *names,
                                   size_t i_object, const char *name,
                                   uint64_t *vaddr);

/** Find the resolver of an indirect function of an object's own. */
bool functions_by_name_find_resolver(const struct functions_by_name *names,
                                     size_t i_object, const char *name,
                                     uint64_t *vaddr);

/** Free; an empty one may be released too. */
void functions_by_name_release(struct functions_by_name *names);

#endif
