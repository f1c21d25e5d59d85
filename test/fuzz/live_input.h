/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The form of inputs with a live file:
 *
 *     u16 bytes of the image (little-endian), u8 flags, the image, the live
 *     file.
 *
 * Live files are mostly holes, so the input has the start of the head, then
 * starts of regions, one at each place where a region may begin.
 *
 * The reader checks a live file for consistency with itself and the image, so
 * that random changes are rejected early. So unless flags prevent it,
 * inconsistent values are corrected before the file is tried.
 */
#ifndef ARCLINE_LIVE_INPUT_H
#define ARCLINE_LIVE_INPUT_H

#include "arcline/live_format.h"

#include <stddef.h>
#include <stdint.h>

enum {
  LIVE_INPUT_START_BYTES = 3,
  LIVE_INPUT_HEAD_BYTES = 1024,
  LIVE_INPUT_REGION_BYTES = 5120,
  LIVE_INPUT_MAX_REGIONS = 8,
  LIVE_INPUT_MAX_BYTES =
      ARCLINE_LIVE_HEAD_BYTES + LIVE_INPUT_MAX_REGIONS * ARCLINE_LIVE_ALIGN,
};

enum live_input_flags {
  LIVE_INPUT_RAW_HEAD = 1 << 0,    /* head and list of regions as they are */
  LIVE_INPUT_RAW_OBJECTS = 1 << 1, /* contents of objects and their regions */
  LIVE_INPUT_RAW_ARCS = 1 << 2,    /* addresses of calls */
};

/** An input, taken apart. */
struct live_input {
  unsigned flags;
  const uint8_t *image, *live;
  size_t n_image, n_live;
};

/** Take an input apart. The parts point into it. */
struct live_input live_input_read(const uint8_t *bytes, size_t n_bytes);

struct image;

/** Make an object's record that of an image. */
void live_input_fit_object(const struct image *image, const char *path,
                           struct arcline_live_object *object);

/**
 * Make the live file.
 *
 * image_path  image that objects are made to fit, and their path; NULL: there
 *              is no image.
 * out         room for LIVE_INPUT_MAX_BYTES.
 *
 * Returns its number of bytes.
 */
size_t live_input_make(const struct live_input *input, const char *image_path,
                       uint8_t *out);

#endif
