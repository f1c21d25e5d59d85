/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes pages of a report and the links between them: the folder, the frame
 * around the content of each, the names of files and of their pages, and links
 * from places and functions. For profiles and for comparisons.
 */
#ifndef ARCLINE_SITE_PAGES_H
#define ARCLINE_SITE_PAGES_H

#include "html/page.h"
#include "html/page_names.h"
#include "html/site.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/** Lines on a page: a longer file has several, its parts. */
enum { PAGE_LINES_MAX = 4000 };

/** "No such part": there is no page to link to. */
#define PART_NONE UINT32_MAX
/** Instead of a line: a place is a whole file. */
#define LINE_NONE UINT32_MAX

/** A file that pages name. */
struct site_file {
  const char *name; /* borrowed; after site_pages_name() the form in pages */
  bool is_own;      /* the common folder is not shown */
  bool has_page;
};

/** A place of a file, and the part of it that has the page. */
struct site_place {
  size_t i_file;
  uint32_t part;
  uint32_t line;
};

/** All zero is empty. */
struct site_pages {
  struct site site;
  struct page_frame frame;
  struct site_file *files; /* by number */
  size_t n_files;
  struct page_names names; /* of pages, by number of a file */
};

/** The part of a file that a line is on. */
static inline uint32_t part_of_line(uint32_t line) {
  return line ? (line - 1) / PAGE_LINES_MAX : 0;
}

/** Make room for files, to be set and then named. */
int site_pages_add_files(struct site_pages *pages, size_t n, struct err *err);

/** Name files, and their pages. Both return 0, or -1 with *err set. */
int site_pages_name(struct site_pages *pages, struct err *err);

/** Does a number belong to a file that has a page? */
bool site_pages_has(const struct site_pages *pages, size_t i_file);

/** Append the address of a part of a file, from another one's. */
void site_pages_add_part(const struct site_pages *pages, struct row *row,
                         size_t i_file, uint32_t part);

/** Append the rest of a link in a list of parts, from the address on. */
void site_pages_add_part_link(const struct site_pages *pages, struct row *row,
                              size_t i_file, uint32_t part, bool is_current);

/** Append the address of a place that has a page. */
void site_pages_add_address(const struct site_pages *pages, struct page *page,
                            const struct site_place *place);

/** Append a place, as file and line, with a link to it if it has a page. */
void site_pages_add_place(const struct site_pages *pages, struct page *page,
                          const struct site_place *place);

/** Append a function, with a link to its first line if that has a page. brief:
 * a shorter name; NULL: not needed. */
void site_pages_add_func(const struct site_pages *pages, struct page *page,
                         const struct site_place *place, const char *text,
                         const char *brief);

/** Begin the page of a part of a file. title: borrowed. As page_begin(). */
int site_pages_begin_source(struct site_pages *pages, size_t i_file,
                            uint32_t part, const char *title, struct page *out,
                            struct err *err);

/** Free; empty ones may be released too. */
void site_pages_release(struct site_pages *pages);

#endif
