/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/changed_files.h"

#include "base/err.h"
#include "counts/line_counts.h"
#include "diff/changed_lines.h"

#include <stdlib.h>

int changed_files_build(const struct changed_lines *lines,
                        const struct line_counts *counts, char *const *names,
                        size_t n_files, struct changed_files *out,
                        struct err *err) {
  *out = (struct changed_files){0};
  if (!lines)
    return 0;
  out->files = calloc(n_files + 1, sizeof(*out->files));
  if (!out->files)
    return err_no_memory(err);
  out->lines = lines;
  out->n_files = n_files;
  for (size_t i = 0; i < n_files; i++)
    out->files[i].i_path = changed_lines_path(lines, names[i]);
  for (size_t i = 0; i < counts->n_lines; i++) {
    const struct line_count *const line = &counts->lines[i];
    if (!changed_files_have(out, line->pos.i_file, line->pos.line))
      continue;
    out->files[line->pos.i_file].n_lines++;
    out->files[line->pos.i_file].n_executed += line->count > 0;
  }
  return 0;
}

bool changed_files_have(const struct changed_files *changed, uint32_t i_file,
                        uint32_t line) {
  return i_file < changed->n_files &&
         changed_lines_have(changed->lines, changed->files[i_file].i_path,
                            line);
}

void changed_files_release(struct changed_files *changed) {
  free(changed->files);
  *changed = (struct changed_files){0};
}
