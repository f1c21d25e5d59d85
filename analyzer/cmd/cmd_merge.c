/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** `arcline merge`: adds up profiles of many processes. */
#include "base/err.h"
#include "base/options.h"
#include "base/progress.h"
#include "cmd/commands.h"
#include "merge/merge.h"

#include <stdio.h>

enum { OPT_OUTPUT = 1, OPT_STRICT, OPT_IMAGES };

static const struct option_spec option_specs[] = {
    {OPT_OUTPUT, 'o', "output", OPTION_ARGUMENT, "OUT",
     "file or folder to write"},
    {OPT_IMAGES, 0, "images", OPTION_ARGUMENT, "FOLDER",
     "search FOLDER for images of pools, by build ID"},
    {OPT_STRICT, 0, "strict", OPTION_NO_ARGUMENT, NULL,
     "exit with 1 if a file was skipped"},
    {0},
};

struct merge_options {
  const char *output;
  const char *images; /* folder, or NULL */
  bool is_strict;
  int first; /* operand */
};

static int apply(void *context, int id, const char *value, struct err *err) {
  struct merge_options *const options = context;

  (void)err;
  if (id == OPT_OUTPUT)
    options->output = value;
  else if (id == OPT_IMAGES)
    options->images = value;
  else
    options->is_strict = true;
  return 0;
}

static int parse(int argc, char **argv, struct merge_options *out,
                 struct err *err) {
  *out = (struct merge_options){0};
  const int rc =
      options_parse(option_specs, argc, argv, apply, out, &out->first, err);
  if (rc)
    return rc;
  if (!out->output || !out->output[0])
    return err_set(err, ERR_USAGE,
                   "no output given; use -o OUT; try arcline merge --help");
  if (out->first >= argc)
    return err_set(err, ERR_USAGE,
                   "no file or folder given; try arcline merge --help");
  return 0;
}

static int merge_all(const struct merge_options *options, char **operands,
                     struct merge *merge, struct err *err) {
  int rc = 0;

  merge->images.folder = options->images;
  progress_begin();
  for (char **at = operands; *at && rc == 0; at++)
    rc = merge_add(merge, *at, err);
  progress_end();
  if (rc || merge_choose(merge, err))
    return -1;
  if (!merge->n_sums)
    return err_set(err, ERR_INPUT, "%s: nothing to merge%s", operands[0],
                   merge->n_skipped ? "" : ": no profile found");
  if (merge_write(merge, options->output, err))
    return -1;
  if (merge->n_skipped)
    warn("skipped %zu of %zu files", merge->n_skipped,
         merge->n_skipped + merge->n_files);
  return merge->n_skipped && options->is_strict;
}

static int run(int argc, char **argv, struct err *err) {
  struct merge_options options;
  struct merge merge = {0};
  int rc = parse(argc, argv, &options, err);

  if (rc == 0)
    rc = merge_all(&options, argv + options.first, &merge, err);
  merge_release(&merge);
  return rc;
}

const struct command cmd_merge = {
    .name = "merge",
    .summary = "add up profiles of many processes",
    .synopsis = "[OPTION]... -o OUT FILE|FOLDER...",
    .description =
        "Add up profiles and side files of any number of processes.\n"
        "Pools (%m in out=) become gmon files, which GNU gprof reads.\n\n"
        "OUT is a file for one program, with those of its libraries next to "
        "it, as one\nprocess would have written them; a folder for several "
        "programs.\n",
    .examples = "-o gmon.out runs/\n-o all/ node*/\n",
    .options = option_specs,
    .run = run,
};
