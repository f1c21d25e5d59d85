/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Debug information: every query of an ELF file, in both modes. */
#include "base/err.h"
#include "debug/lines.h"
#include "fuzz.h"

#include <string.h>

static void ask(const char *path, unsigned flags) {
  struct lines *lines;
  struct lines_breaks breaks;
  struct line_pos pos;
  struct err err = {0};
  volatile size_t sum = 0;

  if (lines_open(path, flags, NULL, &lines, &err))
    return;
  // Before units are known, and again when all are decoded: files alone first,
  // which takes other tables.
  lines_find_place(lines, 0x1000, false, &pos);
  lines_find(lines, 0x1000, &pos);
  if (lines_breaks_find(lines, 0, UINT64_MAX, &breaks, &err) == 0) {
    for (size_t i = 0; i < breaks.n_vaddrs; i++) {
      lines_find(lines, breaks.vaddrs[i], &pos);
      sum += pos.line + (pos.func ? strlen(pos.func) : 0);
      if (pos.i_file != LINES_NO_FILE)
        sum += strlen(lines_file_name(lines, pos.i_file));
      lines_find_place(lines, breaks.vaddrs[i], true, &pos);
    }
    lines_breaks_release(&breaks);
  }
  lines_close(lines);
  (void)sum; // gcc 16 warns that it is not read
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  const char *const path = fuzz_file(0, bytes, n_bytes);

  ask(path, LINES_GNU);
  ask(path, 0);
  return 0;
}
