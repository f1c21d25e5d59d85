/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/common_options.h"

#include "base/pager.h"
#include "base/progress.h"
#include "model/model.h"

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
  case OPT_INCLUDE:
    return source_patterns_add(&options->filter.includes, value, err);
  case OPT_EXCLUDE:
    return source_patterns_add(&options->filter.excludes, value, err);
  case OPT_INCLUDE_FUNCTION:
    return source_names_add(&options->filter.include_funcs, value, err);
  case OPT_EXCLUDE_FUNCTION:
    return source_names_add(&options->filter.exclude_funcs, value, err);
  case OPT_ROOT:
    options->root_name = value;
    return 0;
  case OPT_MARKER:
    return source_markers_add(&options->filter.markers, value, err);
  case OPT_NO_MARKERS:
    options->filter.is_without_markers = true;
    return 0;
  case OPT_COLOR:
    options->color = value;
    return 0;
  case OPT_NO_PAGER:
    options->is_without_pager = true;
    return 0;
  default:
    return 0;
  }
}

void common_options_take_operands(struct common_options *options,
                                  char **operands, int n_operands) {
  options->inputs.operands = operands;
  options->inputs.n_operands = (size_t)n_operands;
  options->inputs.sources = &options->sources;
  options->inputs.filter = &options->filter;
}

int common_options_find_root(struct common_options *options, struct err *err) {
  struct source_root *const root = &options->filter.root;
  if (project_root_find(options->root_name, &options->root, err) != 0)
    return -1;
  root->folder = options->root.folder;
  root->alias = options->root.alias;
  root->is_found = options->root.is_found;
  return 0;
}

int common_options_open(struct common_options *options, const char *command,
                        unsigned flags, struct model *out, struct err *err) {
  *out = (struct model){0};
  if (newest_complete(&options->inputs, command, &options->newest, err) ||
      common_options_find_root(options, err))
    return -1;
  progress_step("reading", options->inputs.operands[0]);
  return model_open_profiles(&options->inputs, flags, out, err);
}

void common_options_begin_pager(const struct common_options *options) {
  if (isatty(STDOUT_FILENO) && !options->is_without_pager)
    pager_begin();
}

void common_options_release(struct common_options *options) {
  newest_release(&options->newest);
  source_paths_release(&options->sources);
  source_filter_release(&options->filter);
  project_root_release(&options->root);
}
