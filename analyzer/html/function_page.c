/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the table of all functions: the hottest ones as a page, which needs no
 * scripts, and all of them as data for the script that sorts and searches.
 */
#include "base/err.h"
#include "base/merge_sort.h"
#include "html/html_parts.h"
#include "html/html_text.h"
#include "html/packed.h"
#include "profile/graph_profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Rows of the page without scripts: as many as scripts show at first.
enum { MAX_ROWS = 200 };

static bool is_measured(const struct html_report *report) {
  return report->input->program->measured.total_ticks > 0;
}

/** The object, of a function without a file or of several objects; or "". */
static const char *shown_object(const struct html_func *func) {
  const bool is_shown = func->pos.i_file == FUNC_NONE || func->is_of_several;
  return is_shown && func->object ? func->object : "";
}

// --- The page ---

static void add_place(const struct html_report *report,
                      const struct html_func *func, struct page *page) {
  struct row *const row = &page->row;
  if (func->pos.i_file != FUNC_NONE) {
    html_add(row, report->pages.files[func->pos.i_file].name);
    if (func->pos.line)
      row_add_format(row, ":%" PRIu32, func->pos.line);
    if (shown_object(func)[0])
      ROW_ADD(row, ", ");
  }
  html_add(row, shown_object(func));
}

static void add_row(const struct html_report *report, uint32_t i_func,
                    struct page *page) {
  const struct html_func *const func = &report->funcs.funcs[i_func];
  struct row *const row = &page->row;
  ROW_ADD(row, "<tr><td>");
  html_add_function(report, page, i_func);
  ROW_ADD(row, "</td>");
  html_add_time_cells(report, page, func->self);
  html_add_total_cells(report, page, func->total,
                       is_measured(report) && func->is_estimate);
  ROW_ADD(row, "<td class=\"n\">");
  html_add_calls(func, row);
  ROW_ADD(row, "</td><td class=\"n wide\">");
  if (func->n_inlined)
    html_add_number(row, func->n_inlined);
  ROW_ADD(row, "</td><td class=\"wide at\">");
  add_place(report, func, page);
  ROW_ADD(row, "</td></tr>\n");
}

static void add_table(const struct html_report *report, struct page *page) {
  const struct func_list *const table = &report->funcs;
  const char *const mark = is_measured(report) ? "" : "~";
  struct row *const row = &page->row;
  page_add_scroll(page, "Functions");
  ROW_ADD(row, "<table class=\"functions\">\n<thead>"
               "<tr><th scope=\"col\">Function</th>");
  if (report->input->lines->has_times)
    row_add_format(row,
                   "<th scope=\"col\" class=\"n wide\">%s</th>"
                   "<th scope=\"col\" class=\"n\">Self %%</th>"
                   "<th scope=\"col\" class=\"n wide\">%sTotal%s</th>"
                   "<th scope=\"col\" class=\"n\">%sTotal %%</th>",
                   html_rate(report) ? "Self s" : "Self", mark,
                   html_rate(report) ? " s" : "", mark);
  ROW_ADD(row, "<th scope=\"col\" class=\"n\">Calls</th>"
               "<th scope=\"col\" class=\"n wide\">Inlined</th>"
               "<th scope=\"col\" class=\"wide\">Where</th></tr></thead>\n"
               "<tbody>\n");
  for (uint32_t i = 0; i < table->n_funcs && i < MAX_ROWS; i++)
    add_row(report, i, page);
  ROW_ADD(row, "</tbody></table></div>\n");
  if (table->n_funcs > MAX_ROWS)
    row_add_format(row,
                   "<p id=\"more\">The first %d of %" PRIu32 " functions; all "
                   "of them are on the pages of their files.</p>\n",
                   MAX_ROWS, table->n_funcs);
}

static int write_page(const struct html_report *report, struct err *err) {
  struct page page = {.kind = PAGE_FUNCTIONS,
                      .title = "Functions",
                      .frame = &report->pages.frame};
  if (page_begin(&report->pages.site, "functions.html", &page, err))
    return -1;
  ROW_ADD(&page.row, "<h1>Functions</h1>\n<p class=\"lead\">");
  html_add_number(&page.row, report->funcs.n_funcs);
  ROW_ADD(&page.row, " functions. ");
  if (report->input->lines->has_times)
    row_add_text(
        &page.row,
        is_measured(report)
            ? "Total is the time of a function and its callees, measured by "
              "call stacks, or, after a ~, propagated by calls. "
            : "~Total is the time of a function and its callees, propagated by "
              "calls, as if all calls of a function took equally long; call "
              "stacks (ARCLINE_OPTIONS=stacks=auto) measure it. ");
  ROW_ADD(&page.row,
          "Calls are exact. Inlined is the number of calls that were inlined; "
          "their time counts for the function, not for its caller.</p>\n"
          "<div class=\"filter\"></div>\n");
  add_table(report, &page);
  return page_end(&page, 0, err);
}

// --- The data ---

/** Names, each once and in order: neighbours begin alike, which compresses them
 * to a fraction. */
struct func_texts {
  const struct html_func **funcs; // one of each name
  uint32_t n;
  uint32_t *numbers; // by function
};

static int compare_texts(const void *left, const void *right,
                         const void *context) {
  const struct html_func *const a = *(const struct html_func *const *)left;
  const struct html_func *const b = *(const struct html_func *const *)right;
  (void)context;
  const int order = strcmp(a->text, b->text);
  return order ? order : (a > b) - (a < b);
}

