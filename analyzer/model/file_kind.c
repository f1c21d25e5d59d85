/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/file_kind.h"

#include "base/archive.h"
#include "base/in_file.h"
#include "gmon/gmon_read.h"
#include "gmon/pool_file.h"
#include "gmon/side_file.h"

#include <errno.h>
#include <string.h>

static bool begins_with(const struct gmon_file *begin, const char *magic,
                        size_t n_bytes) {
  return begin->n_bytes >= n_bytes && memcmp(begin->bytes, magic, n_bytes) == 0;
}

struct file_info file_info_of(const char *path) {
  uint8_t bytes[GMON_HEADER_BYTES];
  struct file_info info = {.kind = FILE_KIND_OTHER};
  const ssize_t n = in_file_start(path, bytes, sizeof(bytes), &info.status);
  if (n < 0) {
    info.error = errno;
    return info;
  }
  const struct gmon_file begin = {.bytes = bytes, .n_bytes = (size_t)n};
  if (begins_with(&begin, "\177ELF", 4)) {
    info.kind = FILE_KIND_IMAGE;
  } else if (archive_begins(bytes, (size_t)n)) {
    info.kind = FILE_KIND_ARCHIVE;
  } else if (side_is_side_file(&begin)) {
    info.kind = FILE_KIND_SIDE;
  } else if (begin.n_bytes == GMON_HEADER_BYTES && pool_is_pool_file(&begin)) {
    info.kind = FILE_KIND_PROFILE;
    info.is_marked = true;
    memcpy(info.build_id, bytes + offsetof(struct arcline_pool_start, id),
           sizeof(info.build_id));
  } else if (begin.n_bytes == GMON_HEADER_BYTES &&
             begins_with(&begin, GMON_MAGIC, GMON_MAGIC_BYTES)) {
    const uint8_t *const mark = bytes + GMON_SPARE_OFFSET;
    info.kind = FILE_KIND_PROFILE;
    info.is_marked =
        memcmp(mark, GMON_ARCLINE_MARK, GMON_ARCLINE_MARK_BYTES) == 0;
    memcpy(info.build_id, mark + GMON_ARCLINE_MARK_BYTES,
           sizeof(info.build_id));
  }
  return info;
}
