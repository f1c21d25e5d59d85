/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Parses command lines: each command has one static table of options, which
 * drives parsing, the text of --help, and completion in shells. Long names may
 * be abbreviated, and options and operands mixed, as with every GNU program.
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

/** Ids that options_parse() returns instead of passing them on. Each command
 * has --help; it is in no table. */
enum { OPTIONS_HELP = 256, OPTIONS_VERSION };

/** One option. A table of them ends with an entry whose id is 0. */
struct option_spec {
  int id;                /* positive and below OPTIONS_HELP, or one of these */
  char short_name;       /* or 0 */
  const char *long_name; /* or NULL */
  enum option_argument argument;
  const char *argument_name; /* for --help, e.g. "FILE"; "auto|never": there
                                are no others; or NULL */
  const char *help;          /* one line; NULL: not shown */
};

/** Applies an option. value is its argument, or NULL; borrowed from argv.
 * Returns 0, or -1 with *err set. */
typedef int options_apply(void *context, int id, const char *value,
                          struct err *err);

/**
 * Read a command line.
 *
 * argv           argv[0] is not an option. The strings are reordered: operands
 *                last.
 * apply          may be NULL if the table is empty.
 * context        handed to apply.
 * first_operand  set to the index of the first operand in argv.
 *
 * Returns 0 when all options are read; OPTIONS_HELP or OPTIONS_VERSION at the
 * first option that asks for that; or -1 with *err set: that of apply; an
 * option that is unknown, is ambiguous, lacks its argument, must not have one,
 * or has one of another value; no memory.
 */
int options_parse(const struct option_spec *specs, int argc, char **argv,
                  options_apply *apply, void *context, int *first_operand,
                  struct err *err);

/** The same for commands that run another one: words after the first operand
 * belong to that command, and argv stays in order. */
int options_parse_leading(const struct option_spec *specs, int argc,
                          char **argv, options_apply *apply, void *context,
                          int *first_operand, struct err *err);

/** Check the argument of an option that accepts some values only. value: NULL
 * is none. Returns 0, or -1 with *err set. */
int options_check_value(const struct option_spec *spec, const char *value,
                        struct err *err);

/** The name of a command that has a long option of this name; NULL: none. */
typedef const char *options_owner(const char *name, size_t n_name);

/** Set the function by which messages about unknown options name a command that
 * has them. */
void options_set_owner(options_owner *owner);

/** Write the file and line that a word of a command line is from, with a NUL.
 * Returns false if it is the user's own. */
typedef bool options_origin(const char *word, char *out, size_t n_out);

/** Set the function by which messages about values name their file. */
void options_set_origin(options_origin *origin);

/** Option i of a table, and after all of them --help; or NULL. */
const struct option_spec *options_at(const struct option_spec *specs, size_t i);

/** Print the options and their help, one per line. */
void options_print_help(const struct option_spec *specs, FILE *out);

/** An operand in messages: quotes are left of an empty one. */
const char *options_shown(const char *operand);
/** Report an operand that a command does not take, with a reason. Returns -1
 * and sets *err. */
int options_reject(const char *operand, const char *reason, const char *command,
                   struct err *err);

/** Read a whole decimal number. Returns true, or false if the text is not
 * one. */
bool options_parse_number(const char *text, long *out);

#endif
