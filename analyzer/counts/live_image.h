/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * An image's constant data as it lay in memory when the program ran: sections
 * at their distances; for arcline/offline.h.
 */
#ifndef ARCLINE_LIVE_IMAGE_H
#define ARCLINE_LIVE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

struct arcline_offline_object;
struct err;
struct image;

/** Memory of a laid-out image. All zero is none. */
struct live_image {
  uint8_t *memory;
  size_t n_bytes;
};

/**
 * Lay out an image: fill in bias and sections of *object, of which the rest is
 * there.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Errors: an image that cannot be the one that *object tells of, or whose
 * constant data is damaged.
 */
int live_image_load(const struct image *image,
                    struct arcline_offline_object *object,
                    struct live_image *out, struct err *err);

void live_image_release(struct live_image *live);

#endif
