/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/gmon_open.h"

#include "base/err.h"
#include "image/image.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 2 * GMON_ARCLINE_BUILD_ID_BYTES + 1 };

static void format_id(const uint8_t *id, char *out) {
  for (size_t i = 0; i < GMON_ARCLINE_BUILD_ID_BYTES; i++)
    snprintf(out + 2 * i, 3, "%02x", id[i]);
}

static int check_build_id(const struct image *image,
                          const struct gmon_reader *reader, struct err *err) {
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

struct gmon_layout gmon_layout_of(const struct image *image) {
  return (struct gmon_layout){
      .class_bits = image->class_bits,
      .is_big_endian = image->is_big_endian,
  };
}

int gmon_open(const struct image *image, const char *path,
              enum gmon_format format, bool is_forced, struct gmon_file *file,
              struct gmon_reader *reader, struct err *err) {
  if (gmon_file_load(path, file, err))
    return -1;
  if (gmon_reader_init(reader, file, gmon_layout_of(image), format, err) == 0 &&
      (is_forced || check_build_id(image, reader, err) == 0))
    return 0;
  gmon_file_release(file);
  return -1;
}
