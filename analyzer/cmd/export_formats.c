/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/export_formats.h"

#include "base/err.h"

#include <string.h>

static const struct export_format formats[] = {
    {.name = "lcov",
     .write = export_lcov,
     .file_name = "lcov.info",
     .help = "coverage for genhtml (default)"},
    {.name = "cobertura",
     .write = export_cobertura,
     .file_name = "cobertura.xml",
     .help = "coverage for GitLab and Jenkins"},
    {.name = "gcov-json",
     .write = export_gcov_json,
     .file_name = "profile.gcov.json.gz",
     .help = "coverage as gcov --json-format"},
    {.name = "llvm-sample",
     .write = export_llvm_sample,
     .has_callees = true,
     .file_name = "llvm-sample.prof",
     .help = "counts for clang -fprofile-sample-use"},
    {.name = "callgrind",
     .write_functions = export_callgrind,
     .has_files = true,
     .file_name = "callgrind.out",
     .help = "calls and times for KCachegrind"},
    {.name = "pprof",
     .write_functions = export_pprof,
     .has_files = true,
     .is_gzipped = true,
     .file_name = "profile.pb.gz",
     .help = "calls, times, stacks for go tool pprof"},
    {.name = "json",
     .write_functions = export_json,
     .file_name = "functions.json",
     .help = "calls and times for your own programs"},
    {.name = "dot",
     .write_functions = export_dot,
     .file_name = "callgraph.dot",
     .help = "call graph for graphviz"},
    {.name = "folded",
     .write_functions = export_folded,
     .file_name = "stacks.folded",
     .help = "call stacks for flame graphs"},
    {.name = "speedscope",
     .write_functions = export_speedscope,
     .has_files = true,
     .file_name = "profile.speedscope.json",
     .help = "call stacks for speedscope.app"},
};

enum { N_FORMATS = sizeof(formats) / sizeof(*formats) };

const struct export_format *const export_format_default = &formats[0];

const struct export_format *export_formats_find(const char *name,
                                                struct err *err) {
  char known[256] = "";
  size_t n = 0;

  for (size_t i = 0; i < N_FORMATS; i++) {
    if (strcmp(formats[i].name, name) == 0)
      return &formats[i];
    if (n < sizeof(known))
      n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s",
                            i == 0 ? "" : ", ", formats[i].name);
  }
  err_set(err, ERR_USAGE,
          "--format=%.80s: unknown format; known formats are %s", name, known);
  return NULL;
}

const char *export_formats_name_at(size_t i) {
  return i < N_FORMATS ? formats[i].name : i == N_FORMATS ? "list" : NULL;
}

void export_formats_print(FILE *out) {
  for (size_t i = 0; i < N_FORMATS; i++)
    fprintf(out, "  %-11s  %-23s  %s\n", formats[i].name, formats[i].file_name,
            formats[i].help);
}
