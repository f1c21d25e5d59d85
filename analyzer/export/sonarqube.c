/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes SonarQube's generic format of coverage. */
#include "export/export.h"

#include "base/xml.h"
#include "export/files.h"

static void put_file(const struct export_input *input,
                     const struct export_file *file, struct xml *xml) {
  struct export_lines lines = export_lines_begin(input, file);
  struct export_line line;

  xml_begin(xml, "file");
  xml_text(xml, "path", file->short_name);
  while (export_lines_next(&lines, &line)) {
    xml_begin(xml, "lineToCover");
    xml_integer(xml, "lineNumber", line.number);
    xml_text(xml, "covered", line.count > 0 ? "true" : "false");
    if (line.n_ways > 0) {
      xml_integer(xml, "branchesToCover", line.n_ways);
      xml_integer(xml, "coveredBranches", line.n_taken_ways);
    }
    xml_end(xml, "lineToCover");
  }
  xml_end(xml, "file");
}

static int write_files(const struct export_input *input,
                       struct export_files *files, FILE *out, struct err *err) {
  struct xml xml = {.stream = out};

  (void)err;
  xml_document(&xml, "coverage", NULL);
  xml_begin(&xml, "coverage");
  xml_integer(&xml, "version", 1);
  for (size_t i = 0; i < files->n_files; i++)
    put_file(input, &files->files[i], &xml);
  xml_end(&xml, "coverage");
  return 0;
}

int export_sonarqube(const struct export_input *input,
                     const struct export_options *options, FILE *out,
                     struct err *err) {
  (void)options;
  return export_files_write(input, write_files, out, err);
}
