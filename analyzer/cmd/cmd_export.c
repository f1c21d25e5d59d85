/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/**
 * `arcline export`: writes counts of lines, functions and branches for other
 * programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/gzip_stream.h"
#include "base/out_file.h"
#include "base/progress.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/coverage_notes.h"
#include "cmd/export_formats.h"
#include "counts/branch_counts.h"
#include "counts/flow_load.h"
#include "counts/line_profile.h"
#include "profile/graph_profile.h"

enum {
  OPT_FORMAT = 1,
  OPT_OUTPUT,
  OPT_LCOV_FORMAT,
  OPT_ALL,
};

static const struct option_spec option_specs[] = {
    {OPT_FORMAT, 0, "format", OPTION_ARGUMENT, "NAME",
     "output format, or `list' to list all formats"},
    {OPT_OUTPUT, 'o', "output", OPTION_ARGUMENT, "FILE",
     "write to FILE or folder (default -, stdout)"},
    {OPT_LCOV_FORMAT, 0, "lcov-format", OPTION_ARGUMENT, "legacy|2.2",
     "version of lcov's format (default legacy)"},
    {OPT_ALL, 0, "all", OPTION_NO_ARGUMENT, NULL,
     "include system headers and files outside of the root"},
    OPTIONS_OF_COVERAGE,
    OPTION_OF_PATH_MAP,
    OPTION_OF_THREADS,
    OPTIONS_OF_INPUTS,
    {0},
};

/** A file to write. */
struct output {
  const struct export_format *format; // NULL: not named
  const char *path;                   // NULL: not named
  char *owned_path;                   // NULL: as the user gave it
};

/** There are about twenty formats, and some have several versions. */
enum { MAX_OUTPUTS = 64 };

/** Everything a run has in hand. All zero is empty. */
struct run {
  bool is_list; // of formats, and nothing else
  struct output outputs[MAX_OUTPUTS];
  size_t n_outputs;
  struct export_options options;
  struct common_options common;
  struct model model;
  struct flow_data flow;
  struct line_profile profile;
  struct branch_counts branches;
  struct line_counts indirect_calls;
  struct graph_profile program;
};

static void release(struct run *run) {
  for (size_t i = 0; i < run->n_outputs; i++)
    free(run->outputs[i].owned_path);
  line_counts_release(&run->indirect_calls);
  branch_counts_release(&run->branches);
  line_profile_close(&run->profile);
  graph_profile_release(&run->program);
  flow_data_release(&run->flow);
  model_close(&run->model);
  common_options_release(&run->common);
}

/** The output that an option applies to: the last one, or a new one if the last
 * has this option already. NULL: there are too many. */
static struct output *output_for(struct run *run, bool is_new) {
  if (run->n_outputs > 0 && !is_new)
    return &run->outputs[run->n_outputs - 1];
  return run->n_outputs < MAX_OUTPUTS ? &run->outputs[run->n_outputs++] : NULL;
}

static const struct output *last_output(const struct run *run) {
  return &run->outputs[run->n_outputs ? run->n_outputs - 1 : 0];
}

static int reject_more_outputs(struct err *err) {
  return err_set(err, ERR_USAGE,
                 "more than %d outputs; run another command for the rest",
                 MAX_OUTPUTS);
}

static int set_format(struct run *run, const char *name, struct err *err) {
  if (strcmp(name, "list") == 0) {
    run->is_list = true;
    return 0;
  }
  const struct export_format *const format = export_formats_find(name, err);
  if (!format)
    return -1;
  struct output *const output =
      output_for(run, last_output(run)->format != NULL);
  if (!output)
    return reject_more_outputs(err);
  output->format = format;
  return 0;
}

static int set_path(struct run *run, const char *path, struct err *err) {
  struct output *const output = output_for(run, last_output(run)->path != NULL);
  if (!output)
    return reject_more_outputs(err);
  output->path = path;
  return 0;
}

