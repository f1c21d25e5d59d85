/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the pages of a source file.
 */
#include "base/array.h"
#include "base/err.h"
#include "counts/line_counts.h"
#include "debug/source.h"
#include "html/html_parts.h"
#include "html/html_text.h"
#include "html/source_row.h"

#include <stdlib.h>
#include <string.h>

// A file of more parts has no list of them on each.
enum { MAX_LISTED_PARTS = 200 };

/** The lines of one page. */
struct part {
  uint32_t number; // from 0: of lines number * PAGE_LINES_MAX + 1 and on
  double n_samples;
  size_t n_lines, n_executed; // that have code
};

struct parts {
  struct part *parts;
  size_t n, max;
};

/** The state of writing the pages of a file. */
struct work {
  struct html_report *report;
  const struct annotate_file *file;
  const struct source_text *text; // NULL: not found
  struct parts parts;
  struct page page;
};

/** Find the existing parts: a file whose text is not found, or was changed, may
 * have gaps. */
static int find_parts(struct work *work, struct err *err) {
  struct parts *const parts = &work->parts;
  struct line_cursor cursor =
      annotate_lines(work->report->input->lines, work->file, work->text);
  struct line_facts facts;
  while (line_cursor_next(&cursor, &facts)) {
    const uint32_t number = part_of_line(facts.line);
    if (parts->n == 0 || parts->parts[parts->n - 1].number != number) {
      struct part *const more =
          array_grow(parts->parts, parts->n, &parts->max, sizeof(*more));
      if (!more)
        return err_no_memory(err);
      parts->parts = more;
      more[parts->n++] = (struct part){.number = number};
    }
    struct part *const part = &parts->parts[parts->n - 1];
    part->n_samples += facts.n_samples;
    part->n_lines += facts.has_count;
    part->n_executed += facts.has_count && facts.count > 0;
  }
  return 0;
}

// --- Above the lines ---

static void add_fact(struct row *row, const char *name) {
  ROW_ADD(row, "<div><dt>");
  row_add_text(row, name);
  ROW_ADD(row, "</dt><dd>");
}

static void add_share(struct row *row, size_t n, size_t of) {
  html_add_number(row, n);
  ROW_ADD(row, " <small>of ");
  html_add_number(row, of);
  ROW_ADD(row, " (");
  html_add_percent(row, (double)n, (double)of);
  ROW_ADD(row, " %)</small></dd></div>\n");
}

static void add_facts(struct work *work) {
  const struct html_report *const report = work->report;
  const struct annotate_file *const file = work->file;
  const size_t n_lines = file->at.end_line - file->at.first_line;
  struct row *const row = &work->page.row;
  ROW_ADD(row, "<dl class=\"facts\">\n");
  if (report->input->lines->has_times) {
    add_fact(row, "Self time");
    html_add_time(row, file->n_samples, html_rate(report));
    row_add_text(row, html_rate(report) ? " s <small>" : " <small>");
    html_add_percent(row, file->n_samples, html_all_samples(report));
    ROW_ADD(row, " %</small></dd></div>\n");
  }
  if (n_lines) {
    add_fact(row, "Lines executed");
    add_share(row, file->n_executed, n_lines);
  }
  if (file->n_funcs) {
    add_fact(row, "Functions called");
    add_share(row, file->n_funcs_called, file->n_funcs);
  }
  ROW_ADD(row, "</dl>\n");
}

/** Append links to the other parts, each with the heat of its lines. */
static void add_part_list(struct work *work, size_t i_part) {
  const struct parts *const parts = &work->parts;
  struct row *const row = &work->page.row;
  double hottest = 0;
  if (parts->n < 2 || parts->n > MAX_LISTED_PARTS)
    return;
  for (size_t i = 0; i < parts->n; i++)
    if (parts->parts[i].n_samples > hottest)
      hottest = parts->parts[i].n_samples;
  ROW_ADD(row, "<nav class=\"parts\" aria-label=\"Parts of this file\">\n");
  for (size_t i = 0; i < parts->n; i++) {
    const struct part *const part = &parts->parts[i];
    row_add_format(row, "<a class=\"h%u%s\" href=\"",
                   html_heat(part->n_samples, hottest),
                   part->n_executed ? "" : " never");
    site_pages_add_part_link(&work->report->pages, row, work->file->i_file,
                             part->number, i == i_part);
  }
  ROW_ADD(row, "</nav>\n");
}

/** Append a link to the part before or after. */
static void add_step(struct work *work, const char *kind, const char *text,
                     uint32_t number) {
  struct row *const row = &work->page.row;
  row_add_format(row, "<a rel=\"%s\" href=\"", kind);
  site_pages_add_part(&work->report->pages, row, work->file->i_file, number);
  row_add_format(row, "\">%s</a>\n", text);
}

