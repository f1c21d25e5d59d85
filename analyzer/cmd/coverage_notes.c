/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/coverage_notes.h"

#include "base/err.h"
#include "counts/line_profile.h"

static void print_excluded(const struct excluded_counts *counts, const char *by,
                           const char *remedy) {
  char text[EXCLUDED_TEXT_BYTES];
  if (excluded_counts_format(counts, text))
    note("excluded by %s: %s%s", by, text, remedy);
}

void coverage_notes_print(const struct line_profile *profile) {
  const size_t n = profile->n_outside;

  if (n > 0)
    note("%zu source file%s outside of %s %s left out; --root=/ includes %s", n,
         n == 1 ? "" : "s", profile->filter.root.folder, n == 1 ? "is" : "are",
         n == 1 ? "it" : "them");
  print_excluded(&profile->excluded.by_comments, "comments",
                 "; --no-markers includes them");
  print_excluded(&profile->excluded.by_names, "names of functions", "");
}
