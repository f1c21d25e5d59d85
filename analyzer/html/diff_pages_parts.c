/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/diff_pages_parts.h"

#include "base/short_name.h"
#include "base/sorted.h"
#include "debug/func_names.h"
#include "html/html_text.h"

#include <stdlib.h>
#include <string.h>

// Names of C++ that are longer are shortened.
enum { BRIEF_COLUMNS = 64 };

size_t diff_pages_find_file(const struct diff_pages *report, const char *name) {
  const size_t i =
      sorted_find(report->by_name, report->n_by_name, sizeof(*report->by_name),
                  &name, sorted_compare_names, NULL);

  return i < report->n_by_name ? report->by_name[i].i_file : DIFF_PAGES_NONE;
}

const struct diff_func *diff_pages_find_func(const struct diff_pages *report,
                                             const char *name) {
  const struct diff *const diff = report->input->diff;
  const size_t i = sorted_find(diff->funcs, diff->n_funcs, sizeof(*diff->funcs),
                               &name, sorted_compare_names, NULL);

  if (i == diff->n_funcs ||
      (i + 1 < diff->n_funcs && strcmp(diff->funcs[i + 1].name, name) == 0))
    return NULL;
  return &diff->funcs[i];
}

/** Is there a page for lines of a part? There is none yet for those of files
 * that are written later. */
static bool has_part(const struct diff_pages_file *file, uint32_t part) {
  return part < file->n_parts && file->has_part[part];
}

/** A place of B. line: 0: the whole file. */
static struct site_place place_of(const struct diff_pages *report,
                                  size_t i_file, uint32_t line) {
  const struct diff_pages_file *const file = &report->files[i_file];
  uint32_t part = part_of_line(line);

  while (line == 0 && part < file->n_parts && !file->has_part[part])
    part++;
  return (struct site_place){.i_file = i_file,
                             .part = site_pages_has(&report->pages, i_file) &&
                                             has_part(file, part)
                                         ? part
                                         : PART_NONE,
                             .line = line ? line : LINE_NONE};
}

void diff_pages_add_place(const struct diff_pages *report, struct page *page,
                          size_t i_file, uint32_t line) {
  const struct site_place place = place_of(report, i_file, line);

  site_pages_add_place(&report->pages, page, &place);
}

void diff_pages_add_func(const struct diff_pages *report, struct page *page,
                         const struct diff_func *func) {
  char *const text = func_name_demangle(func->name);
  char *const brief = text ? short_name(text, BRIEF_COLUMNS, true) : NULL;
  const size_t i_file = func->file && func->line && func->i_side == DIFF_B
                            ? diff_pages_find_file(report, func->file)
                            : DIFF_PAGES_NONE;
  struct site_place place = {.part = PART_NONE};

  if (i_file != DIFF_PAGES_NONE)
    place = place_of(report, i_file, func->line);
  site_pages_add_func(&report->pages, page, &place, text ? text : func->name,
                      brief);
  free(brief);
  free(text);
}

const char *diff_pages_class(const uint64_t *counts) {
  return counts[DIFF_B] > counts[DIFF_A]   ? "more"
         : counts[DIFF_B] < counts[DIFF_A] ? "less"
                                           : "";
}

void diff_pages_add_percent(struct row *row, double a, double b) {
  if (a == b)
    return;
  if (a == 0)
    ROW_ADD(row, "new");
  else if (b == 0)
    ROW_ADD(row, "gone");
  else
    row_add_format(row, "%+.1f %%", 100 * (b - a) / a);
}

void diff_pages_add_change(struct row *row, const uint64_t *counts) {
  const uint64_t a = counts[DIFF_A], b = counts[DIFF_B];

  row_add_format(row, "<td class=\"n %s\">%s", diff_pages_class(counts),
                 b < a ? "-" : "+");
  html_add_number(row, b < a ? a - b : b - a);
  ROW_ADD(row, "</td><td class=\"n\">");
  diff_pages_add_percent(row, (double)a, (double)b);
  ROW_ADD(row, "</td>");
}
