/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the custom JSON of Codecov. */
#include "export/export.h"

#include "base/json.h"
#include "export/files.h"

#include <inttypes.h>

static void put_file(const struct export_input *input,
                     const struct export_file *file, struct json *json) {
  struct export_lines lines = export_lines_begin(input, file);
  struct export_line line;

  json_object_begin(json, file->short_name);
  while (export_lines_next(&lines, &line)) {
    char key[16], part[64];
    snprintf(key, sizeof(key), "%" PRIu32, line.number);
    snprintf(part, sizeof(part), "%zu/%zu", line.n_taken_ways, line.n_ways);
    // A line is partial if some of its ways were not taken. Without any, as
    // after an exception, "0/N" would be a line that did not run.
    if (line.n_taken_ways > 0 && line.n_taken_ways < line.n_ways)
      json_text(json, key, part);
    else
      json_integer(json, key, line.count);
  }
  json_object_end(json);
}

static int write_files(const struct export_input *input,
                       struct export_files *files, FILE *out, struct err *err) {
  struct json json = {.stream = out};

  (void)err;
  json_object_begin(&json, NULL);
  json_object_begin(&json, "coverage");
  for (size_t i = 0; i < files->n_files; i++)
    put_file(input, &files->files[i], &json);
  json_object_end(&json);
  json_object_end(&json);
  return 0;
}

int export_codecov(const struct export_input *input,
                   const struct export_options *options, FILE *out,
                   struct err *err) {
  (void)options;
  return export_files_write(input, write_files, out, err);
}