/** Append the functions that begin on this page. */
static void add_outline(struct work *work, uint32_t number) {
  const struct html_report *const report = work->report;
  const struct annotate_file *const file = work->file;
  const struct line_func *const funcs = report->input->lines->counts->funcs;
  struct row *const row = &work->page.row;
  size_t first = file->at.first_func, end;
  while (first < file->at.end_func &&
         part_of_line(funcs[first].pos.line) < number)
    first++;
  for (end = first;
       end < file->at.end_func && part_of_line(funcs[end].pos.line) == number;)
    end++;
  if (first == end)
    return;
  row_add_format(row,
                 "<details class=\"outline\"><summary>%zu function%s on this "
                 "page</summary>",
                 end - first, end - first == 1 ? "" : "s");
  page_add_scroll(&work->page, "Functions on this page");
  ROW_ADD(row, "<table><thead><tr><th scope=\"col\">Function</th>"
               "<th scope=\"col\" class=\"n\">Calls</th>");
  html_add_time_heads(report, row);
  ROW_ADD(row, "</tr></thead><tbody>\n");
  for (size_t i = first; i < end; i++) {
    const uint32_t i_func = report->funcs.of_line_func[i];
    ROW_ADD(row, "<tr><td>");
    html_add_function(report, &work->page, i_func);
    ROW_ADD(row, "</td><td class=\"n\">");
    html_add_number(row, report->funcs.funcs[i_func].n_calls);
    ROW_ADD(row, "</td>");
    html_add_time_cells(report, &work->page, report->funcs.funcs[i_func].self);
    ROW_ADD(row, "</tr>\n");
  }
  ROW_ADD(row, "</tbody></table></div></details>\n");
}

static void add_head(struct work *work, size_t i_part) {
  const struct annotate_input *const input = work->report->input->lines;
  struct row *const row = &work->page.row;
  ROW_ADD(row, "<h1 class=\"path\">");
  html_add(row, work->report->pages.files[work->file->i_file].name);
  ROW_ADD(row, "</h1>\n");
  add_facts(work);
  add_part_list(work, i_part);
  if (!work->text)
    ROW_ADD(
        row,
        "<p class=\"note\">The source file was not found when the report was "
        "written: only lines with counts or times are shown. Use the options "
        "<code>-I</code> and <code>--path-map</code> to find it.</p>\n");
  if (input->has_counts && !input->is_exact)
    ROW_ADD(row, "<p class=\"note\">The program has no flow graphs: the count "
                 "of a line is that of its most frequent block.</p>\n");
  add_outline(work, work->parts.parts[i_part].number);
}

// --- Pages ---

static int begin_part(struct work *work, size_t i_part, const char *title,
                      struct err *err) {
  const struct parts *const parts = &work->parts;
  if (site_pages_begin_source(&work->report->pages, work->file->i_file,
                              parts->parts[i_part].number, title, &work->page,
                              err))
    return -1;
  add_head(work, i_part);
  if (i_part > 0)
    add_step(work, "prev", "↑ Lines before", parts->parts[i_part - 1].number);
  page_add_scroll(&work->page, "Source");
  ROW_ADD(&work->page.row, "<table class=\"source\">\n");
  source_row_add_head(work->report, &work->page);
  ROW_ADD(&work->page.row, "<tbody>\n");
  return 0;
}

static int end_part(struct work *work, size_t i_part, struct err *err) {
  const struct parts *const parts = &work->parts;
  ROW_ADD(&work->page.row, "</tbody></table></div>\n");
  if (i_part + 1 < parts->n)
    add_step(work, "next", "↓ Lines after", parts->parts[i_part + 1].number);
  return page_end(&work->page, 0, err);
}

static int write_parts(struct work *work, struct err *err) {
  const char *const name =
      work->report->input->lines->files->names[work->file->i_file];
  const char *const slash = strrchr(name, '/');
  struct line_cursor cursor =
      annotate_lines(work->report->input->lines, work->file, work->text);
  struct line_facts facts;
  struct source_rows rows = {.report = work->report, .text = work->text};
  size_t i_part = 0;
  bool has_page = false;
  while (line_cursor_next(&cursor, &facts)) {
    if (part_of_line(facts.line) != work->parts.parts[i_part].number) {
      if (end_part(work, i_part++, err))
        return -1;
      has_page = false;
    }
    if (!has_page && begin_part(work, i_part, slash ? slash + 1 : name, err))
      return -1;
    has_page = true;
    source_row_add(&rows, &facts, &work->page);
  }
  return has_page ? end_part(work, i_part, err) : 0;
}

/** Keep the text of lines that the overview shows. */
static int load_hot_texts(struct html_report *report,
                          const struct annotate_file *file,
                          const struct source_text *text, struct err *err) {
  for (size_t i = 0; i < report->hot.n_lines; i++) {
    const struct flow_line *const pos = &report->hot.lines[i].pos;
    size_t n_bytes;
    const char *const line = source_line_trimmed(text, pos->line, &n_bytes);
    if (pos->i_file != file->i_file || !line)
      continue;
    report->hot_texts[i] = strndup(line, n_bytes);
    if (!report->hot_texts[i])
      return err_no_memory(err);
  }
  return 0;
}

int html_write_source(struct html_report *report,
                      const struct annotate_file *file, struct err *err) {
  struct work work = {.report = report, .file = file};
  struct source_text text = {0};
  struct err why = {0};
  int reason;
  if (source_load(report->input->sources,
                  report->input->lines->files->names[file->i_file], &text,
                  &reason, &why) == 0) {
    work.text = &text;
  } else if (reason == 0) {
    *err = why;
    return -1;
  } else {
    warn("%s: cannot open source file: %s; its page shows counts without text, "
         "use -I or --path-map to find it",
         report->input->lines->files->names[file->i_file], strerror(reason));
  }
  int rc = find_parts(&work, err);
  if (rc == 0 && work.text)
    rc = load_hot_texts(report, file, &text, err);
  if (rc == 0)
    rc = write_parts(&work, err);
  free(work.parts.parts);
  source_release(&text);
  return rc;
}
