/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes an object's profile from counts as processes count them: cells and
 * calls, which are not solved yet.
 */
#ifndef ARCLINE_RAW_PROFILE_H
#define ARCLINE_RAW_PROFILE_H

#include "arcline/live_format.h"
#include "image/const_data.h"
#include "write/sink.h"

struct err;
struct image;

struct raw_profile {
  const char *path; /* of the file that the counts are from */
  const struct arcline_live_object *record;
  const struct const_data *data;
  const char *dimension; /* as in gmon.out */
  char abbreviation;
  uint32_t rate_hz;
  const uint64_t *bins[ARCLINE_LIVE_MAX_TEXTS];   /* or NULL */
  const uint8_t *touched[ARCLINE_LIVE_MAX_TEXTS]; /* if bins */
  const uint64_t *cells;
  const struct solve_arc *arcs; /* merged, with link-time addresses */
  size_t n_arcs;
  uint64_t (*callee)(const void *context, size_t i_site, bool is_second);
  const void *context;
};

/** Arcs with one end in another object, which gmon files have no place for. */
struct raw_crossing {
  struct solve_arc *arcs;
  size_t n;
};

/**
 * Find the constant data of an image.
 *
 * record  of the object.
 *
 * Returns 0; or -1 with *err set: it cannot be the image that ran.
 */
int raw_profile_find_data(const struct arcline_live_object *record,
                          const struct image *image, struct const_data *out,
                          struct err *err);

/**
 * Write the profile as a gmon file, the same bytes as at a normal end.
 *
 * sink  keeps its error.
 *
 * Returns 0; or -1 with *err set and *crossing empty.
 * Owns:   caller frees crossing->arcs.
 * Errors: constant data that is damaged; counts that cannot be true; memory.
 */
int raw_profile_write(const struct raw_profile *raw, struct write_sink *sink,
                      struct raw_crossing *crossing, struct err *err);

#endif
