/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/site_pages.h"

#include "base/err.h"
#include "html/html_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- Names ---

int site_pages_add_files(struct site_pages *pages, size_t n, struct err *err) {
  pages->files = calloc(n + 1, sizeof(*pages->files));
  pages->n_files = pages->files ? n : 0;
  return pages->files ? 0 : err_no_memory(err);
}

int site_pages_name(struct site_pages *pages, struct err *err) {
  const size_t n = pages->n_files;
  const char **const names = calloc(n + 1, sizeof(*names));
  size_t n_own = 0;

  if (!names)
    return err_no_memory(err);
  for (size_t i = 0; i < n; i++)
    if (pages->files[i].is_own)
      names[n_own++] = pages->files[i].name;
  const char *const root = n_own ? names[0] : "";
  const size_t n_root_bytes = page_names_root(names, n_own);
  for (size_t i = 0; i < n; i++) {
    struct site_file *const file = &pages->files[i];
    if (strncmp(file->name, root, n_root_bytes) == 0)
      file->name += n_root_bytes;
    names[i] = file->has_page ? file->name : NULL;
  }
  const int rc = page_names_build(names, n, &pages->names, err);
  free(names);
  return rc;
}

bool site_pages_has(const struct site_pages *pages, size_t i_file) {
  return i_file < pages->n_files && pages->files[i_file].has_page;
}

// --- Links ---

void site_pages_add_part(const struct site_pages *pages, struct row *row,
                         size_t i_file, uint32_t part) {
  row_add_text(row, pages->names.pages[i_file]);
  if (part)
    row_add_format(row, ".%" PRIu32, part + 1);
  ROW_ADD(row, ".html");
}

void site_pages_add_part_link(const struct site_pages *pages, struct row *row,
                              size_t i_file, uint32_t part, bool is_current) {
  site_pages_add_part(pages, row, i_file, part);
  row_add_format(row, "\"%s>%" PRIu64 "</a>\n",
                 is_current ? " aria-current=\"page\"" : "",
                 (uint64_t)part * PAGE_LINES_MAX + 1);
}

void site_pages_add_address(const struct site_pages *pages, struct page *page,
                            const struct site_place *place) {
  row_add_text(&page->row, page->kind == PAGE_SOURCE ? "" : "src/");
  site_pages_add_part(pages, &page->row, place->i_file, place->part);
  if (place->line != LINE_NONE)
    row_add_format(&page->row, "#L%" PRIu32, place->line);
}

void site_pages_add_place(const struct site_pages *pages, struct page *page,
                          const struct site_place *place) {
  const bool has_page = place->part != PART_NONE;
  struct row *const row = &page->row;

  if (has_page) {
    ROW_ADD(row, "<a href=\"");
    site_pages_add_address(pages, page, place);
    ROW_ADD(row, "\">");
  }
  html_add(row, pages->files[place->i_file].name);
  if (place->line != LINE_NONE)
    row_add_format(row, ":%" PRIu32, place->line);
  row_add_text(row, has_page ? "</a>" : "");
}

void site_pages_add_func(const struct site_pages *pages, struct page *page,
                         const struct site_place *place, const char *text,
                         const char *brief) {
  const bool has_page = place->part != PART_NONE;
  struct row *const row = &page->row;

  if (has_page) {
    ROW_ADD(row, "<a href=\"");
    site_pages_add_address(pages, page, place);
    ROW_ADD(row, "\"");
  } else if (brief) {
    ROW_ADD(row, "<span");
  }
  if (brief) {
    ROW_ADD(row, " title=\"");
    html_add(row, text);
    ROW_ADD(row, "\"");
  }
  row_add_text(row, has_page || brief ? ">" : "");
  html_add(row, brief ? brief : text);
  row_add_text(row, has_page ? "</a>" : brief ? "</span>" : "");
}

// --- Pages ---

int site_pages_begin_source(struct site_pages *pages, size_t i_file,
                            uint32_t part, const char *title, struct page *out,
                            struct err *err) {
  char path[160];
  struct row name;

  // The same words as in links.
  row_begin(&name, NULL);
  site_pages_add_part(pages, &name, i_file, part);
  snprintf(path, sizeof(path), "src/%.*s", (int)name.n_bytes, name.bytes);
  *out = (struct page){
      .kind = PAGE_SOURCE, .title = title, .frame = &pages->frame};
  return site_add_page(&pages->site, path + strlen("src/"), err) ||
                 page_begin(&pages->site, path, out, err)
             ? -1
             : 0;
}

void site_pages_release(struct site_pages *pages) {
  free(pages->files);
  page_names_release(&pages->names);
  site_release(&pages->site);
  *pages = (struct site_pages){0};
}
