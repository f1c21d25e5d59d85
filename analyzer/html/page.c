/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/page.h"

#include "html/assets.h"
#include "html/html_text.h"
#include "html/site.h"

#include <string.h>

static const char content_mark[] = "{{content}}";

const char *page_root(const struct page *page) {
  return page->kind == PAGE_SOURCE ? "../" : "";
}

static void add_current(struct page *page, enum page_kind kind) {
  if (page->kind == kind)
    ROW_ADD(&page->row, " aria-current=\"page\"");
}

/** Scripts besides those of all pages. */
static void add_scripts(struct page *page) {
  static const char *const scripts[] = {
      [PAGE_OVERVIEW] = "<script src=\"assets/tables.js\" defer></script>\n",
      [PAGE_FUNCTIONS] =
          "<script src=\"data/functions.js\" defer></script>\n"
          "<script src=\"assets/functions.js\" defer></script>\n",
      [PAGE_FLAME] = "<script src=\"data/stacks.js\" defer></script>\n"
                     "<script src=\"assets/flame.js\" defer></script>\n",
      [PAGE_SOURCE] = "<script src=\"../assets/source.js\" defer></script>\n",
  };
  row_add_text(&page->row, scripts[page->kind]);
}

/** Append what stands for a mark of the template. */
static void add_value(struct page *page, const char *mark, size_t n) {
  static const char *const kinds[] = {"overview", "functions", "flame",
                                      "source"};
  const struct {
    const char *name;
    const char *value;
  } texts[] = {{"title", page->title},
               {"program", page->program},
               {"root", page_root(page)},
               {"kind", kinds[page->kind]}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strlen(texts[i].name) == n && memcmp(texts[i].name, mark, n) == 0)
      html_add(&page->row, texts[i].value);
  if (n == 7 && memcmp(mark, "scripts", n) == 0)
    add_scripts(page);
  else if (n == 11 && memcmp(mark, "at-overview", n) == 0)
    add_current(page, PAGE_OVERVIEW);
  else if (n == 12 && memcmp(mark, "at-functions", n) == 0)
    add_current(page, PAGE_FUNCTIONS);
  else if (n == 8 && memcmp(mark, "at-flame", n) == 0)
    add_current(page, PAGE_FLAME);
}

/** Append a part of the template. */
static void add_template(struct page *page, const char *text, const char *end) {
  while (text < end) {
    const char *const mark = strstr(text, "{{");
    const char *const stop = mark ? strstr(mark, "}}") : NULL;
    if (!stop || stop >= end) {
      row_add(&page->row, text, (size_t)(end - text));
      return;
    }
    row_add(&page->row, text, (size_t)(mark - text));
    add_value(page, mark + 2, (size_t)(stop - mark - 2));
    text = stop + 2;
  }
}

int page_begin(const struct site *site, const char *name, struct page *out,
               struct err *err) {
  if (site_open_file(site, name, &out->file, err))
    return -1;
  row_begin(&out->row, out->file.stream);
  add_template(out, asset_page.bytes, strstr(asset_page.bytes, content_mark));
  return 0;
}

int page_end(struct page *page, struct err *err) {
  add_template(page,
               strstr(asset_page.bytes, content_mark) + strlen(content_mark),
               asset_page.bytes + asset_page.n_bytes);
  row_write(&page->row);
  const int rc = out_file_commit(&page->file, err);
  page_drop(page);
  return rc;
}

void page_drop(struct page *page) { out_file_release(&page->file); }
