/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the pages of a source file.
 */
#include "base/array.h"
#include "base/err.h"
#include "debug/source.h"
#include "html/html_parts.h"
#include "html/html_text.h"
#include "html/source_data.h"

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
  struct line_facts *facts; // of one page
  size_t n_facts;
  bool is_in_comment; // the text before leaves one open
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
  html_add_share(row, n, of);
  ROW_ADD(row, " %)</small></dd></div>\n");
}

static void add_facts(struct work *work) {
  const struct html_report *const report = work->report;
  const struct annotate_file *const file = work->file;
  const size_t n_lines = file->at.end_line - file->at.first_line;
  const struct changed_file *const changed =
      report->input->changed ? &report->changed.files[file->i_file] : NULL;
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
  if (changed && changed->n_lines) {
    add_fact(row, "Changed lines executed");
    add_share(row, changed->n_executed, changed->n_lines);
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

/** Append what readers without scripts see instead of the lines. */
static void add_plain(struct work *work) {
  const struct line_facts *const facts = work->facts;
  struct row *const row = &work->page.row;
  const char *separator = "<p>Lines that never ran: ";
  ROW_ADD(row,
          "<noscript><p class=\"note\">A script shows the lines of this page; "
          "<code>arcline annotate</code> prints them.</p>\n");
  for (size_t i = 0, end; i < work->n_facts; i = end) {
    for (end = i;
         end < work->n_facts && facts[end].has_count && facts[end].count == 0;)
      end++;
    if (end == i) {
      end++;
      continue;
    }
    row_add_text(row, separator);
    separator = ", ";
    row_add_number(row, facts[i].line, 0);
    if (facts[end - 1].line > facts[i].line) {
      ROW_ADD(row, "–");
      row_add_number(row, facts[end - 1].line, 0);
    }
  }
  row_add_text(row, separator[0] == ',' ? ".</p>" : "");
  ROW_ADD(row, "</noscript>\n");
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
  add_plain(work);
}

// --- Pages ---

static int write_part(struct work *work, size_t i_part, const char *title,
                      struct err *err) {
  const struct parts *const parts = &work->parts;
  struct row *const row = &work->page.row;
  if (site_pages_begin_source(&work->report->pages, work->file->i_file,
                              parts->parts[i_part].number, title, &work->page,
                              err))
    return -1;
  add_head(work, i_part);
  if (i_part > 0)
    add_step(work, "prev", "↑ Lines before", parts->parts[i_part - 1].number);
  ROW_ADD(row, "<div id=\"source\"></div>\n<template id=\"data\">");
  row_write(row);
  const int rc = source_data_write(
      work->report, work->file->i_file, work->text, work->facts, work->n_facts,
      work->page.file.stream, &work->is_in_comment, err);
  ROW_ADD(row, "</template>\n");
  if (i_part + 1 < parts->n)
    add_step(work, "next", "↓ Lines after", parts->parts[i_part + 1].number);
  return page_end(&work->page, rc, err);
}

static int write_parts(struct work *work, struct err *err) {
  const char *const name =
      work->report->input->lines->files->names[work->file->i_file];
  const char *const slash = strrchr(name, '/');
  struct line_cursor cursor =
      annotate_lines(work->report->input->lines, work->file, work->text);
  struct line_facts facts;
  size_t i_part = 0;
  while (line_cursor_next(&cursor, &facts)) {
    if (part_of_line(facts.line) != work->parts.parts[i_part].number) {
      if (write_part(work, i_part++, slash ? slash + 1 : name, err))
        return -1;
      work->n_facts = 0;
    }
    work->facts[work->n_facts++] = facts;
  }
  return work->n_facts ? write_part(work, i_part, slash ? slash + 1 : name, err)
                       : 0;
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
  // Functions that the compiler made, such as those that run initialisers, and
  // calls of theirs are at line 0, which the first part has besides its own.
  struct work work = {.report = report,
                      .file = file,
                      .facts = calloc(PAGE_LINES_MAX + 1, sizeof(*work.facts))};
  struct source_text text = {0};
  struct err why = {0};
  int reason;
  if (!work.facts)
    return err_no_memory(err);
  if (source_load(report->input->sources,
                  report->input->lines->files->names[file->i_file], &text,
                  &reason, &why) == 0) {
    work.text = &text;
  } else if (reason == 0) {
    *err = why;
    free(work.facts);
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
  free(work.facts);
  free(work.parts.parts);
  source_release(&text);
  return rc;
}
