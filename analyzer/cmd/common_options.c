/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/common_options.h"

#include "base/err.h"
#include "base/pager.h"

#include <unistd.h>

int common_options_apply(struct common_options *options, int id,
                         const char *value, struct err *err) {
  switch (id) {
  case OPT_IMAGES:
    options->inputs.image_folder = value;
    return 0;
  case OPT_FORCE:
    options->inputs.is_forced = true;
    return 0;
  case OPT_DIRECTORIES:
    return source_paths_add_dirs(&options->sources, value, err);
  case OPT_PATH_MAP:
    return source_paths_add_map(&options->sources, value, err);
  case OPT_COLOR:
    options->color = value;
    return 0;
  case OPT_PAGER:
  case OPT_NO_PAGER:
    options->has_pager = id == OPT_PAGER;
    options->is_without_pager = id == OPT_NO_PAGER;
    return 0;
  default:
    return 0;
  }
}

void common_options_take_operands(struct common_options *options,
                                  char **operands, int n_operands) {
  options->inputs.operands = operands;
  options->inputs.n_operands = (size_t)n_operands;
}

int common_options_find_newest(struct common_options *options,
                               const char *command, struct err *err) {
  struct inputs_options *const inputs = &options->inputs;
  struct newest *const newest = &options->newest;
  const char *const image =
      inputs->n_operands == 1 &&
              inputs_operand_at(inputs->operands[0]) == OPERAND_IMAGE
          ? inputs->operands[0]
          : NULL;
  if (inputs->n_operands > 1 || (inputs->n_operands == 1 && !image))
    return 0;
  if (newest_find(image, newest, err))
    return -1;
  if (newest->n_operands == 0 && image)
    return err_set(err, ERR_INPUT,
                   "%s: no profile of it is in this folder (gmon.out, or what "
                   "GMON_OUT_PREFIX and out= say): run it here first, or name "
                   "its profile: arcline %s %s PROFILE",
                   image, command, image);
  if (newest->n_operands == 0)
    return err_set(err, ERR_INPUT,
                   "no profile in this folder: build the program with "
                   "`arcline-cc -O2 -g', run it, and type `arcline' where it "
                   "wrote gmon.out; `arcline --help' tells what else there is");
  inputs->operands = newest->operands;
  inputs->n_operands = newest->n_operands;
  return 0;
}

void common_options_begin_pager(const struct common_options *options) {
  if (options->has_pager ||
      (isatty(STDOUT_FILENO) && !options->is_without_pager))
    pager_begin();
}

void common_options_release(struct common_options *options) {
  newest_release(&options->newest);
  source_paths_release(&options->sources);
}
