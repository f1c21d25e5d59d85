/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes folded stacks. */
#include "export/export_program.h"

#include "export/stacks.h"

#include <inttypes.h>

/** Print a name; a semicolon ends a frame, and a line a stack. */
static void print_name(const char *name, FILE *out) {
  for (; *name; name++) {
    const unsigned char byte = (unsigned char)*name;
    fputc(byte == ';' ? ':' : byte < 0x20 || byte == 0x7f ? '?' : byte, out);
  }
}

int export_folded(const struct graph_profile *program, FILE *out,
                  struct err *err) {
  struct export_stacks stacks;
  if (export_stacks_init(&stacks, program, NULL, err))
    return -1;
  for (size_t i = 1; i < stacks.tree.n_frames; i++) {
    const uint64_t time = export_stacks_time(&stacks, i);
    if (time == 0)
      continue;
    export_stacks_find_path(&stacks, i);
    for (size_t k = 0; k < stacks.n_path; k++) {
      if (k > 0)
        fputc(';', out);
      print_name(export_stacks_name(&stacks, stacks.path[k]), out);
    }
    fprintf(out, " %" PRIu64 "\n", time);
  }
  export_stacks_release(&stacks);
  return 0;
}
