/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Selects the files that a comparison is of.
 */
#include "debug/source_filter.h"
#include "diff/diff_parts.h"

bool diff_wants_file(const struct diff_options *options, size_t i_side,
                     const char *name) {
  if (options->n_files == 0)
    return source_filter_has(options->filters[i_side], name);
  for (size_t i = 0; i < options->n_files; i++)
    if (source_root_fits(&options->filters[i_side]->root, options->files[i],
                         name))
      return true;
  return false;
}