/** If the output is a folder, name the file in it. */
static int name_in_folder(struct output *output, struct err *err) {
  const size_t n = output->path ? strlen(output->path) : 0;
  const bool has_slash = n > 0 && output->path[n - 1] == '/';
  struct stat status;

  if (n == 0 ||
      (!has_slash && (stat(output->path, &status) || !S_ISDIR(status.st_mode))))
    return 0;
  if (asprintf(&output->owned_path, "%s%s%s", output->path,
               has_slash ? "" : "/", output->format->file_name) < 0) {
    output->owned_path = NULL;
    return err_no_memory(err);
  }
  output->path = output->owned_path;
  return 0;
}

static bool is_standard(const struct output *output) {
  return !output->path || strcmp(output->path, "-") == 0;
}

static int check_output(struct output *output, struct err *err) {
  if (!output->format)
    return err_set(err, ERR_USAGE,
                   "-o %s: no --format=NAME for this file; --format=list lists "
                   "the formats",
                   output->path);
  if (output->format->is_gzipped && is_standard(output) &&
      isatty(STDOUT_FILENO))
    return err_set(err, ERR_USAGE,
                   "--format=%s: not written to a terminal; use -o FILE",
                   output->format->name);
  return name_in_folder(output, err);
}

/** Each output has a format, and one may be standard output. */
static int check_outputs(struct run *run, struct err *err) {
  size_t n_standard = 0;

  if (run->n_outputs == 0)
    run->n_outputs = 1;
  if (run->n_outputs == 1 && !run->outputs[0].format)
    run->outputs[0].format = export_format_default;
  for (size_t i = 0; i < run->n_outputs; i++) {
    struct output *const output = &run->outputs[i];
    if (check_output(output, err) != 0)
      return -1;
    n_standard += is_standard(output);
    for (size_t k = 0; k < i; k++)
      if (output->path && run->outputs[k].path &&
          strcmp(output->path, run->outputs[k].path) == 0)
        return err_set(
            err, ERR_USAGE,
            "-o %s: used for two formats; each format needs its own file",
            output->path);
  }
  if (n_standard > 1)
    return err_set(err, ERR_USAGE,
                   "more than one format for standard output; use -o FILE "
                   "after each --format=NAME");
  return 0;
}

static int apply(void *context, int id, const char *value, struct err *err) {
  struct run *const run = context;

  switch (id) {
  case OPT_FORMAT:
    return set_format(run, value, err);
  case OPT_OUTPUT:
    return set_path(run, value, err);
  case OPT_LCOV_FORMAT:
    run->options.is_lcov_2_2 = value[0] == '2';
    return 0;
  case OPT_ALL:
    run->common.filter.has_all = true;
    return 0;
  default:
    return common_options_apply(&run->common, id, value, err);
  }
}

static int parse(struct run *run, int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, apply, run, &first, err);

  common_options_take_operands(&run->common, argv + first, argc - first);
  return rc || run->is_list ? rc : check_outputs(run, err);
}

/** Functions, as `arcline gprof` has them. */
static int load_functions(struct run *run, struct err *err) {
  struct model_symbols symbols = {0};

  for (size_t i = 0; i < run->n_outputs; i++)
    if (run->outputs[i].format->has_files)
      symbols.has_files = true;
  return graph_profile_open(&run->model, &symbols, &run->program, err) ||
                 graph_profile_build(&run->program, 0, err)
             ? -1
             : 0;
}

static int load_lines(struct run *run, struct err *err) {
  struct line_profile *profile = &run->profile;

  if (flow_load(&run->model, &run->flow, err) != 0 ||
      line_profile_open(&run->model, &run->flow, profile, NULL, err) != 0)
    return -1;
  if (!profile->has_counts)
    return err_set(err, ERR_INPUT,
                   "%s: profiles contain no basic block counts; build with "
                   "arcline-cc, without --arcline-calls-only",
                   run->model.objects[0].image.path);
  if (profile->counts.n_lines == 0)
    return err_set(
        err, ERR_INPUT,
        "%s: profile contains no source lines; compile the image with -g",
        run->model.objects[0].image.path);
  for (size_t i = 0; i < run->n_outputs; i++)
    if (run->outputs[i].format->has_callees && !run->indirect_calls.calls &&
        line_profile_indirect_calls(profile, &run->indirect_calls, err) != 0)
      return -1;
  if (profile->is_exact &&
      branch_counts_build(&run->flow, &run->branches, err) != 0)
    return -1;
  if (line_profile_check_sources(profile, err) != 0 ||
      line_profile_exclude(profile, &run->branches, err) != 0)
    return -1;
  if (profile->is_exact)
    return 0;
  warn("%s: no flow graphs; the count of a line is that of its most frequent "
       "block, and branches are omitted",
       run->model.objects[0].image.path);
  return 0;
}

