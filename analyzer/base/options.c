/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/options.h"

#include "base/did_you_mean.h"
#include "base/err.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

// Ids of options as getopt_long() sees them: out of the range of characters.
enum { FIRST_LONG_VALUE = 256 };

/** Each command has it, after its own options. */
static const struct option_spec help_spec = {
    OPTIONS_HELP, 'h', "help", OPTION_NO_ARGUMENT, NULL, "show this help"};

static options_owner *find_owner; // NULL: there is only one command

void options_set_owner(options_owner *owner) { find_owner = owner; }

static options_origin *find_origin; // NULL: all words are the user's

void options_set_origin(options_origin *origin) { find_origin = origin; }

/** A command line that is being read. */
struct reader {
  const struct option_spec **specs; // the command's, and --help
  size_t n_specs;
  char **argv;
  char *short_options;
  struct option *long_options;
};

const struct option_spec *options_at(const struct option_spec *specs,
                                     size_t i) {
  size_t n = 0;

  while (n < i && specs[n].id)
    n++;
  if (n < i)
    return NULL;
  return specs[n].id ? &specs[n] : &help_spec;
}

static void reader_release(struct reader *reader) {
  free(reader->specs);
  free(reader->short_options);
  free(reader->long_options);
}

/** Build the tables for getopt_long(). Returns false if there is no memory. */
static bool reader_init(struct reader *reader, const struct option_spec *specs,
                        char **argv, bool is_leading) {
  size_t n_specs = 0, n_long = 0;

  while (options_at(specs, n_specs))
    n_specs++;
  *reader = (struct reader){.argv = argv, .n_specs = n_specs};
  reader->specs = calloc(n_specs, sizeof(*reader->specs));
  reader->short_options = malloc(3 * n_specs + 3);
  reader->long_options = calloc(n_specs + 1, sizeof(*reader->long_options));
  if (!reader->specs || !reader->short_options || !reader->long_options)
    return false;
  char *next = reader->short_options;
  if (is_leading)
    *next++ = '+';
  *next++ = ':'; // distinguishes a missing argument from an unknown option
  for (size_t i = 0; i < n_specs; i++) {
    const struct option_spec *spec = options_at(specs, i);
    reader->specs[i] = spec;
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
  return true;
}

/** Reject an option that getopt_long() does not find, or that is misused. */
static int refuse(const struct reader *reader, const char *what,
                  struct err *err) {
  const char short_name[] = {'-', (char)optopt, '\0'};
  const char *name = short_name;
  struct did_you_mean nearest = {0};
  const char *owner = NULL;

  // optopt is 0 for an unknown long option, and a long option's value for one
  // that is misused; then its word is the last one that was read.
  if ((optopt == 0 || optopt >= FIRST_LONG_VALUE) && optind > 0)
    name = reader->argv[optind - 1];
  if (optopt == 0 && strncmp(name, "--", 2) == 0) {
    nearest.word = name + 2;
    nearest.n_word = strcspn(nearest.word, "=");
    for (size_t i = 0; i < reader->n_specs; i++)
      if (reader->specs[i]->long_name && reader->specs[i]->help)
        did_you_mean_offer(&nearest, reader->specs[i]->long_name);
    if (!nearest.best && find_owner)
      owner = find_owner(nearest.word, nearest.n_word);
  }
  if (owner)
    return err_set(
        err, ERR_USAGE,
        "%s: %s; `arcline %s' has this option, see arcline %s --help", name,
        what, owner, owner);
  if (nearest.best)
    return err_set(err, ERR_USAGE, "%s: %s; did you mean --%s? try --help",
                   name, what, nearest.best);
  return err_set(err, ERR_USAGE, "%s: %s; try --help", name, what);
}

/** The option that getopt_long() has found. */
static const struct option_spec *found_spec(const struct reader *reader,
                                            int found) {
  if (found >= FIRST_LONG_VALUE)
    return reader->specs[found - FIRST_LONG_VALUE];
  for (size_t i = 0; i < reader->n_specs; i++)
    if (reader->specs[i]->short_name == found)
      return reader->specs[i];
  return NULL;
}

int options_check_value(const struct option_spec *spec, const char *value,
                        struct err *err) {
  const char *const known = spec->argument_name;
  const size_t n_value = value ? strlen(value) : 0;
  char list[128] = "";
  size_t n_list = 0;

  if (!value || !known || !strchr(known, '|'))
    return 0;
  for (const char *at = known; at; at = strchr(at, '|')) {
    at += *at == '|';
    const size_t n = strcspn(at, "|");
    if (n == n_value && memcmp(at, value, n) == 0)
      return 0;
    const bool is_last = at[n] == '\0';
    n_list += (size_t)snprintf(list + n_list, sizeof(list) - n_list, "%s%.*s",
                               at == known ? ""
                               : is_last   ? " or "
                                           : ", ",
                               (int)n, at);
    if (n_list >= sizeof(list))
      break;
  }
  return err_set(err, ERR_USAGE, "--%s=%s: must be %s", spec->long_name, value,
                 list);
}

/** Read all options. Returns as options_parse() does. */
static int read_options(const struct reader *reader, int argc,
                        options_apply *apply, void *context, struct err *err) {
  int found;

  opterr = 0;
  optind = 0; // 0 and not 1: makes glibc forget an earlier command line
  for (;;) {
    optopt = 0;
    found = getopt_long(argc, reader->argv, reader->short_options,
                        reader->long_options, NULL);
    if (found == -1)
      return 0;
    if (found == ':')
      return refuse(reader, "option requires an argument", err);
    const struct option_spec *const spec = found_spec(reader, found);
    if (found == '?' || !spec)
      return refuse(reader,
                    optopt >= FIRST_LONG_VALUE ? "option takes no argument"
                                               : "unknown or ambiguous option",
                    err);
    // Words after --help and --version are ignored.
    if (spec->id >= OPTIONS_HELP)
      return spec->id;
    if (options_check_value(spec, optarg, err) ||
        apply(context, spec->id, optarg, err)) {
      char origin[256];
      return find_origin && find_origin(reader->argv[optind - 1], origin,
                                        sizeof(origin))
                 ? err_prefix(err, "%s", origin)
                 : -1;
    }
  }
}

static int parse(const struct option_spec *specs, int argc, char **argv,
                 bool is_leading, options_apply *apply, void *context,
                 int *first_operand, struct err *err) {
  struct reader reader;
  const int rc = reader_init(&reader, specs, argv, is_leading)
                     ? read_options(&reader, argc, apply, context, err)
                     : err_no_memory(err);

  *first_operand = optind;
  reader_release(&reader);
  return rc;
}

int options_parse(const struct option_spec *specs, int argc, char **argv,
                  options_apply *apply, void *context, int *first_operand,
                  struct err *err) {
  return parse(specs, argc, argv, false, apply, context, first_operand, err);
}

int options_parse_leading(const struct option_spec *specs, int argc,
                          char **argv, options_apply *apply, void *context,
                          int *first_operand, struct err *err) {
  return parse(specs, argc, argv, true, apply, context, first_operand, err);
}

/** Print the names of an option, as "  -o, --output=FILE". Returns their width.
 * out: NULL: only that. */
static int print_names(const struct option_spec *spec, FILE *out) {
  const char *const name = spec->argument_name ? spec->argument_name : "ARG";
  const char *const separator = spec->long_name ? "=" : "";
  char short_name[] = "    ", argument[64] = "", text[128];

  if (spec->short_name)
    snprintf(short_name, sizeof(short_name), "-%c%s", spec->short_name,
             spec->long_name ? ", " : "");
  if (spec->argument == OPTION_ARGUMENT)
    snprintf(argument, sizeof(argument), "%s%s",
             spec->long_name ? separator : " ", name);
  else if (spec->argument == OPTION_OPTIONAL_ARGUMENT)
    snprintf(argument, sizeof(argument), "[%s%s]", separator, name);
  const int n = snprintf(text, sizeof(text), "  %s%s%s%s", short_name,
                         spec->long_name ? "--" : "",
                         spec->long_name ? spec->long_name : "", argument);
  if (out)
    fputs(text, out);
  return n;
}

void options_print_help(const struct option_spec *specs, FILE *out) {
  const struct option_spec *spec;
  int width = 0;

  for (size_t i = 0; (spec = options_at(specs, i)); i++)
    if (spec->help) {
      const int n = print_names(spec, NULL);
      width = n > width ? n : width;
    }
  for (size_t i = 0; (spec = options_at(specs, i)); i++)
    if (spec->help) {
      const int n = print_names(spec, out);
      fprintf(out, "%*s%s\n", width + 2 - n, "", spec->help);
    }
}

const char *options_shown(const char *operand) {
  return *operand ? operand : "''";
}

int options_reject(const char *operand, const char *reason, const char *command,
                   struct err *err) {
  return err_set(err, ERR_USAGE, "%s: %s; try arcline %s --help",
                 options_shown(operand), reason, command);
}

bool options_parse_number(const char *text, long *out) {
  char *end;

  errno = 0;
  *out = strtol(text, &end, 10);
  return end != text && *end == '\0' && errno == 0;
}
