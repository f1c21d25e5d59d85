/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Command lines: each subcommand has one static table of options, which drives
 * parsing and the text of --help. Long names may be abbreviated, and options
 * and operands mixed, as with every GNU program.
 */
#ifndef ARCLINE_OPTIONS_H
#define ARCLINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct err;

enum option_argument {
  OPTION_NO_ARGUMENT,
  OPTION_ARGUMENT,
  OPTION_OPTIONAL_ARGUMENT, /* must be attached: -pNAME, --long=NAME */
};

/** One option. A table of them ends with an entry whose id is 0. */
struct option_spec {
  int id;                /* positive; what options_next() tells */
  char short_name;       /* or 0 */
  const char *long_name; /* or NULL */
  enum option_argument argument;
  const char *argument_name; /* for --help, e.g. "FILE"; or NULL */
  const char *help;          /* one line; NULL: not shown */
};

/** Reading position in a command line. */
struct options_reader;

/**
 * Begin reading.
 *
 * specs  static.
 * argv   argv[0] is not an option. The strings are reordered: operands last.
 *
 * Returns 0, or -1 with *err set (no memory) and *out NULL.
 * Owns:   caller calls options_end(*out). One reader at a time.
 */
int options_begin(const struct option_spec *specs, int argc, char **argv,
                  struct options_reader **out, struct err *err);

/**
 * Read the next option.
 *
 * value  its argument, or NULL; borrowed from argv.
 *
 * Returns its id; 0 when all are read; -1 with *err set for an option that is
 * not known, is ambiguous, or lacks its argument or must not have one.
 */
int options_next(struct options_reader *reader, const char **value,
                 struct err *err);

/** Record that the option read last cannot be used: "option: what". Returns
 * -1. */
int options_refuse(const struct options_reader *reader, const char *what,
                   struct err *err);

/** Index of the first operand in argv, once options_next() returned 0. */
int options_first_operand(const struct options_reader *reader);

/** Free; NULL is allowed. */
void options_end(struct options_reader *reader);

/** Print the options and their help, one per line. */
void options_print_help(const struct option_spec *specs, FILE *out);

/** Read a whole decimal number. Returns true, or false if text is none. */
bool options_parse_number(const char *text, long *out);

#endif
