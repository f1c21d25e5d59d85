/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Adds calls between objects and figures to a side file, from the pools beside
 * it. Calls of a pool go to the side file of one program, so that no call is
 * counted twice.
 */
#ifndef ARCLINE_POOL_CALLS_H
#define ARCLINE_POOL_CALLS_H

#include "gmon/side_file.h"

struct image;

/** Find the path of an object's image; NULL: there is none, and its calls are
 * left out. Returns 0, or -1 with *err set. */
typedef int pool_calls_find_image(void *context, const struct side_entry *entry,
                                  const char **path, struct err *err);

/**
 * Add the calls, and the figures (pool_beside.h), to the bytes of a side file.
 *
 * find  NULL: images are at the paths in the side file.
 *
 * Returns 0; or -1 with *err set and the side file as it was: no memory. Pools
 * and images that cannot be read are left out; their readers report that.
 */
int pool_calls_add(struct side_file *side, pool_calls_find_image *find,
                   void *context, struct err *err);

#endif
