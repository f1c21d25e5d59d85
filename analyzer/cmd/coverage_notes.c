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

void coverage_notes_warn(const struct line_profile *profile) {
  const struct excluded *const excluded = &profile->excluded;
  const size_t n = excluded->n_sources;

  // Builds may have removed what they generated, but not all files.
  if (n == 0 || excluded->n_unread < n)
    return;
  if (n == 1)
    warn("%s: cannot open source file, so comments that exclude code have no "
         "effect; use --path-map to find it",
         excluded->unread);
  else
    warn("%s: cannot open source file, nor any other of %zu, so comments that "
         "exclude code have no effect; use --path-map to find them",
         excluded->unread, n);
}

void coverage_notes_print(const struct line_profile *profile) {
  const size_t n = profile->n_outside;

  coverage_notes_warn(profile);
  if (n > 0)
    note("%zu source file%s outside of %s %s left out; --root=/ includes %s", n,
         n == 1 ? "" : "s", profile->filter.root.folder, n == 1 ? "is" : "are",
         n == 1 ? "it" : "them");
  print_excluded(&profile->excluded.by_comments, "comments",
                 "; --no-markers includes them");
  print_excluded(&profile->excluded.by_names, "names of functions", "");
}
