/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/page.h"

#include "base/asset.h"
#include "html/html_text.h"
#include "html/site.h"

#include <string.h>

static const char content_mark[] = "{{content}}";

/** The way from a page to the report's folder: "" or "../". */
static const char *root_of(const struct page *page) {
  return page->kind == PAGE_SOURCE ? "../" : "";
}

static const char tables_script[] =
    "<script src=\"assets/tables.js\" defer></script>\n";
static const char overview_scripts[] =
    "<script src=\"assets/tables.js\" defer></script>\n"
    "<script src=\"assets/tree.js\" defer></script>\n";

/** The kinds of pages. Scripts: besides those of all pages. */
static const struct {
  const char *name;
  const char *file; // in the menu
  const char *title;
  const char *scripts;
} kinds[] = {
    [PAGE_OVERVIEW] = {"overview", "index.html", "Overview", overview_scripts},
    [PAGE_FUNCTIONS] =
        {"functions", "functions.html", "Functions",
         "<script src=\"data/functions.js\" defer></script>\n"
         "<script src=\"assets/functions.js\" defer></script>\n"},
    [PAGE_FLAME] = {"flame", "flame.html", "Flame graph",
                    "<script src=\"data/stacks.js\" defer></script>\n"
                    "<script src=\"assets/timeline.js\" defer></script>\n"
                    "<script src=\"assets/flame.js\" defer></script>\n"},
    [PAGE_TESTS] = {"tests", "tests.html", "Tests", tables_script},
    [PAGE_CALLED] = {"called", "functions.html", "Functions", tables_script},
    [PAGE_CALLS] = {"calls", "calls.html", "Calls", tables_script},
    [PAGE_LINES] = {"lines", "lines.html", "Lines", tables_script},
    [PAGE_TIMES] = {"times", "times.html", "Times", tables_script},
    [PAGE_SOURCE] = {"source", NULL, NULL,
                     "<script src=\"../assets/source.js\" defer></script>\n"
                     "<script src=\"../assets/lines.js\" defer></script>\n"},
};

static void add_menu(struct page *page) {
  const enum page_kind *const menu = page->frame->menu;
  for (size_t i = 0; i < PAGE_MAX_MENU; i++) {
    if (i > 0 && menu[i] == PAGE_OVERVIEW)
      break;
    row_add_format(&page->row, "<a href=\"%s%s\"%s>%s</a>\n", root_of(page),
                   kinds[menu[i]].file,
                   menu[i] == page->kind ? " aria-current=\"page\"" : "",
                   kinds[menu[i]].title);
  }
}

static void add_scripts(struct page *page) {
  if (page->frame->has_index)
    row_add_format(&page->row,
                   "<script src=\"%sassets/find.js\" defer></script>\n",
                   root_of(page));
  if (page->frame->has_tests &&
      (page->kind == PAGE_SOURCE || page->kind == PAGE_FUNCTIONS))
    row_add_format(&page->row,
                   "<script src=\"%sdata/tests.js\" defer></script>\n",
                   root_of(page));
  if (page->frame->has_tests && page->kind == PAGE_FUNCTIONS)
    ROW_ADD(&page->row, "<script src=\"data/tested.js\" defer></script>\n");
  row_add_text(&page->row, kinds[page->kind].scripts);
}

/** Append the value of a mark of the template. */
static void add_value(struct page *page, const char *mark, size_t n) {
  const struct {
    const char *name;
    const char *value;
  } texts[] = {{"title", page->title},
               {"program", page->frame->program},
               {"command", page->frame->command},
               {"root", root_of(page)},
               {"find", page->frame->has_index ? "Find a file or function"
                                               : "Find a function"},
               {"kind", kinds[page->kind].name}};
  for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
    if (strlen(texts[i].name) == n && memcmp(texts[i].name, mark, n) == 0)
      html_add(&page->row, texts[i].value);
  if (n == 7 && memcmp(mark, "scripts", n) == 0)
    add_scripts(page);
  else if (n == 5 && memcmp(mark, "index", n) == 0 && page->frame->has_index)
    row_add_format(&page->row, " data-root=\"%s\"", root_of(page));
  else if (n == 4 && memcmp(mark, "menu", n) == 0)
    add_menu(page);
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
  add_template(out, html_template->bytes,
               strstr(html_template->bytes, content_mark));
  return 0;
}

int page_end(struct page *page, int rc, struct err *err) {
  if (rc == 0) {
    add_template(
        page, strstr(html_template->bytes, content_mark) + strlen(content_mark),
        html_template->bytes + html_template->n_bytes);
    row_write(&page->row);
    rc = out_file_commit(&page->file, err);
  }
  out_file_release(&page->file);
  return rc;
}

void page_add_card(struct page *page, const char *name) {
  row_add_format(&page->row, "<div class=\"card\"><dt>%s</dt><dd>", name);
}

void page_add_scroll(struct page *page, const char *label) {
  row_add_format(&page->row,
                 "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                 "aria-label=\"%s\">",
                 label);
}
