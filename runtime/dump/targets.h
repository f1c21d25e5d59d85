/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds the targets of calls by name: the dynamic linker, or an ifunc's
 * resolver, has stored them in the pointers that an instrumented object calls
 * through. For the side file; docs/FORMAT.md, "Side file". */
#ifndef ARCLINE_RT_TARGETS_H
#define ARCLINE_RT_TARGETS_H

#include "objects/objects.h"
#include "sample/uninstrumented.h"

/** A pointer that was filled in. */
struct rt_target {
  size_t i_caller;   /* of the objects given */
  const char *name;  /* of the callee; NULL: it is known by its resolver */
  uint64_t at;       /* vaddr of the resolver, in i_caller; 0 with a name */
  uint64_t i_object; /* that the callee is in: of those with samples; with a
                        resolver: unused, it is in i_caller */
  uint64_t offset;   /* in that file; with a resolver: vaddr */
};

struct rt_targets {
  struct rt_target *targets;
  size_t n, room;
};

/** Find the targets of calls: those by name that the objects have made
 * (rt_object.crossing), if the target is in an object with samples, and all
 * that resolvers chose in an object without dynamic linking. Names are valid as
 * long as the objects.
 *
 * objects     in the order of their indices; detached ones have no targets.
 * is_pool     it is not known which calls the objects have made: all names.
 *
 * Returns 0 or -ENOMEM. rt_targets_free() afterwards, in any case. Runs: exit,
 * handler-safe. */
int rt_targets_collect(const struct rt_object **objects, size_t n_objects,
                       const struct rt_uninstrumented *outside, bool is_pool,
                       struct rt_targets *out);
/** A hash of what the side file has of an object's resolvers. Runs:
 * handler-safe. */
uint64_t rt_targets_hash_resolved(const struct rt_object *object);
void rt_targets_free(struct rt_targets *targets);

#endif
