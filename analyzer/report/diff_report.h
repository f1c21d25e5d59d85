/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints a comparison of two profiles as text, as Markdown for pull requests,
 * or as JSON: exact counts apart from sampled time.
 */
#ifndef ARCLINE_DIFF_REPORT_H
#define ARCLINE_DIFF_REPORT_H

#include "diff/diff.h"
#include "diff/gate.h"

#include <stdbool.h>
#include <stdio.h>

struct err;
struct source_paths;
struct source_root;

struct diff_report_options {
  const char *names[DIFF_SIDES];  /* the user's names of the sides */
  const struct source_root *root; /* that names of files begin at; or NULL */
  const char *cwd; /* names of files below it are shortened; or NULL */
  const struct source_paths *sources; /* of the last side */
  size_t max_rows;                    /* of each table; 0: all */
  bool is_markdown;
  bool is_colored;
};

/** Print it. Returns 0, or -1 with *err set (no memory). */
int diff_report(const struct diff *diff,
                const struct diff_report_options *options, FILE *out,
                struct err *err);

/** Print it as JSON, with the results of gates: all differences, but nothing
 * else. Returns 0, or -1 with *err set (no memory). */
int diff_report_json(const struct diff *diff,
                     const struct diff_report_options *options,
                     const struct gate_result *results, size_t n_results,
                     FILE *out, struct err *err);

/** Print the results of gates as JUnit's XML: a test case for each gate, and
 * changed lines that never ran as output. Returns 0, or -1 with *err set (no
 * memory). */
int diff_report_junit(const struct diff *diff,
                      const struct diff_report_options *options,
                      const struct gate_result *results, size_t n_results,
                      FILE *out, struct err *err);

/** Print the same as workflow commands of GitHub, which shows them at the lines
 * of a pull request; gates that passed as text. Returns 0, or -1 with *err set
 * (no memory). Source: docs.github.com, "Workflow commands for GitHub Actions".
 */
int diff_report_github(const struct diff *diff,
                       const struct diff_report_options *options,
                       const struct gate_result *results, size_t n_results,
                       FILE *out, struct err *err);

enum { DIFF_REPORT_VALUE_BYTES = 192 };

/** Write the value that a gate checked: "1000 -> 1031 (+3.10 %)". */
void diff_report_value(const struct gate *gate, const struct gate_value *value,
                       char text[DIFF_REPORT_VALUE_BYTES]);

/** Print that a value fails a gate. */
void diff_report_failure(const struct diff_report_options *options,
                         const struct gate *gate,
                         const struct gate_value *value, FILE *out);

/** Print that a gate passed, and the value closest to failing it. */
void diff_report_passed(const struct diff_report_options *options,
                        const struct gate_result *result, FILE *out);

#endif
