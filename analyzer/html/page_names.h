/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Names the pages of source files: by the last part of a file's name, in
 * characters that all systems allow, and a number that distinguishes files of
 * one name. The same file has the same page in each report. Pure: no I/O.
 */
#ifndef ARCLINE_PAGE_NAMES_H
#define ARCLINE_PAGE_NAMES_H

#include <stddef.h>

struct err;

/** All zero is empty. */
struct page_names {
  char **pages; /* of each file: without ".html"; NULL: it has none */
  size_t n;
};

/**
 * Name the pages of files.
 *
 * names  of files, as a report shows them; NULL: that one gets no page.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int page_names_build(const char *const *names, size_t n, struct page_names *out,
                     struct err *err);

/** How much of names is the folder that all of them are in, with its slash; 0:
 * none but that of everything. */
size_t page_names_root(const char *const *names, size_t n);

/** How much of a name is the folder that it is in, without its slash. */
size_t page_names_folder(const char *name);

/** Free; an empty one may be released too. */
void page_names_release(struct page_names *names);

#endif
