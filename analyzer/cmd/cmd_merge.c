/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** `arcline merge`: profiles of many processes, added up. */
#include "base/err.h"
#include "base/options.h"
#include "base/progress.h"
#include "cmd/commands.h"
#include "merge/merge.h"

#include <stdio.h>

enum { OPT_OUTPUT = 1, OPT_STRICT, OPT_HELP };

static const struct option_spec option_specs[] = {
    {OPT_OUTPUT, 'o', "output", OPTION_ARGUMENT, "OUT",
     "the file, or folder, to write"},
    {OPT_STRICT, 0, "strict", OPTION_NO_ARGUMENT, NULL,
     "exit with 1 if a file was left out"},
    {OPT_HELP, 'h', "help", OPTION_NO_ARGUMENT, NULL, "show this text"},
    {0},
};

struct merge_options {
  const char *output;
  bool is_strict;
  bool is_help;
  int first; /* operand */
};

static int parse(int argc, char **argv, struct merge_options *out,
                 struct err *err) {
  struct options_reader *reader;
  const char *value;
  int id;

  *out = (struct merge_options){0};
  if (options_begin(option_specs, argc, argv, &reader, err))
    return -1;
  while ((id = options_next(reader, &value, err)) > 0) {
    if (id == OPT_OUTPUT)
      out->output = value;
    else if (id == OPT_STRICT)
      out->is_strict = true;
    else
      out->is_help = true;
  }
  out->first = options_first_operand(reader);
  options_end(reader);
  if (id < 0 || out->is_help)
    return id;
  if (!out->output || !out->output[0])
    return err_set(err, ERR_USAGE,
                   "-o is missing: where to write the sum; try arcline merge "
                   "--help");
  if (out->first >= argc)
    return err_set(err, ERR_USAGE,
                   "no file or folder given; try arcline merge --help");
  return 0;
}

static void print_help(void) {
  puts("Usage: arcline merge [OPTION]... -o OUT FILE|FOLDER...\n"
       "Add profiles and side files of any number of processes up.\n\n"
       "Of one program, OUT is a file, with those of its libraries beside it, "
       "as one\nprocess would have written them; of several, a folder.\n");
  options_print_help(option_specs, stdout);
}

static int merge_all(const struct merge_options *options, char **operands,
                     struct merge *merge, struct err *err) {
  int rc = 0;

  progress_begin();
  for (char **at = operands; *at && rc == 0; at++)
    rc = merge_add(merge, *at, err);
  progress_end();
  if (rc)
    return -1;
  if (!merge->n_sums)
    return err_set(err, ERR_INPUT, "%s: nothing to add up%s", operands[0],
                   merge->n_skipped ? "" : ": no profile is there");
  if (merge_write(merge, options->output, err))
    return -1;
  if (merge->n_skipped)
    warn("%zu of %zu files were left out", merge->n_skipped,
         merge->n_skipped + merge->n_files);
  return merge->n_skipped && options->is_strict;
}

int cmd_merge(int argc, char **argv, struct err *err) {
  struct merge_options options;
  struct merge merge = {0};

  if (parse(argc, argv, &options, err))
    return -1;
  if (options.is_help) {
    print_help();
    return 0;
  }
  const int rc = merge_all(&options, argv + options.first, &merge, err);
  merge_release(&merge);
  return rc;
}
