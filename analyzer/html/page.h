/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes a page of a report: the template page.html with a content of its own.
 */
#ifndef ARCLINE_PAGE_H
#define ARCLINE_PAGE_H

#include "base/out_file.h"
#include "base/row.h"

#include <stdbool.h>

struct err;
struct site;

/** The subject of a page. */
enum page_kind {
  PAGE_OVERVIEW,
  PAGE_FUNCTIONS,
  PAGE_FLAME,
  PAGE_TESTS,
  PAGE_CALLED,
  PAGE_CALLS,
  PAGE_LINES,
  PAGE_TIMES,
  PAGE_SOURCE,
};

enum { PAGE_MAX_MENU = 5 };

/** The frame around the content of all pages of a report. Texts are plain, and
 * borrowed. */
struct page_frame {
  const char *program;                /* that the report is of */
  const char *command;                /* that wrote it */
  enum page_kind menu[PAGE_MAX_MENU]; /* PAGE_OVERVIEW first, and after all */
  bool has_index; /* data/functions.js has the names of files and functions */
  bool has_tests; /* data/tests.js has their names, data/tested.js what they
                     ran */
};

/** A page that is being written. */
struct page {
  struct row row; /* to write its content to */
  enum page_kind kind;
  const char *title; /* plain text */
  const struct page_frame *frame;
  struct out_file file;
};

/**
 * Begin a page.
 *
 * out   title, frame and kind are set, and borrowed.
 * name  of its file in the report's folder.
 *
 * Returns 0; or -1 with *err set, and nothing to release.
 * Owns:   caller calls page_end().
 */
int page_begin(const struct site *site, const char *name, struct page *out,
               struct err *err);

/** Write the end, and rename the file to its final name, unless its content
 * failed. rc: 0; or -1, with *err set. Returns the same; the page is released
 * in any case. */
int page_end(struct page *page, int rc, struct err *err);

/** Append the beginning of a number in large on an overview. */
void page_add_card(struct page *page, const char *name);

/** Append the beginning of an element that scrolls by itself. */
void page_add_scroll(struct page *page, const char *label);

#endif
