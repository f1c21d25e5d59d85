/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the XML of JaCoCo. */
#include "export/export.h"

#include "base/xml.h"
#include "counts/line_profile.h"
#include "counts/source_funcs.h"
#include "export/files.h"

#include <stdlib.h>
#include <string.h>

static void put_counter(struct xml *xml, const char *type, size_t n_run,
                        size_t n) {
  xml_begin(xml, "counter");
  xml_text(xml, "type", type);
  xml_integer(xml, "missed", n - n_run);
  xml_integer(xml, "covered", n_run);
  xml_end(xml, "counter");
}

/** Write the counters of a method, file, folder or program. A line is one
 * instruction. */
static void put_counters(struct xml *xml, const struct export_totals *totals) {
  put_counter(xml, "INSTRUCTION", totals->n_run_lines, totals->n_lines);
  put_counter(xml, "BRANCH", totals->n_taken_ways, totals->n_ways);
  put_counter(xml, "LINE", totals->n_run_lines, totals->n_lines);
  put_counter(xml, "METHOD", totals->n_run_funcs, totals->n_funcs);
}

/** Write the name of a file's class: without the extension, as of a class of
 * Java, by which readers find it. Names of a folder without a dot have none. */
static void put_class_name(struct xml *xml, const struct export_file *file) {
  const char *const dot = strrchr(export_file_base_name(file), '.');
  char *const name =
      dot ? strndup(file->short_name, (size_t)(dot - file->short_name)) : NULL;
  xml_text(xml, "name", name ? name : file->short_name);
  free(name);
}

/** Write a file as a class with its functions. */
static void put_class(const struct export_input *input,
                      const struct export_file *file, struct xml *xml) {

  xml_begin(xml, "class");
  put_class_name(xml, file);
  xml_text(xml, "sourcefilename", export_file_base_name(file));
  for (const struct export_func *func = file->funcs; func != file->end_funcs;
       func++) {
    struct export_totals own = {.n_funcs = 1,
                                .n_run_funcs = func->func->n_entries > 0};
    export_files_count_func(input, file, func, &own);
    xml_begin(xml, "method");
    xml_text(xml, "name", func->demangled);
    xml_text(xml, "desc", func->name);
    xml_integer(xml, "line", func->func->pos.line);
    put_counters(xml, &own);
    xml_end(xml, "method");
  }
  const struct export_totals totals = export_files_count(input, file, 1);
  put_counters(xml, &totals);
  xml_end(xml, "class");
}

static void put_source(const struct export_input *input,
                       const struct export_file *file, struct xml *xml) {
  struct export_lines lines = export_lines_begin(input, file);
  struct export_line line;

  xml_begin(xml, "sourcefile");
  xml_text(xml, "name", export_file_base_name(file));
  while (export_lines_next(&lines, &line)) {
    xml_begin(xml, "line");
    xml_integer(xml, "nr", line.number);
    xml_integer(xml, "mi", line.count == 0);
    xml_integer(xml, "ci", line.count > 0);
    xml_integer(xml, "mb", line.n_ways - line.n_taken_ways);
    xml_integer(xml, "cb", line.n_taken_ways);
    xml_end(xml, "line");
  }
  const struct export_totals totals = export_files_count(input, file, 1);
  put_counters(xml, &totals);
  xml_end(xml, "sourcefile");
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
  xml_text(xml, "name", name ? name : "");
  for (size_t k = i; k < end; k++)
    put_class(input, &files->files[k], xml);
  for (size_t k = i; k < end; k++)
    put_source(input, &files->files[k], xml);
  put_counters(xml, &totals);
  xml_end(xml, "package");
  free(name);
  return end;
}

static int write_files(const struct export_input *input,
                       struct export_files *files, FILE *out, struct err *err) {
  const char *const path = input->profile->model->objects[0].image.path;
  const char *const slash = strrchr(path, '/');
  struct xml xml = {.stream = out};

  if (export_files_sort(files, err) != 0)
    return -1;
  xml_document(&xml, "report", "report.dtd");
  xml_begin(&xml, "report");
  xml_text(&xml, "name", slash ? slash + 1 : path);
  for (size_t i = 0; i < files->n_files;)
    i = put_package(input, files, i, &xml);
  const struct export_totals totals =
      export_files_count(input, files->files, files->n_files);
  put_counters(&xml, &totals);
  xml_end(&xml, "report");
  return 0;
}

int export_jacoco(const struct export_input *input,
                  const struct export_options *options, FILE *out,
                  struct err *err) {
  (void)options;
  return export_files_write(input, write_files, out, err);
}
