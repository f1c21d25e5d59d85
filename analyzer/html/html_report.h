/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes a profile as a folder of linked pages: `arcline html`. This module
 * determines the order in which files are written. All output follows from the
 * input alone.
 */
#ifndef ARCLINE_HTML_REPORT_H
#define ARCLINE_HTML_REPORT_H

#include "report/annotate.h"

#include <stdbool.h>

struct changed_lines;
struct err;
struct flow_data;
struct graph_profile;
struct inlined;
struct programs;
struct source_paths;

/** The input of a report. Everything is borrowed. */
struct html_input {
  const struct annotate_input *lines;
  const struct annotate_list *list; /* all files; the order does not matter */
  const struct graph_profile *program; /* with inlined functions */
  const struct inlined *inlined;
  const struct programs *programs; /* that the program is of */
  const struct source_paths *sources;
  struct flow_data *flow; /* lines are of it; names of files are added */
  const char *name;       /* of the program */
  const struct changed_lines *changed; /* marked; NULL: no revision was given */
  const char *changed_since;           /* that revision */
  const char *tests; /* index of the tests; NULL: there is none */
};

/**
 * Write a report.
 *
 * folder     made if it does not exist.
 * is_forced  a folder with other files in it is accepted, too.
 *
 * Returns 0; or -1 with *err set: those of site_open(); files that cannot be
 * written; no memory. Warns of source files that cannot be read.
 */
int html_report_write(const struct html_input *input, const char *folder,
                      bool is_forced, struct err *err);

#endif
