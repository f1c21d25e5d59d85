/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds the images of pools, for calls between objects (pool_calls.h). */
#ifndef ARCLINE_CALL_IMAGES_H
#define ARCLINE_CALL_IMAGES_H

struct err;
struct side_entry;

/**
 * Find the image of an object by its build-id: at its path in the side file,
 * among the given images, or in the folder of images.
 *
 * inputs  struct inputs.
 *
 * Returns 0, *path being NULL if there is none; or -1 with *err set.
 */
int call_images_find(void *inputs, const struct side_entry *entry,
                     const char **path, struct err *err);

#endif
