/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reader of side files. */
#include "base/err.h"
#include "fuzz.h"
#include "gmon/gmon_read.h"
#include "gmon/side_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  struct gmon_file file = {
      .path = "input",
      .bytes = fuzz_copy(bytes, n_bytes, 0),
      .n_bytes = n_bytes,
  };
  struct side_reader reader;
  struct side_record record;
  struct err err = {0};

  if (side_is_side_file(&file) && side_reader_init(&reader, &file, &err) == 0) {
    while (side_reader_next(&reader, &record, &err) > 0)
      continue;
    side_reader_release(&reader);
  }
  gmon_file_release(&file);
  return 0;
}
