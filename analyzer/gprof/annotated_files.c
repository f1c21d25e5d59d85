/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gprof/annotated_files.h"

#include "base/err.h"
#include "base/out_file.h"
#include "base/trace.h"
#include "debug/source.h"
#include "gprof/annotated_source.h"
#include "gprof/gprof.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Print one file to a file of its own. */
static int print_separately(struct annotated_source *report, size_t i_file,
                            const struct source_text *text, struct err *err) {
  const char *const name = report->files[i_file].name;
  const char *const slash = strrchr(name, '/');
  char *path;
  if (asprintf(&path, "%s-ann", slash ? slash + 1 : name) < 0)
    return err_no_memory(err);
  struct out_file out;
  int rc = out_file_open(path, &out, err);
  if (rc == 0 &&
      (annotated_source_print(report, i_file, text, out.stream, err) ||
       out_file_commit(&out, err)))
    rc = -1;
  out_file_release(&out);
  free(path);
  return rc;
}

static int print_file(struct annotated_source *report, size_t i_file,
                      const struct source_text *text, bool separate_files,
                      bool is_first, struct gprof_output *output,
                      struct err *err) {
  if (separate_files)
    return print_separately(report, i_file, text, err);
  if (!is_first)
    fputc('\n', output->stream);
  gprof_begin(output);
  fprintf(output->stream, "*** File %s:\n", report->files[i_file].name);
  return annotated_source_print(report, i_file, text, output->stream, err);
}

int annotated_files_print(const struct profile *profile,
                          const struct annotated_source_options *options,
                          const struct source_paths *paths, bool separate_files,
                          struct gprof_output *output, struct err *err) {
  struct annotated_source report;
  if (annotated_source_init(&report, profile, options, err))
    return -1;
  int rc = 0;
  bool is_first = true;
  for (size_t i = 0; rc == 0 && i < report.n_files; i++) {
    struct source_text text;
    struct err not_found;
    int reason;
    if (source_load(paths, report.files[i].name, &text, &reason, &not_found)) {
      warn("%s", not_found.text);
      continue;
    }
    TRACE(TRACE_SOURCE, "%s: %zu lines with counts, %zu lines of text in %s",
          report.files[i].name, report.files[i].n_lines, text.n_lines,
          text.path);
    rc = print_file(&report, i, &text, separate_files, is_first, output, err);
    is_first = false;
    source_release(&text);
  }
  annotated_source_release(&report);
  return rc;
}
