/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the XML of Clover. */
#include "export/export.h"

#include "base/xml.h"
#include "counts/branch_counts.h"
#include "counts/source_funcs.h"
#include "export/files.h"

#include <stdlib.h>
#include <string.h>

/** Write the numbers of a file, folder or program. n_files: 0 of a file. */
static void put_metrics(struct xml *xml, const struct export_totals *totals,
                        size_t n_files) {
  xml_begin(xml, "metrics");
  if (n_files > 0)
    xml_integer(xml, "files", n_files);
  xml_integer(xml, "loc", totals->n_lines);
  xml_integer(xml, "ncloc", totals->n_lines);
  xml_integer(xml, "classes", 0);
  xml_integer(xml, "complexity", 0);
  xml_integer(xml, "methods", totals->n_funcs);
  xml_integer(xml, "coveredmethods", totals->n_run_funcs);
  xml_integer(xml, "statements", totals->n_lines);
  xml_integer(xml, "coveredstatements", totals->n_run_lines);
  xml_integer(xml, "conditionals", totals->n_ways);
  xml_integer(xml, "coveredconditionals", totals->n_taken_ways);
  xml_integer(xml, "elements",
              totals->n_lines + totals->n_funcs + totals->n_ways);
  xml_integer(xml, "coveredelements",
              totals->n_run_lines + totals->n_run_funcs + totals->n_taken_ways);
  xml_end(xml, "metrics");
}

static void put_line(struct xml *xml, uint32_t number, const char *type,
                     uint64_t count) {
  xml_begin(xml, "line");
  xml_integer(xml, "num", number);
  xml_text(xml, "type", type);
  xml_integer(xml, "count", count);
}

/** Write a line. The format has two ways of one condition for it: a line with
 * others is a statement, whose ways are in the totals alone. */
static void put_statement(const struct export_input *input, struct xml *xml,
                          const struct export_line *line) {
  const bool is_condition =
      line->n_ways == 2 && line->end_blocks - line->blocks == 1;

  put_line(xml, line->number, is_condition ? "cond" : "stmt", line->count);
  if (is_condition) {
    const uint64_t *const ways =
        &input->branches->ways[line->blocks->first_way];
    xml_integer(xml, "truecount", ways[0]);
    xml_integer(xml, "falsecount", ways[1]);
  }
  xml_end(xml, "line");
}

/** Write functions up to a line. Returns the next one. */
static const struct export_func *put_methods(const struct export_func *func,
                                             const struct export_func *end,
                                             uint32_t line, struct xml *xml) {
  for (; func != end && func->func->pos.line <= line; func++) {
    put_line(xml, func->func->pos.line, "method", func->func->n_entries);
    xml_text(xml, "name", func->demangled);
    xml_end(xml, "line");
  }
  return func;
}

static void put_file(const struct export_input *input,
                     const struct export_file *file, struct xml *xml) {
  struct export_lines lines = export_lines_begin(input, file);
  const struct export_func *func = file->funcs;
  const struct export_totals totals = export_files_count(input, file, 1);
  struct export_line line;

  xml_begin(xml, "file");
  xml_text(xml, "name", export_file_base_name(file));
  xml_text(xml, "path", file->name);
  put_metrics(xml, &totals, 0);
  while (export_lines_next(&lines, &line)) {
    func = put_methods(func, file->end_funcs, line.number, xml);
    put_statement(input, xml, &line);
  }
  put_methods(func, file->end_funcs, UINT32_MAX, xml);
  xml_end(xml, "file");
}

/** Write a folder that begins with file i. Returns the first of the next. */
static size_t put_package(const struct export_input *input,
                          const struct export_files *files, size_t i,
                          struct xml *xml) {
  const struct export_file *const first = &files->files[i];
  const size_t end = export_files_folder_end(files, i);
  char *const name = strndup(first->short_name, first->n_folder);
  const struct export_totals totals = export_files_count(input, first, end - i);

  xml_begin(xml, "package");
  xml_text(xml, "name", name && name[0] ? name : ".");
  put_metrics(xml, &totals, end - i);
  for (; i < end; i++)
    put_file(input, &files->files[i], xml);
  xml_end(xml, "package");
  free(name);
  return end;
}

static int write_files(const struct export_input *input,
                       struct export_files *files, FILE *out, struct err *err) {
  struct xml xml = {.stream = out};

  if (export_files_sort(files, err) != 0)
    return -1;
  const struct export_totals totals =
      export_files_count(input, files->files, files->n_files);
  xml_document(&xml, "coverage", NULL);
  xml_begin(&xml, "coverage");
  xml_integer(&xml, "generated", export_files_time());
  xml_text(&xml, "clover", "arcline " ARCLINE_VERSION);
  xml_begin(&xml, "project");
  xml_integer(&xml, "timestamp", export_files_time());
  put_metrics(&xml, &totals, files->n_files);
  for (size_t i = 0; i < files->n_files;)
    i = put_package(input, files, i, &xml);
  xml_end(&xml, "project");
  xml_end(&xml, "coverage");
  return 0;
}

int export_clover(const struct export_input *input,
                  const struct export_options *options, FILE *out,
                  struct err *err) {
  (void)options;
  return export_files_write(input, write_files, out, err);
}
