/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/**
 * `arcline export`: counts of lines, functions and branches for other
 * programs.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/out_file.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "counts/branch_counts.h"
#include "counts/line_profile.h"
#include "profile/graph_profile.h"
#include "report/export.h"
#include "report/export_lcov.h"
#include "report/export_program.h"

enum {
  OPT_FORMAT = 1,
  OPT_OUTPUT,
  OPT_LCOV_FORMAT,
};

static const struct option_spec option_specs[] = {
    {OPT_FORMAT, 0, "format", OPTION_ARGUMENT, "NAME",
     "what to write; see below. Once for each -o"},
    {OPT_OUTPUT, 'o', "output", OPTION_ARGUMENT, "FILE",
     "write to FILE; - is standard output (default)"},
    {OPT_LCOV_FORMAT, 0, "lcov-format", OPTION_ARGUMENT, "legacy|2.2",
     "version of lcov (default legacy, which all read)"},
    OPTIONS_OF_INPUTS,
    {0},
};

/** Of lines or of functions: one of the two writers. */
struct format {
  const char *name;
  export_writer *write;
  export_program_writer *write_functions;
  bool has_files; /* of functions, in write_functions */
  const char *help;
};

/** The first one is written if none is named. */
static const struct format formats[] = {
    {"lcov", export_lcov, NULL, false,
     "lines, functions, branches: tracefile of lcov (default)"},
    {"callgrind", NULL, export_callgrind, true,
     "functions and calls, for KCachegrind and callgrind_annotate"},
    {"dot", NULL, export_dot, false, "the call graph, for graphviz"},
    {"folded", NULL, export_folded, false,
     "call stacks, for flame graphs: a line each"},
    {"json", NULL, export_json, false,
     "functions with calls and times, and the call graph"},
    {"speedscope", NULL, export_speedscope, true,
     "call stacks, for speedscope.app"},
};

enum { N_FORMATS = sizeof(formats) / sizeof(formats[0]) };

/** A file to write. */
struct output {
  const struct format *format; // NULL: not named
  const char *path;            // NULL: not named
};

enum { MAX_OUTPUTS = 16 };

/** Everything a run has in hand. All zero is empty. */
struct run {
  struct output outputs[MAX_OUTPUTS];
  size_t n_outputs;
  struct export_options options;
  struct common_options common;
  struct line_profile profile;
  struct branch_counts branches;
  struct graph_profile program;
};

static void release(struct run *run) {
  branch_counts_release(&run->branches);
  line_profile_close(&run->profile);
  graph_profile_release(&run->program);
  common_options_release(&run->common);
}

/** Refuse a command line, and tell the formats that there are. */
static int refuse_format(const char *what, struct err *err) {
  char known[256] = "";
  size_t n = 0;

  for (size_t i = 0; i < N_FORMATS && n < sizeof(known); i++)
    n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s",
                          i == 0 ? "" : ", ", formats[i].name);
  return err_set(err, ERR_USAGE, "%s; known formats: %s", what, known);
}

/** The output that an option is about: the last one, or a new one if the last
 * was told the same already. NULL: there are too many. */
static struct output *output_for(struct run *run, bool is_new) {
  if (run->n_outputs > 0 && !is_new)
    return &run->outputs[run->n_outputs - 1];
  return run->n_outputs < MAX_OUTPUTS ? &run->outputs[run->n_outputs++] : NULL;
}

static const struct output *last_output(const struct run *run) {
  return &run->outputs[run->n_outputs ? run->n_outputs - 1 : 0];
}

static int refuse_more_outputs(struct err *err) {
  return err_set(err, ERR_USAGE, "more than %d outputs", MAX_OUTPUTS);
}

static int set_format(struct run *run, const char *name, struct err *err) {
  char what[128];

  for (size_t i = 0; i < N_FORMATS; i++)
    if (strcmp(formats[i].name, name) == 0) {
      struct output *const output =
          output_for(run, last_output(run)->format != NULL);
      if (!output)
        return refuse_more_outputs(err);
      output->format = &formats[i];
      return 0;
    }
  snprintf(what, sizeof(what), "--format=%.80s: unknown format", name);
  return refuse_format(what, err);
}

static int set_path(struct run *run, const char *path, struct err *err) {
  struct output *const output = output_for(run, last_output(run)->path != NULL);
  if (!output)
    return refuse_more_outputs(err);
  output->path = path;
  return 0;
}

