/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Lists the commands. Each has the data that help and completion need, and runs
 * with an argv of its own (argv[0] is its name).
 */
#ifndef ARCLINE_COMMANDS_H
#define ARCLINE_COMMANDS_H

#include "base/options.h"

#include <stdbool.h>
#include <stdio.h>

struct err;

struct command {
  const char *name;
  const char *summary;     /* in `arcline --help`: one line */
  const char *synopsis;    /* after its name: one line for each form */
  const char *description; /* a line of what it does; then more lines */
  const char *examples;    /* command lines, one a line; or NULL */
  const struct option_spec *options;

  /** Kinds of operands, for completion, a word for each and one for all further
   * ones: FILE, PID, COMMAND (of arcline), or "dump|reset": one of these;
   * NULL: files. */
  const char *operands;

  /** Value i of an option that has a table of values; NULL: there is none.
   * NULL: the command has no such option. */
  const char *(*value_at)(int id, size_t i);

  void (*print_details)(FILE *out); /* below the options; or NULL */
  bool is_coloured;                 /* sends control characters of its own */
  bool is_apart;                    /* a project's settings do not apply */

  /** Prints its report to stdout. Returns an exit code: 0 done, 1 a threshold
   * or a difference; what options_parse() returned; or -1 with *err set.
   * main() prints help and errors and checks stdout. */
  int (*run)(int argc, char **argv, struct err *err);
};

extern const struct command cmd_report;
extern const struct command cmd_gprof;
extern const struct command cmd_diff;
extern const struct command cmd_doctor;
extern const struct command cmd_dump;
extern const struct command cmd_ctl;
extern const struct command cmd_annotate;
extern const struct command cmd_export;
extern const struct command cmd_html;
extern const struct command cmd_archive;
extern const struct command cmd_merge;
extern const struct command cmd_recover;
extern const struct command cmd_run;
extern const struct command cmd_tests;
extern const struct command cmd_select;
extern const struct command cmd_top;
extern const struct command cmd_help;
extern const struct command cmd_config;
extern const struct command cmd_completion;
extern const struct command cmd_complete; /* for the scripts of that */

/** All of them, in the order of `arcline --help`; then NULL. */
extern const struct command *const commands[];

/** The command of a name. Returns it, or NULL with *err set. */
const struct command *commands_find(const char *name, struct err *err);

/** The first command that has a long option: options_set_owner(). */
const char *commands_find_option(const char *name, size_t n_name);

/** Print the text of `arcline --help`. */
void commands_print_list(FILE *out);

/** Print the text of a command's `--help`. */
void commands_print_help(const struct command *command, FILE *out);

#endif
