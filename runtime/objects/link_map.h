/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads the dynamic linker's description of an object. */
#ifndef ARCLINE_RT_LINK_MAP_H
#define ARCLINE_RT_LINK_MAP_H

#include "objects/objects.h"

/** Fill in load_bias, suffix, build_id, texts (without bins) and bin_bytes of
 * the object of an image. Returns 0, -ENOENT if it cannot be found.
 * Runs: startup. */
int rt_image_find(const struct rt_image *image, struct rt_object *out);

/** Copy the absolute path of an object, or "" if it is not known. out:
 * RT_MAX_PATH bytes. Runs: exit, handler-safe. */
void rt_object_path(const struct rt_object *object, char *out);

/** Copy the build-id among an image's notes, at most RT_MAX_BUILD_ID bytes of
 * it. Returns its length or 0. Runs: handler-safe. */
size_t rt_image_build_id(const uint8_t *notes, size_t bytes, uint8_t *out);

/** Is vaddr in executable code? Runs: exit, handler-safe. */
bool rt_image_has_text(const struct rt_object *object, uint64_t vaddr);

#endif
