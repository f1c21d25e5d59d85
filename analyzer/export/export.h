/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the formats of `arcline export` that are of lines: docs/FORMATS.md.
 * One function each, in a file of its own, and one row of the table in
 * cmd/export_formats.c.
 */
#ifndef ARCLINE_EXPORT_H
#define ARCLINE_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

struct branch_counts;
struct err;
struct line_counts;
struct line_profile;

/** The data to export. Everything is borrowed. */
struct export_input {
  const struct line_profile *profile;
  const struct branch_counts *branches; /* empty if counts are not exact */
  /** line_profile_indirect_calls(), if the row of the format requests them. */
  const struct line_counts *indirect_calls;
};

/** Options; each is for some of the formats. */
struct export_options {
  bool is_lcov_2_2; /* the records that lcov 2.2 introduced */
};

/**
 * Write everything in one format.
 *
 * out  the caller checks it for errors.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
typedef int export_writer(const struct export_input *input,
                          const struct export_options *options, FILE *out,
                          struct err *err);

/**
 * A tracefile (".info") of lcov, which genhtml and most services for test
 * coverage read: one section per file that has lines, in order of name.
 * Functions have their linkage names, as from lcov's own collector.
 *
 * By default branches that choose the handler of an exception are left out:
 * they are not in the source, and older readers cannot separate them from
 * others.
 *
 * Source: geninfo(1), "FILES".
 */
export_writer export_lcov;

/** XML of Cobertura, which Jenkins, GitLab and others read: its DTD
 * coverage-04. Folders are packages, files are classes. */
export_writer export_cobertura;

/** JSON as by `gcov --json-format`. Source: gcov(1), "--json-format". */
export_writer export_gcov_json;

/* Other formats of coverage: docs/FORMATS.md names the description of each. */
export_writer export_clover;
export_writer export_codecov;
export_writer export_coveralls;
export_writer export_jacoco;
export_writer export_sonarqube;

/* Totals of files: a table for spreadsheets, JSON as of `gcovr --json-summary`
   and `llvm-cov export -summary-only`, tables for pages, and an image of the
   share of lines. */
export_writer export_csv;
export_writer export_gcovr_summary;
export_writer export_llvm_summary;
export_writer export_markdown;
export_writer export_html_table;
export_writer export_badge;

/**
 * A sample profile of LLVM as text, for `clang -fprofile-sample-use`.
 *
 * Errors: the counts are not exact; an object has no flow graphs.
 * Source: clang's user manual, "Sample Profile Text Format".
 */
export_writer export_llvm_sample;

#endif