static int list_texts(const struct func_list *list, struct func_texts *out,
                      struct err *err) {
  *out = (struct func_texts){
      .funcs = calloc((size_t)list->n_funcs + 1, sizeof(*out->funcs)),
      .numbers = calloc((size_t)list->n_funcs + 1, sizeof(*out->numbers))};
  if (!out->funcs || !out->numbers)
    return err_no_memory(err);
  for (uint32_t i = 0; i < list->n_funcs; i++)
    out->funcs[i] = &list->funcs[i];
  if (merge_sort(out->funcs, list->n_funcs, sizeof(*out->funcs), compare_texts,
                 NULL))
    return err_no_memory(err);
  for (uint32_t i = 0; i < list->n_funcs; i++) {
    const struct html_func *const func = out->funcs[i];
    if (i == 0 || strcmp(out->funcs[out->n - 1]->text, func->text) != 0)
      out->funcs[out->n++] = func;
    out->numbers[func - list->funcs] = out->n - 1;
  }
  return 0;
}

static void put_texts(const struct func_list *list,
                      const struct func_texts *texts, struct json *json) {
  json_array_begin(json, "names");
  for (uint32_t i = 0; i < texts->n; i++)
    json_text(json, NULL, texts->funcs[i]->text);
  json_array_end(json);
  json_array_begin(json, "briefs"); // "": as the name is
  for (uint32_t i = 0; i < texts->n; i++)
    json_text(json, NULL, texts->funcs[i]->brief ? texts->funcs[i]->brief : "");
  json_array_end(json);
  json_array_begin(json, "name");
  for (uint32_t i = 0; i < list->n_funcs; i++)
    json_integer(json, NULL, texts->numbers[i]);
  json_array_end(json);
}

static void put_numbers(const struct html_report *report,
                        struct packed *packed) {
  const struct func_list *const table = &report->funcs;
  struct json *const json = &packed->json;
  json_array_begin(json, "self");
  for (uint32_t i = 0; i < table->n_funcs; i++)
    json_integer(json, NULL, html_thousandths(table->funcs[i].self));
  json_array_end(json);
  json_array_begin(json, "total");
  for (uint32_t i = 0; i < table->n_funcs; i++)
    json_integer(json, NULL, html_thousandths(table->funcs[i].total));
  json_array_end(json);
  json_array_begin(json, "estimated"); // totals among those measured
  for (uint32_t i = 0; i < table->n_funcs; i++)
    json_integer(json, NULL,
                 is_measured(report) && table->funcs[i].is_estimate);
  json_array_end(json);
  json_array_begin(json, "inlined");
  for (uint32_t i = 0; i < table->n_funcs; i++)
    packed_count(packed, NULL, table->funcs[i].n_inlined);
  json_array_end(json);
  json_array_begin(json, "calls");
  for (uint32_t i = 0; i < table->n_funcs; i++)
    packed_count(packed, NULL, table->funcs[i].n_calls);
  json_array_end(json);
}

/** Places of functions: files by number, and pages of these. */
static void put_places(const struct html_report *report, struct json *json) {
  const struct func_list *const table = &report->funcs;
  const struct site_pages *const pages = &report->pages;
  json_array_begin(json, "pages");
  for (size_t i = 0; i < pages->n_files; i++)
    json_text(json, NULL, pages->names.pages[i] ? pages->names.pages[i] : "");
  json_array_end(json);
  json_array_begin(json, "files");
  for (size_t i = 0; i < pages->n_files; i++)
    json_text(json, NULL, pages->files[i].name);
  json_array_end(json);
  json_array_begin(json, "file"); // + 1; 0: unknown
  for (uint32_t i = 0; i < table->n_funcs; i++)
    json_integer(json, NULL, (uint32_t)(table->funcs[i].pos.i_file + 1));
  json_array_end(json);
  json_array_begin(json, "line");
  for (uint32_t i = 0; i < table->n_funcs; i++)
    json_integer(json, NULL, table->funcs[i].pos.line);
  json_array_end(json);
  json_array_begin(json, "linked");
  for (uint32_t i = 0; i < table->n_funcs; i++)
    json_integer(json, NULL, table->funcs[i].i_line_func != FUNC_NONE);
  json_array_end(json);
  json_array_begin(json, "objects"); // of those without a file or of several
  for (uint32_t i = 0; i < table->n_funcs; i++)
    json_text(json, NULL, shown_object(&table->funcs[i]));
  json_array_end(json);
}

static void put_table(const struct html_report *report,
                      const struct func_texts *texts, struct packed *packed) {
  struct json *const json = &packed->json;
  json_object_begin(json, NULL);
  json_integer(json, "rate", html_rate(report));
  json_bool(json, "hasTimes", report->input->lines->has_times);
  json_integer(json, "all", html_thousandths(html_all_samples(report)));
  json_integer(json, "pageLines", PAGE_LINES_MAX);
  put_texts(&report->funcs, texts, json);
  put_numbers(report, packed);
  put_places(report, json);
  json_object_end(json);
}

int html_write_functions(const struct html_report *report, struct err *err) {
  struct packed_file file;
  struct func_texts texts;
  int rc = list_texts(&report->funcs, &texts, err);
  if (rc == 0)
    rc = packed_file_begin(&report->pages.site, "functions", &file, err);
  if (rc == 0) {
    put_table(report, &texts, &file.packed);
    rc = packed_file_end(&file, 0, err);
  }
  free(texts.funcs);
  free(texts.numbers);
  return rc ? -1 : write_page(report, err);
}
