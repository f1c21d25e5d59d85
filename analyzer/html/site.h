/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Opens and closes the folder of a report. A folder that is neither empty nor a
 * report is rejected before anything is written. A file in it lists the pages
 * of the report; pages of an earlier report are removed.
 */
#ifndef ARCLINE_SITE_H
#define ARCLINE_SITE_H

#include "base/out_file.h"

#include <stdbool.h>
#include <stddef.h>

struct err;

/** All zero is empty. Private but for the path. */
struct site {
  const char *path;
  const char *kind;
  bool is_old;  /* the folder has an earlier report */
  char **pages; /* of this report: names below "src/" */
  size_t n_pages, max_pages;
  char **old_pages; /* of the earlier report */
  size_t n_old_pages, max_old_pages;
};

/**
 * Begin: make the folder, unless it exists.
 *
 * path       borrowed until site_release(), as is the next.
 * kind       of report: a folder of another kind is rejected.
 * is_forced  a folder with other files in it is accepted, too.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller releases *out.
 * Errors: no folder, or one that contains other files; no memory.
 */
int site_open(const char *path, const char *kind, bool is_forced,
              struct site *out, struct err *err);

/** Write the file that marks the folder, before the first page is written, and
 * the files that pages load. */
int site_begin_pages(struct site *site, struct err *err);

/** Record a page of a name below "src/". Copied. */
int site_add_page(struct site *site, const char *name, struct err *err);

/** Begin a file, by its name in the folder. The caller commits and releases
 * it. */
int site_open_file(const struct site *site, const char *name,
                   struct out_file *out, struct err *err);

/** Remove a file of an earlier report that this one does not have. */
int site_remove_file(const struct site *site, const char *name,
                     struct err *err);

/** End: remove pages of an earlier report that this one does not have. All of
 * these return 0, or -1 with *err set. */
int site_finish(struct site *site, struct err *err);

/** Free; an empty one may be released too. */
void site_release(struct site *site);

#endif
