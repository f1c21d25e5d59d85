/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the format of Cobertura. */
#include "export/export.h"

#include "base/err.h"
#include "base/xml.h"
#include "counts/branch_counts.h"
#include "counts/source_funcs.h"
#include "export/files.h"

#include <stdlib.h>
#include <string.h>

struct page {
  const struct export_input *input;
  struct xml xml;
  char *text; // scratch: memory for any name
};

/** Part of a whole, from 0 to 1; 1 if the whole is 0. */
static void put_rate(struct xml *xml, const char *attribute, size_t part,
                     size_t whole) {
  char text[32];
  snprintf(text, sizeof(text), "%.6f",
           whole ? (double)part / (double)whole : 1.0);
  xml_text(xml, attribute, text);
}

/** Write the attributes of packages, classes and methods. */
static void put_rates(struct xml *xml, const struct export_totals *totals) {
  put_rate(xml, "line-rate", totals->n_run_lines, totals->n_lines);
  put_rate(xml, "branch-rate", totals->n_taken_ways, totals->n_ways);
  xml_text(xml, "complexity", "0");
}

/** The first bytes of a text, with another one in place of each of a kind. */
static const char *replaced(struct page *page, const char *text, size_t n,
                            char what, char by) {
  memcpy(page->text, text, n);
  page->text[n] = '\0';
  for (char *at = page->text; (at = strchr(at, what));)
    *at = by;
  return page->text;
}

/** Methods have their first line only: other lines are not assigned to
 * functions. */
static void put_methods(struct page *page, const struct export_file *file) {
  struct xml *const xml = &page->xml;
  xml_begin(xml, "methods");
  for (const struct export_func *func = file->funcs; func != file->end_funcs;
       func++) {
    const struct export_totals totals = {
        .n_lines = 1, .n_run_lines = func->func->n_entries > 0};
    xml_begin(xml, "method");
    xml_text(xml, "name", func->name);
    xml_text(xml, "signature", "");
    put_rates(xml, &totals);
    xml_begin(xml, "lines");
    xml_begin(xml, "line");
    xml_integer(xml, "number", func->func->pos.line);
    xml_integer(xml, "hits", func->func->n_entries);
    xml_end(xml, "line");
    xml_end(xml, "lines");
    xml_end(xml, "method");
  }
  xml_end(xml, "methods");
}

static unsigned percent(size_t part, size_t whole) {
  return (unsigned)(part * 100 / whole);
}

/** The branches of a line. */
static void put_branches(struct page *page, const struct export_line *line) {
  const uint64_t *const ways = page->input->branches->ways;
  struct xml *const xml = &page->xml;
  char text[64];

  if (line->n_ways == 0)
    return;
  snprintf(text, sizeof(text), "%u%% (%zu/%zu)",
           percent(line->n_taken_ways, line->n_ways), line->n_taken_ways,
           line->n_ways);
  xml_text(xml, "branch", "true");
  xml_text(xml, "condition-coverage", text);
  xml_begin(xml, "conditions");
  size_t number = 0;
  for (const struct branch_block *at = line->blocks; at != line->end_blocks;
       at++) {
    size_t n_taken = 0;
    for (uint32_t i = 0; i < at->n_ways; i++)
      n_taken += ways[at->first_way + i] > 0;
    snprintf(text, sizeof(text), "%u%%", percent(n_taken, at->n_ways));
    xml_begin(xml, "condition");
    xml_integer(xml, "number", number++);
    xml_text(xml, "type", at->n_ways > 2 ? "switch" : "jump");
    xml_text(xml, "coverage", text);
    xml_end(xml, "condition");
  }
  xml_end(xml, "conditions");
}

/** Write a file, which the format calls a class. */
static void put_class(struct page *page, const struct export_file *file) {
  const char *const name = export_file_base_name(file);
  struct export_lines lines = export_lines_begin(page->input, file);
  struct export_line line;
  struct xml *const xml = &page->xml;
  const struct export_totals totals = export_files_count(page->input, file, 1);

  xml_begin(xml, "class");
  xml_text(xml, "name", replaced(page, name, strlen(name), '.', '_'));
  xml_text(xml, "filename", file->short_name);
  put_rates(xml, &totals);
  put_methods(page, file);
  xml_begin(xml, "lines");
  while (export_lines_next(&lines, &line)) {
    xml_begin(xml, "line");
    xml_integer(xml, "number", line.number);
    xml_integer(xml, "hits", line.count);
    put_branches(page, &line);
    xml_end(xml, "line");
  }
  xml_end(xml, "lines");
  xml_end(xml, "class");
}

/** Write a folder that begins with file i. Returns the first of the next. */
static size_t put_package(struct page *page, const struct export_files *files,
                          size_t i) {
  const struct export_file *const first = &files->files[i];
  const size_t end = export_files_folder_end(files, i);
  struct xml *const xml = &page->xml;
  const struct export_totals totals =
      export_files_count(page->input, first, end - i);

  xml_begin(xml, "package");
  xml_text(xml, "name",
           replaced(page, first->short_name, first->n_folder, '/', '.'));
  put_rates(xml, &totals);
  xml_begin(xml, "classes");
  for (; i < end; i++)
    put_class(page, &files->files[i]);
  xml_end(xml, "classes");
  xml_end(xml, "package");
  return end;
}

static void put_coverage(struct page *page, const struct export_files *files) {
  struct xml *const xml = &page->xml;
  const struct export_totals totals =
      export_files_count(page->input, files->files, files->n_files);

  xml_document(xml, "coverage",
               "http://cobertura.sourceforge.net/xml/coverage-04.dtd");
  xml_begin(xml, "coverage");
  put_rates(xml, &totals);
  xml_integer(xml, "lines-covered", totals.n_run_lines);
  xml_integer(xml, "lines-valid", totals.n_lines);
  xml_integer(xml, "branches-covered", totals.n_taken_ways);
  xml_integer(xml, "branches-valid", totals.n_ways);
  xml_text(xml, "version", "arcline " ARCLINE_VERSION);
  xml_integer(xml, "timestamp", export_files_time());
  xml_begin(xml, "sources");
  xml_text_element(xml, "source", files->root);
  xml_end(xml, "sources");
  xml_begin(xml, "packages");
  for (size_t i = 0; i < files->n_files;)
    i = put_package(page, files, i);
  xml_end(xml, "packages");
  xml_end(xml, "coverage");
}

static int write_files(const struct export_input *input,
                       struct export_files *files, FILE *out, struct err *err) {
  struct page page = {.input = input, .xml = {.stream = out}};
  size_t max_bytes = 0;

  for (size_t i = 0; i < files->n_files; i++)
    if (strlen(files->files[i].short_name) > max_bytes)
      max_bytes = strlen(files->files[i].short_name);
  page.text = malloc(max_bytes + 1);
  if (!page.text)
    return err_no_memory(err);
  const int rc = export_files_sort(files, err);
  if (rc == 0)
    put_coverage(&page, files);
  free(page.text);
  return rc;
}

int export_cobertura(const struct export_input *input,
                     const struct export_options *options, FILE *out,
                     struct err *err) {
  (void)options;
  return export_files_write(input, write_files, out, err);
}
