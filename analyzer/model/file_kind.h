/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Identifies the kind of a file by its first bytes.
 */
#ifndef ARCLINE_FILE_KIND_H
#define ARCLINE_FILE_KIND_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "arcline/gmon_format.h"

enum file_kind {
  FILE_KIND_OTHER, /* also files that cannot be read or are not regular */
  FILE_KIND_IMAGE, /* ELF */
  FILE_KIND_SIDE,
  FILE_KIND_PROFILE, /* in the new gmon format, or a pool */
  FILE_KIND_ARCHIVE, /* or another file of gzip */
};

struct file_info {
  enum file_kind kind;
  int error;      /* errno of reading it; 0: it is readable */
  bool is_marked; /* a profile of ours, with its image's build-id */
  uint8_t
      build_id[GMON_ARCLINE_BUILD_ID_BYTES]; /* the first bytes; if marked */
  struct stat status;                        /* if it can be read */
};

/** Identify a file. Never blocks on a pipe: in_file_open(). */
struct file_info file_info_of(const char *path);

#endif
