/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/common_options.h"

#include "base/array.h"
#include "base/err.h"
#include "base/in_file.h"
#include "base/pager.h"
#include "base/progress.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int add_unrun(struct inputs_options *inputs, const char *path,
                     struct err *err) {
  const char **const unrun = array_grow(inputs->unrun, inputs->n_unrun,
                                        &inputs->max_unrun, sizeof(*unrun));
  if (!unrun)
    return err_no_memory(err);
  inputs->unrun = unrun;
  unrun[inputs->n_unrun++] = path;
  return 0;
}

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
  case OPT_ALSO:
    return add_unrun(&options->inputs, value, err);
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
  case OPT_THREAD:
    return thread_choice_add(&options->threads, value, err);
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

/** The folder of the project that was packed; it may be none. */
static int copy_root(const struct archive *archive, struct project_root *out,
                     struct err *err) {
  *out = (struct project_root){.is_found = !archive->is_root_named};
  if (!archive->root)
    return 0;
  out->folder = strdup(archive->root);
  out->alias = archive->root_alias ? strdup(archive->root_alias) : NULL;
  return out->folder && (out->alias || !archive->root_alias)
             ? 0
             : err_no_memory(err);
}

int common_options_find_root(struct common_options *options,
                             const struct archive *archive, struct err *err) {
  struct source_root *const root = &options->filter.root;
  if (archive->operands.n && !options->root_name
          ? copy_root(archive, &options->root, err)
          : project_root_find(options->root_name, &options->root, err))
    return -1;
  root->folder = options->root.folder;
  root->alias = options->root.alias;
  root->is_found = options->root.is_found;
  options->sources.root = options->root.folder;
  return 0;
}

/** Options on which the files and the numbers of a report depend. */
static const struct {
  int id;
  const char *name;
} archived[] = {
    {OPT_IMAGES, "images"},
    {OPT_FORCE, "force"},
    {OPT_DIRECTORIES, "directory-path"},
    {OPT_PATH_MAP, "path-map"},
    {OPT_ALSO, "also"},
    {OPT_INCLUDE, "include"},
    {OPT_EXCLUDE, "exclude"},
    {OPT_INCLUDE_FUNCTION, "include-function"},
    {OPT_EXCLUDE_FUNCTION, "exclude-function"},
    {OPT_MARKER, "marker"},
    {OPT_NO_MARKERS, "no-markers"},
};

enum { N_ARCHIVED = sizeof(archived) / sizeof(archived[0]) };

const char *common_options_name(int id) {
  for (size_t i = 0; i < N_ARCHIVED; i++)
    if (archived[i].id == id)
      return archived[i].name;
  return NULL;
}

/** Apply an option of an archive: "NAME" or "NAME=VALUE". */
static int apply_archived(struct common_options *options,
                          struct source_paths *sources, const char *path,
                          const char *option, struct err *err) {
  const size_t n_name = strcspn(option, "=");
  const char *const value = option[n_name] ? option + n_name + 1 : NULL;
  for (size_t i = 0; i < N_ARCHIVED; i++) {
    const int id = archived[i].id;
    const bool has_value = id != OPT_FORCE && id != OPT_NO_MARKERS;
    if (strncmp(option, archived[i].name, n_name) != 0 ||
        archived[i].name[n_name] || has_value != (value != NULL))
      continue;
    const int rc =
        id == OPT_DIRECTORIES ? source_paths_add_dirs(sources, value, err)
        : id == OPT_PATH_MAP  ? source_paths_add_map(sources, value, err)
                              : common_options_apply(options, id, value, err);
    return rc ? err_prefix(err, "%s", path) : 0;
  }
  return err_set(err, ERR_INPUT,
                 "%s: archive has the unknown option %s; use a newer arcline",
                 path, option);
}

int common_options_read_archive(struct common_options *options,
                                struct source_paths *sources, const char *path,
                                struct archive *out, struct err *err) {
  progress_step("reading", path);
  if (archive_open(path, out, err))
    return -1;
  for (size_t i = 0; i < out->options.n; i++)
    if (apply_archived(options, sources, path, out->options.list[i], err)) {
      archive_close(out);
      return -1;
    }
  in_file_use(&out->files);
  return 0;
}

int common_options_open_archive(struct common_options *options,
                                struct err *err) {
  struct inputs_options *const inputs = &options->inputs;
  const char *path = NULL;
  for (size_t i = 0; i < inputs->n_operands && !path; i++)
    if (inputs_operand_at(inputs->operands[i]) == OPERAND_ARCHIVE)
      path = inputs->operands[i];
  if (!path)
    return 0;
  if (inputs->n_operands > 1)
    return err_set(err, ERR_USAGE,
                   "%s: an archive contains images and profiles; name it "
                   "alone, or add archives up by arcline merge",
                   path);
  if (common_options_read_archive(options, &options->sources, path,
                                  &options->archive, err))
    return -1;
  inputs->operands = options->archive.operands.list;
  inputs->n_operands = options->archive.operands.n;
  return 0;
}

int common_options_open(struct common_options *options, const char *command,
                        unsigned flags, struct model *out, struct err *err) {
  *out = (struct model){0};
  if (common_options_open_archive(options, err) ||
      newest_complete(&options->inputs, command, &options->newest, err) ||
      common_options_find_root(options, &options->archive, err))
    return -1;
  progress_step("reading", options->inputs.operands[0]);
  if (model_open_profiles(&options->inputs, flags, out, err))
    return -1;
  if (thread_choice_apply(&options->threads, out, err) == 0)
    return 0;
  model_close(out);
  return -1;
}

void common_options_begin_pager(const struct common_options *options) {
  if (isatty(STDOUT_FILENO) && !options->is_without_pager)
    pager_begin();
}

void common_options_release(struct common_options *options) {
  newest_release(&options->newest);
  free(options->inputs.unrun);
  source_paths_release(&options->sources);
  source_filter_release(&options->filter);
  thread_choice_release(&options->threads);
  project_root_release(&options->root);
  archive_close(&options->archive);
}
