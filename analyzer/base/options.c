/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/options.h"

#include "base/err.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

// Ids of options as getopt_long() sees them: out of the range of characters.
enum { FIRST_LONG_VALUE = 256 };

struct options_reader {
  const struct option_spec *specs;
  int argc;
  char **argv;
  char *short_options;
  struct option *long_options;
  const struct option_spec *current; // read last; NULL: it was no option
};

static size_t count_specs(const struct option_spec *specs) {
  size_t n = 0;

  while (specs[n].id)
    n++;
  return n;
}

int options_begin(const struct option_spec *specs, int argc, char **argv,
                  struct options_reader **out, struct err *err) {
  size_t n_specs = count_specs(specs);
  size_t n_long = 0;

  *out = NULL;
  struct options_reader *reader = calloc(1, sizeof(*reader));
  if (!reader)
    return err_no_memory(err);
  *reader = (struct options_reader){.specs = specs, .argc = argc, .argv = argv};
  reader->short_options = malloc(3 * n_specs + 2);
  reader->long_options = calloc(n_specs + 1, sizeof(*reader->long_options));
  if (!reader->short_options || !reader->long_options) {
    options_end(reader);
    return err_no_memory(err);
  }
  char *next = reader->short_options;
  *next++ = ':'; // tells a missing argument from an unknown option
  for (size_t i = 0; i < n_specs; i++) {
    const struct option_spec *spec = &specs[i];
    if (spec->short_name) {
      *next++ = spec->short_name;
      for (int colons = 0; colons < (int)spec->argument; colons++)
        *next++ = ':';
    }
    if (spec->long_name)
      reader->long_options[n_long++] = (struct option){
          .name = spec->long_name,
          .has_arg = spec->argument == OPTION_NO_ARGUMENT ? no_argument
                     : spec->argument == OPTION_ARGUMENT  ? required_argument
                                                          : optional_argument,
          .val = FIRST_LONG_VALUE + (int)i,
      };
  }
  *next = '\0';
  opterr = 0;
  optind = 0; // 0 and not 1: makes glibc forget an earlier command line
  *out = reader;
  return 0;
}

int options_refuse(const struct options_reader *reader, const char *what,
                   struct err *err) {
  const struct option_spec *current = reader->current;
  char short_name[] = {'-', current ? current->short_name : (char)optopt, '\0'};
  const char *name = short_name;

  // optopt is 0 for an unknown long option, and a long option's value for one
  // that is misused; then its word is the last one that was read.
  if (!current && (optopt == 0 || optopt >= FIRST_LONG_VALUE) && optind > 0)
    name = reader->argv[optind - 1];
  if (current && current->long_name)
    return err_set(err, ERR_USAGE, "--%s: %s; try --help", current->long_name,
                   what);
  return err_set(err, ERR_USAGE, "%s: %s; try --help", name, what);
}

int options_next(struct options_reader *reader, const char **value,
                 struct err *err) {
  optopt = 0;
  reader->current = NULL;
  int found = getopt_long(reader->argc, reader->argv, reader->short_options,
                          reader->long_options, NULL);
  *value = optarg;
  if (found == -1)
    return 0;
  if (found == ':')
    return options_refuse(reader, "this option needs an argument", err);
  if (found == '?')
    return options_refuse(reader,
                          optopt >= FIRST_LONG_VALUE
                              ? "this option takes no argument"
                              : "unknown or ambiguous option",
                          err);
  if (found >= FIRST_LONG_VALUE) {
    reader->current = &reader->specs[found - FIRST_LONG_VALUE];
    return reader->current->id;
  }
  for (const struct option_spec *spec = reader->specs; spec->id; spec++) {
    if (spec->short_name == found) {
      reader->current = spec;
      return spec->id;
    }
  }
  return options_refuse(reader, "unknown option", err);
}

int options_first_operand(const struct options_reader *reader) {
  (void)reader;
  return optind;
}

void options_end(struct options_reader *reader) {
  if (!reader)
    return;
  free(reader->short_options);
  free(reader->long_options);
  free(reader);
}

void options_print_help(const struct option_spec *specs, FILE *out) {
  enum { HELP_COLUMN = 34 };

  for (const struct option_spec *spec = specs; spec->id; spec++) {
    if (!spec->help)
      continue;
    const char *name = spec->argument_name ? spec->argument_name : "ARG";
    int column = fprintf(out, "  ");
    if (spec->short_name)
      column +=
          fprintf(out, "-%c%s", spec->short_name, spec->long_name ? ", " : "");
    else
      column += fprintf(out, "    ");
    if (spec->long_name)
      column += fprintf(out, "--%s", spec->long_name);
    const char *separator = spec->long_name ? "=" : "";
    if (spec->argument == OPTION_ARGUMENT)
      column += fprintf(out, "%s%s", spec->long_name ? "=" : " ", name);
    else if (spec->argument == OPTION_OPTIONAL_ARGUMENT)
      column += fprintf(out, "[%s%s]", separator, name);
    if (column >= HELP_COLUMN) {
      fputc('\n', out);
      column = 0;
    }
    fprintf(out, "%*s%s\n", HELP_COLUMN - column, "", spec->help);
  }
}

bool options_parse_number(const char *text, long *out) {
  char *end;

  errno = 0;
  *out = strtol(text, &end, 10);
  return end != text && *end == '\0' && errno == 0;
}