/** Each output has a format, and one may be standard output. */
static int check_outputs(struct run *run, struct err *err) {
  size_t n_standard = 0;

  if (run->n_outputs == 0)
    run->n_outputs = 1;
  if (run->n_outputs == 1 && !run->outputs[0].format)
    run->outputs[0].format = &formats[0];
  for (size_t i = 0; i < run->n_outputs; i++) {
    const struct output *const output = &run->outputs[i];
    if (!output->format)
      return err_set(err, ERR_USAGE, "-o %s: its --format=NAME is missing",
                     output->path);
    n_standard += !output->path || strcmp(output->path, "-") == 0;
    for (size_t k = 0; k < i; k++)
      if (output->path && run->outputs[k].path &&
          strcmp(output->path, run->outputs[k].path) == 0)
        return err_set(err, ERR_USAGE, "-o %s: named twice", output->path);
  }
  if (n_standard > 1)
    return err_set(err, ERR_USAGE,
                   "several formats for standard output: say -o FILE after "
                   "each --format=NAME");
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
  default:
    return common_options_apply(&run->common, id, value, err);
  }
}

static int parse(struct run *run, int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, apply, run, &first, err);

  common_options_take_operands(&run->common, argv + first, argc - first);
  return rc ? rc : check_outputs(run, err);
}

/** Functions, as `arcline gprof` has them. */
static int load_functions(struct run *run, struct err *err) {
  struct model_symbols symbols = {0};

  for (size_t i = 0; i < run->n_outputs; i++)
    if (run->outputs[i].format->has_files)
      symbols.has_files = true;
  return graph_profile_open(&run->common.inputs, &symbols, &run->program, err);
}

static int load_lines(struct run *run, struct err *err) {
  struct line_profile *profile = &run->profile;

  if (line_profile_open(&run->common.inputs, profile, err) != 0)
    return -1;
  if (!profile->has_counts)
    return err_set(err, ERR_INPUT,
                   "%s: its profiles hold no counts of basic blocks; was it "
                   "built with arcline-cc, and without --arcline-calls-only?",
                   profile->model.objects[0].image.path);
  if (profile->counts.n_lines == 0)
    return err_set(err, ERR_INPUT,
                   "%s: nothing in the profile belongs to a source line; was "
                   "the image compiled with -g?",
                   profile->model.objects[0].image.path);
  if (profile->is_exact)
    return branch_counts_build(&profile->flow, &run->branches, err);
  warn("%s: no flow graphs: a line's count is the largest of its blocks, and "
       "there are no branches",
       profile->model.objects[0].image.path);
  return 0;
}

static int write_output(const struct run *run, const struct output *output,
                        struct err *err) {
  const struct export_input input = {.files = &run->profile.flow.files,
                                     .lines = &run->profile.counts,
                                     .branches = &run->branches};
  const struct format *const format = output->format;
  struct out_file file;

  if (out_file_open(output->path, &file, err) != 0)
    return -1;
  int rc = format->write
               ? format->write(&input, &run->options, file.stream, err)
               : format->write_functions(&run->program, file.stream, err);
  if (rc == 0)
    rc = out_file_commit(&file, err);
  out_file_release(&file);
  return rc;
}

/** Load what the formats are of, once, and write them all. */
static int export_all(struct run *run, struct err *err) {
  bool has_lines = false, has_functions = false;

  for (size_t i = 0; i < run->n_outputs; i++) {
    const bool is_of_lines = run->outputs[i].format->write != NULL;
    has_lines = has_lines || is_of_lines;
    has_functions = has_functions || !is_of_lines;
  }
  if ((has_lines && load_lines(run, err) != 0) ||
      (has_functions && load_functions(run, err) != 0))
    return -1;
  for (size_t i = 0; i < run->n_outputs; i++)
    if (write_output(run, &run->outputs[i], err) != 0)
      return -1;
  return 0;
}

static void print_formats(FILE *out) {
  fputs("\nFormats:\n", out);
  for (size_t i = 0; i < N_FORMATS; i++)
    fprintf(out, "  %-10s %s\n", formats[i].name, formats[i].help);
}

static const char *value_at(int id, size_t i) {
  return id == OPT_FORMAT && i < N_FORMATS ? formats[i].name : NULL;
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {0};
  int rc = parse(&run, argc, argv, err);

  if (rc == 0)
    rc = export_all(&run, err);
  release(&run);
  return rc;
}

const struct command cmd_export = {
    .name = "export",
    .summary = "counts for lcov and other programs",
    .synopsis =
        "[--format=NAME [-o FILE]]... [OPTION]... [IMAGE [PROFILE]...]...\n"
        "[--format=NAME [-o FILE]]... [OPTION]... SIDE-FILE...",
    .description =
        "Write counts of lines, functions and branches, or calls and times of "
        "functions, in\na form that other programs read. IMAGE is a.out and "
        "PROFILE gmon.out if not given;\nseveral profiles are added up. "
        "Several images, each with its profiles, are one\nprogram, which a "
        "SIDE-FILE like gmon.out.arcline names itself.\n",
    .options = option_specs,
    .value_at = value_at,
    .print_details = print_formats,
    .run = run,
};
