/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Makes the profile of an object, as a gmon file, from its pool and image. */
#ifndef ARCLINE_POOL_PROFILE_H
#define ARCLINE_POOL_PROFILE_H

#include "gmon/byte_sink.h"
#include "gmon/pool_file.h"
#include "recover/raw_profile.h"

struct err;
struct image;
struct image_index;

/** All zero is empty. */
struct pool_profile {
  struct write_byte_sink bytes; /* of the gmon file */
  struct raw_crossing crossing; /* ends in other objects: numbers are places in
                                   the pool's list, from 1 on */
  struct const_data data;       /* has names of callees */
};

/**
 * Solve the counts of a pool.
 *
 * image  stays open as long as *out is in use.
 *
 * Returns 0; or -1 with *err set and *out empty: an image that cannot be the
 * one that ran; damage; no memory. Owns:   caller calls
 * pool_profile_release(out).
 */
int pool_profile_make(const struct pool_file *pool, const struct image *image,
                      struct pool_profile *out, struct err *err);

/** Free; an empty one may be released too. */
void pool_profile_release(struct pool_profile *profile);

/**
 * Put the gmon file in the place of a pool.
 *
 * file    is replaced if it is a pool; its path stays.
 * image   of the object; NULL, or one that has debug information alone: the one
 *         of that build-id at its path in the pool, or in `images`.
 * images  or NULL.
 *
 * Returns 0; or -1 with *err set and the file as it was.
 */
int pool_profile_replace(struct gmon_file *file, const struct image *image,
                         struct image_index *images, struct err *err);

#endif
