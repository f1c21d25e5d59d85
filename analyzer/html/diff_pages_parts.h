/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Declares the pages of a comparison, and the parts that they share.
 */
#ifndef ARCLINE_DIFF_PAGES_PARTS_H
#define ARCLINE_DIFF_PAGES_PARTS_H

#include "diff/diff_rank.h"
#include "html/diff_pages.h"
#include "html/site_pages.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** "No such file", of diff_pages_find_file(). */
#define DIFF_PAGES_NONE SIZE_MAX

/** A name of a file, of either side. */
struct diff_pages_name {
  const char *name;
  size_t i_file; /* of diff.files */
};

/** A function at its place in a file of B. */
struct diff_pages_func {
  size_t i_file;
  size_t i_func; /* of diff.funcs */
};

/** A file, in numbers that the diff does not have. */
struct diff_pages_file {
  size_t n_lines[DIFF_SIDES];
  size_t n_run[DIFF_SIDES];
  size_t n_changed; /* lines that differ or that one side lacks */
  bool *has_part;   /* is there a page for lines of this part? */
  uint32_t n_parts;
};

/** The state that pages share. */
struct diff_pages {
  const struct diff_pages_input *input;
  struct site_pages pages;       /* only files that differ have one */
  char *title;                   /* both names */
  struct diff_pages_file *files; /* by number of the diff's */
  struct diff_pages_name *by_name;
  size_t n_by_name;
  struct diff_pages_func *funcs; /* by file and line */
  size_t n_funcs;
  struct diff_rank lines;
  char *
      *texts; /* of lines, by number of the diff's, as far as they are found */
};

/** The number of a file, or DIFF_PAGES_NONE. */
size_t diff_pages_find_file(const struct diff_pages *report, const char *name);

/** Append a place, with a link to it if it has a page. line: of B; 0: the whole
 * file. */
void diff_pages_add_place(const struct diff_pages *report, struct page *page,
                          size_t i_file, uint32_t line);

/** Append a function's name, with a link to it if it has a page. */
void diff_pages_add_func(const struct diff_pages *report, struct page *page,
                         const struct diff_func *func);

/** The function of a linkage name, if it is the only one; or NULL. */
const struct diff_func *diff_pages_find_func(const struct diff_pages *report,
                                             const char *name);

/** Append a change of counts: two cells, the difference and its share of the
 * first count. diff_pages_class() is the class of both in the style sheet. */
void diff_pages_add_change(struct row *row, const uint64_t *counts);
const char *diff_pages_class(const uint64_t *counts);

/** Append the change of a number: "+3.1 %", "new", "gone". */
void diff_pages_add_percent(struct row *row, double a, double b);

/** Append a table, its first rows only. Returns 0, or -1 with *err set. */
int diff_pages_add_table(const struct diff_pages *report, enum diff_table table,
                         size_t max_rows, struct page *page, struct err *err);

/* Each of these writes pages. 0, or -1 with *err set. */
int diff_pages_write_overview(const struct diff_pages *report, struct err *err);
int diff_pages_write_lists(const struct diff_pages *report, struct err *err);
int diff_pages_write_source(struct diff_pages *report, size_t i_file,
                            struct err *err);

#endif
