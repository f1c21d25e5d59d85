/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "build_id.h"

#include "err.h"
#include "gmon_read.h"
#include "image.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 2 * GMON_ARCLINE_BUILD_ID_BYTES + 1 };

static void format_id(const uint8_t *id, char *out) {
  for (size_t i = 0; i < GMON_ARCLINE_BUILD_ID_BYTES; i++)
    snprintf(out + 2 * i, 3, "%02x", id[i]);
}

int build_id_check(const struct image *image, const struct gmon_reader *reader,
                   struct err *err) {
  char found[TEXT_BYTES], expected[TEXT_BYTES];

  // An image may have a shorter id, or none: the rest of it is zeros, and so
  // it is in the mark.
  if (!reader->has_mark ||
      memcmp(reader->build_id, image->build_id, sizeof(reader->build_id)) == 0)
    return 0;
  format_id(reader->build_id, found);
  format_id(image->build_id, expected);
  return err_set(err, ERR_INPUT,
                 "%s: written by an image with build-id %s..., but %s has "
                 "build-id %s...; give the image that was run, or --force",
                 reader->file->path, found, image->path, expected);
}