static int write_format(const struct run *run,
                        const struct export_format *format, FILE *out,
                        struct err *err) {
  const struct export_input input = {.profile = &run->profile,
                                     .branches = &run->branches,
                                     .indirect_calls = &run->indirect_calls};
  return format->write ? format->write(&input, &run->options, out, err)
                       : format->write_functions(&run->program, out, err);
}

static bool is_gzipped(const struct output *output) {
  const size_t n = output->path ? strlen(output->path) : 0;
  return output->format->is_gzipped ||
         (n > 3 && strcmp(output->path + n - 3, ".gz") == 0);
}

static int write_output(const struct run *run, const struct output *output,
                        struct err *err) {
  struct out_file file;

  if (out_file_open(output->path, &file, err) != 0)
    return -1;
  FILE *const out =
      is_gzipped(output) ? gzip_stream_open(file.stream, err) : file.stream;
  int rc = out ? write_format(run, output->format, out, err) : -1;
  // Errors of writing stay with the file's stream.
  if (out && out != file.stream)
    fclose(out);
  if (rc == 0)
    rc = out_file_commit(&file, err);
  out_file_release(&file);
  return rc;
}

/** One that fails, as a format of call stacks without any, does not keep the
 * others from being written. */
static int write_outputs(const struct run *run, struct err *err) {
  int rc = 0;

  for (size_t i = 0; i < run->n_outputs; i++) {
    struct err failure;
    if (write_output(run, &run->outputs[i], &failure) == 0)
      continue;
    if (rc != 0)
      warn("%s", err->text); // main() prints the last one
    *err = failure;
    rc = -1;
  }
  return rc;
}

/** Load the data of all formats, once, and write them. */
static int export_all(struct run *run, struct err *err) {
  bool has_lines = false, has_functions = false;

  for (size_t i = 0; i < run->n_outputs; i++) {
    const bool is_of_lines = run->outputs[i].format->write != NULL;
    has_lines = has_lines || is_of_lines;
    has_functions = has_functions || !is_of_lines;
  }
  progress_begin();
  const bool is_loaded = common_options_open(&run->common, "export",
                                             has_lines ? MEASURE_BLOCKS : 0,
                                             &run->model, err) == 0 &&
                         (!has_lines || load_lines(run, err) == 0) &&
                         (!has_functions || load_functions(run, err) == 0);
  progress_end();
  if (!is_loaded)
    return -1;
  const int rc = write_outputs(run, err);
  if (has_lines)
    coverage_notes_print(&run->profile);
  return rc;
}

static void print_formats(FILE *out) {
  fputs("\nFormats, and the names of their files in a folder:\n", out);
  export_formats_print(out);
}

static const char *value_at(int id, size_t i) {
  return id == OPT_FORMAT ? export_formats_name_at(i) : NULL;
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {0};
  int rc = parse(&run, argc, argv, err);

  if (rc == 0 && run.is_list)
    export_formats_print(stdout);
  else if (rc == 0)
    rc = export_all(&run, err);
  release(&run);
  return rc;
}

const struct command cmd_export = {
    .name = "export",
    .summary = "write counts for lcov and other programs",
    .synopsis = "[OPTION]... [IMAGE [PROFILE]...]...\n[OPTION]... SIDE-FILE...",
    .description =
        "Write counts, calls and times in a format that other "
        "programs read.\n" OPERANDS_OF_INPUTS
        "Each -o belongs to the --format before it. FILE.gz is compressed.\n",
    .examples = "-o coverage.info\n--format=cobertura -o coverage.xml "
                "prog\n--format=pprof -o out/ --format=folded -o out/\n",
    .options = option_specs,
    .value_at = value_at,
    .print_details = print_formats,
    .run = run,
};
