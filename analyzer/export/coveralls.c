/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the JSON of Coveralls. */
#include "export/export.h"

#include "base/err.h"
#include "base/json.h"
#include "base/md5.h"
#include "counts/branch_counts.h"
#include "counts/line_profile.h"
#include "debug/source.h"
#include "export/files.h"

/** Write the count of each line of a file's text; null if it has no code. */
static void put_lines(const struct export_input *input,
                      const struct export_file *file, size_t n_lines,
                      struct json *json) {
  struct export_lines lines = export_lines_begin(input, file);
  struct export_line line;
  size_t n = 0;

  json_array_begin(json, "coverage");
  while (export_lines_next(&lines, &line) && line.number <= n_lines) {
    for (; n + 1 < line.number; n++)
      json_null(json, NULL);
    json_integer(json, NULL, line.count);
    n = line.number;
  }
  for (; n < n_lines; n++)
    json_null(json, NULL);
  json_array_end(json);
}

/** Write four numbers for each way: line, block, number and count. */
static void put_branches(const struct export_input *input,
                         const struct export_file *file, struct json *json) {
  json_array_begin(json, "branches");
  for (const struct branch_block *block = file->blocks;
       block != file->end_blocks; block++)
    for (uint32_t i = 0; i < block->n_ways; i++) {
      json_integer(json, NULL, block->pos.line);
      json_integer(json, NULL, block->number);
      json_integer(json, NULL, i);
      json_integer(json, NULL, input->branches->ways[block->first_way + i]);
    }
  json_array_end(json);
}

static int put_file(const struct export_input *input,
                    const struct export_file *file, struct json *json,
                    struct err *err) {
  struct source_text text;
  struct err why = {0};
  char digest[MD5_TEXT_BYTES];
  int reason;

  if (source_load(input->profile->model->inputs.sources, file->name, &text,
                  &reason, &why) != 0) {
    if (reason == 0) {
      *err = why;
      return -1;
    }
    warn("%s; left out, since coveralls requires its digest", why.text);
    return 0;
  }
  md5_text(text.bytes, text.n_bytes, digest);
  json_object_begin(json, NULL);
  json_text(json, "name", file->short_name);
  json_text(json, "source_digest", digest);
  put_lines(input, file, text.n_lines, json);
  put_branches(input, file, json);
  json_object_end(json);
  source_release(&text);
  return 0;
}

static int write_files(const struct export_input *input,
                       struct export_files *files, FILE *out, struct err *err) {
  struct json json = {.stream = out, .is_flat = true};
  int rc = 0;

  json_object_begin(&json, NULL);
  json_array_begin(&json, "source_files");
  for (size_t i = 0; rc == 0 && i < files->n_files; i++)
    rc = put_file(input, &files->files[i], &json, err);
  json_array_end(&json);
  json_object_end(&json);
  return rc;
}

int export_coveralls(const struct export_input *input,
                     const struct export_options *options, FILE *out,
                     struct err *err) {
  (void)options;
  return export_files_write(input, write_files, out, err);
}
