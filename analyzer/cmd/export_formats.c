/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/export_formats.h"

#include "base/did_you_mean.h"
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
    {.name = "jacoco",
     .write = export_jacoco,
     .file_name = "jacoco.xml",
     .help = "coverage for Gradle, Jenkins, Codacy"},
    {.name = "clover",
     .write = export_clover,
     .file_name = "clover.xml",
     .help = "coverage for Bamboo, Jenkins, Qodana"},
    {.name = "sonarqube",
     .write = export_sonarqube,
     .file_name = "sonarqube.xml",
     .help = "generic coverage of SonarQube"},
    {.name = "coveralls",
     .write = export_coveralls,
     .file_name = "coveralls.json",
     .help = "coverage for Coveralls"},
    {.name = "codecov",
     .write = export_codecov,
     .file_name = "codecov.json",
     .help = "coverage for Codecov"},
    {.name = "csv",
     .write = export_csv,
     .file_name = "coverage.csv",
     .help = "totals of files for spreadsheets"},
    {.name = "gcovr-summary",
     .write = export_gcovr_summary,
     .file_name = "gcovr-summary.json",
     .help = "totals as gcovr --json-summary"},
    {.name = "llvm-summary",
     .write = export_llvm_summary,
     .file_name = "llvm-summary.json",
     .help = "totals as llvm-cov -summary-only"},
    {.name = "markdown",
     .write = export_markdown,
     .file_name = "coverage.md",
     .help = "table of files for pull requests"},
    {.name = "html-table",
     .write = export_html_table,
     .file_name = "coverage.html",
     .help = "table of files for a page"},
    {.name = "badge",
     .write = export_badge,
     .file_name = "coverage.svg",
     .help = "image of the share of lines"},
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
     .help = "call stacks, calls for speedscope.app"},
};

enum { N_FORMATS = sizeof(formats) / sizeof(*formats) };

const struct export_format *const export_format_default = &formats[0];

const struct export_format *export_formats_find(const char *name,
                                                struct err *err) {
  struct did_you_mean nearest = {.word = name, .n_word = strlen(name)};

  for (size_t i = 0; i < N_FORMATS; i++) {
    if (strcmp(formats[i].name, name) == 0)
      return &formats[i];
    did_you_mean_offer(&nearest, formats[i].name);
  }
  if (nearest.best)
    err_set(err, ERR_USAGE, "--format=%.80s: unknown format; did you mean %s?",
            name, nearest.best);
  else
    err_set(err, ERR_USAGE,
            "--format=%.80s: unknown format; --format=list lists the formats",
            name);
  return NULL;
}

const char *export_formats_name_at(size_t i) {
  return i < N_FORMATS ? formats[i].name : i == N_FORMATS ? "list" : NULL;
}

void export_formats_print(FILE *out) {
  for (size_t i = 0; i < N_FORMATS; i++)
    fprintf(out, "  %-13s  %-23s  %s\n", formats[i].name, formats[i].file_name,
            formats[i].help);
}
