/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The readers of side files: record by record, and as a whole. */
#include "base/err.h"
#include "fuzz.h"
#include "gmon/gmon_file.h"
#include "gmon/side_file.h"
#include "gmon/side_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  struct gmon_file file = {
      .path = "input",
      .bytes = fuzz_copy(bytes, n_bytes, 0),
      .n_bytes = n_bytes,
  };
  struct side_reader reader;
  struct side_record record;
  struct side_file whole;
  struct err err = {0};

  side_reader_begin(&reader, &file, &err);
  while (side_reader_next(&reader, &record))
    continue;
  side_reader_end(&reader);
  gmon_file_release(&file);
  if (side_file_load(fuzz_file(0, bytes, n_bytes), &whole, &err) == 0)
    side_file_release(&whole);
  return 0;
}
