/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/**
 * `arcline annotate`: prints source text with self time, execution counts and
 * calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/in_file.h"
#include "base/pager.h"
#include "base/progress.h"
#include "base/screen.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/coverage_notes.h"
#include "cmd/line_input.h"
#include "cmd/unattributed_time.h"
#include "counts/flow_load.h"
#include "counts/hot_lines.h"
#include "debug/source.h"
#include "debug/wanted_func.h"
#include "report/annotate.h"
#include "report/asm_list.h"
#include "report/hot_list.h"

enum {
  OPT_FILE = 1,
  OPT_FUNCTION,
  OPT_CALLS,
  OPT_INSTANCES,
  OPT_ALL,
  OPT_SORT,
  OPT_SUMMARY,
  OPT_BRANCHES,
  OPT_CONDITIONS,
  OPT_TOP,
  OPT_ASM,
};

static const struct option_spec option_specs[] = {
    {OPT_FILE, 0, "file", OPTION_ARGUMENT, "PATTERN",
     "show source files that match PATTERN"},
    {OPT_FUNCTION, 0, "function", OPTION_ARGUMENT, "NAME",
     "show this function only; may be repeated"},
    {OPT_CALLS, 0, "calls", OPTION_NO_ARGUMENT, NULL,
     "show called functions below each line"},
    {OPT_BRANCHES, 0, "branches", OPTION_NO_ARGUMENT, NULL,
     "show counts of branches below each line"},
    {OPT_CONDITIONS, 0, "conditions", OPTION_NO_ARGUMENT, NULL,
     "show conditions of decisions (MC/DC) below each line"},
    {OPT_ASM, 0, "asm", OPTION_NO_ARGUMENT, NULL,
     "show machine code of the hottest function"},
    {OPT_INSTANCES, 0, "instances", OPTION_NO_ARGUMENT, NULL,
     "show counts of each template instance"},
    {OPT_ALL, 0, "all", OPTION_NO_ARGUMENT, NULL,
     "include files that never ran, and all headers"},
    {OPT_SORT, 0, "sort", OPTION_ARGUMENT, "time|name",
     "order of files (default time)"},
    {OPT_TOP, 0, "top", OPTION_ARGUMENT, "N",
     "list the N hottest lines, too; 0 for all"},
    {OPT_SUMMARY, 's', "summary", OPTION_NO_ARGUMENT, NULL,
     "show only the table of files"},
    OPTIONS_OF_COVERAGE,
    OPTIONS_OF_SOURCES,
    OPTION_OF_COLOR,
    OPTIONS_OF_PAGER,
    OPTION_OF_THREADS,
    OPTIONS_OF_INPUTS,
    {0},
};

/** Everything a run has in hand. All zero is empty. */
struct run {
  struct annotate_options options;
  struct common_options common;
  bool is_summary; // and nothing else
  bool has_instances;
  bool has_branches;
  bool is_asm; // and nothing else
  bool has_top;
  size_t top;       // hottest lines; 0: all
  size_t max_names; // of options.files and options.funcs

  char *cwd;
  struct model model;
  struct flow_data flow;
  struct line_input lines;
  struct hot_lines hot;
  struct annotate_list list;
};

static void release(struct run *run) {
  annotate_list_release(&run->list);
  hot_lines_release(&run->hot);
  line_input_release(&run->lines);
  flow_data_release(&run->flow);
  model_close(&run->model);
  common_options_release(&run->common);
  free(run->options.files);
  for (size_t i = 0; i < run->options.n_funcs; i++)
    wanted_func_release(&run->options.funcs[i]);
  free(run->options.funcs);
  free(run->cwd);
}

// --- Command line ---

/** Append to a list with room enough: no more names than arguments. */
static int add_name(const char ***names, size_t *n, size_t max,
                    const char *name, struct err *err) {
  if (!*names)
    *names = reallocarray(NULL, max, sizeof(**names));
  if (!*names)
    return err_no_memory(err);
  (*names)[(*n)++] = name;
  return 0;
}

static int add_func(struct annotate_options *options, size_t max,
                    const char *name, struct err *err) {
  if (!options->funcs)
    options->funcs = reallocarray(NULL, max, sizeof(*options->funcs));
  if (!options->funcs ||
      wanted_func_parse(name, &options->funcs[options->n_funcs]) != 0)
    return err_no_memory(err);
  options->n_funcs++;
  return 0;
}

static int parse_top(const char *text, size_t *out, struct err *err) {
  enum { MAX_TOP = 1000000000 };
  long n;

  if (!options_parse_number(text, &n) || n < 0 || n > MAX_TOP)
    return err_set(err, ERR_USAGE, "--top=%s: must be a number from 0 to %d",
                   text, MAX_TOP);
  *out = (size_t)n;
  return 0;
}

static int apply(void *context, int id, const char *value, struct err *err) {
  struct run *const run = context;
  struct annotate_options *const options = &run->options;
  const size_t max_names = run->max_names;

  switch (id) {
  case OPT_FILE:
    return add_name(&options->files, &options->n_files, max_names, value, err);
  case OPT_FUNCTION:
    return add_func(options, max_names, value, err);
  case OPT_CALLS:
    options->shows_calls = true;
    return 0;
  case OPT_INSTANCES:
    run->has_instances = true;
    return 0;
  case OPT_BRANCHES:
    run->has_branches = true;
    return 0;
  case OPT_CONDITIONS:
    options->shows_conditions = true;
    return 0;
  case OPT_ASM:
    run->is_asm = true;
    return 0;
  case OPT_TOP:
    run->has_top = true;
    return parse_top(value, &run->top, err);
  case OPT_ALL:
    // All of them are covered then, as in exports.
    options->shows_all = run->common.filter.has_all = true;
    return 0;
  case OPT_SORT:
    options->sorts_by_name = value[0] == 'n';
    return 0;
  case OPT_SUMMARY:
    run->is_summary = true;
    return 0;
  default:
    return common_options_apply(&run->common, id, value, err);
  }
}

static int parse(struct run *run, int argc, char **argv, struct err *err) {
  int n_args = 1, first;

  // Arguments after "--" choose files; the rest are options and operands.
  run->max_names = (size_t)argc;
  while (n_args < argc && strcmp(argv[n_args], "--") != 0)
    n_args++;
  for (int i = n_args + 1; i < argc; i++)
    if (add_name(&run->options.files, &run->options.n_files, run->max_names,
                 argv[i], err) != 0)
      return -1;
  const int rc =
      options_parse(option_specs, n_args, argv, apply, run, &first, err);
  common_options_take_operands(&run->common, argv + first, n_args - first);
  return rc;
}

/** Find the terminal's color and width. */
static void find_terminal(struct run *run) {
  run->options.is_colored = terminal_has_color(run->common.color);
  run->options.width = terminal_width();
}

// --- Input ---

static int load(struct run *run, struct err *err) {
  const unsigned flags = (run->options.shows_calls ? LINE_INPUT_CALLEES : 0u) |
                         (run->has_instances ? LINE_INPUT_INSTANCES : 0u) |
                         (run->has_branches ? LINE_INPUT_BRANCHES : 0u);

  if (common_options_open(&run->common, "annotate", MEASURE_BLOCKS, &run->model,
                          err) != 0)
    return -1;
  // Without it, names are printed in full.
  run->cwd = in_file_folder();
  run->options.cwd = run->cwd;
  run->model.keeps_blocks = run->is_asm;
  if (flow_load(&run->model, &run->flow, err) != 0 ||
      line_input_load(&run->model, &run->flow, NULL, flags, &run->lines, err) !=
          0)
    return -1;
  if (run->has_instances && !run->lines.input.is_exact)
    warn("%s: no flow graphs; --instances is ignored",
         run->model.objects[0].image.path);
  if (run->has_branches && !run->lines.input.is_exact)
    warn("%s: no flow graphs; --branches is ignored",
         run->model.objects[0].image.path);
  if (run->options.shows_conditions && run->flow.n_decisions == 0)
    warn("%s: no decisions were counted; --conditions requires a program that "
         "arcline-cc --arcline-mcdc compiled",
         run->model.objects[0].image.path);
  if (run->has_top &&
      hot_lines_find(&run->lines.profile.counts, &run->lines.times, run->top,
                     &run->hot, err) != 0)
    return -1;
  if (run->is_asm)
    return 0;
  return annotate_list_build(&run->lines.input, &run->options, &run->list, err);
}

// --- Output ---

static int print_file(struct run *run, size_t i_file, struct err *err) {
  const uint32_t i_name = run->list.files[i_file].i_file;
  const char *name = run->flow.files.names[i_name];
  struct source_text text = {0};
  struct err why = {0};
  int reason;

  const bool has_text =
      source_load(&run->common.sources, name, &text, &reason, &why) == 0;
  if (!has_text && reason == 0) {
    *err = why;
    return -1;
  }
  if (!has_text)
    warn("%s: cannot open source file: %s; counts are shown without text, use "
         "-I or --path-map to find it",
         annotate_file_name(&run->lines.input, &run->options, i_name),
         strerror(reason));
  annotate_print_file(&run->lines.input, &run->options, &run->list, i_file,
                      has_text ? &text : NULL, stdout);
  source_release(&text);
  return 0;
}

/** Samples that are shown at the lines whose calls took them. */
static double count_shown_in_calls(const struct run *run) {
  const struct line_counts *counts = &run->lines.profile.counts;
  double n_samples = 0;

  for (size_t i = 0; run->options.shows_calls && i < counts->n_calls; i++)
    n_samples +=
        library_times_of(&run->lines.libraries, counts->calls[i].callee,
                         (double)counts->calls[i].count);
  return n_samples;
}

/** Warn if much time is not in the listing, and name the command that shows
 * it. */
static void warn_of_hidden_time(const struct run *run) {
  const double hidden = run->lines.times.n_samples_lost +
                        run->lines.libraries.n_samples_outside -
                        count_shown_in_calls(run);
  const double n_samples = run->lines.times.n_samples;

  if (run->model.inputs.n_sides > 0 &&
      unattributed_time_is_much(hidden, n_samples))
    warn("%.0f %% of the samples are in functions without line information, "
         "such as library functions; %s`arcline gprof %s' lists them",
         100 * hidden / n_samples,
         run->options.shows_calls || run->lines.libraries.n_callees == 0
             ? ""
             : "--calls shows the calls that lead there, ",
         run->common.inputs.n_operands ? run->common.inputs.operands[0]
                                       : run->model.objects[0].image.path);
}

/** Warn if the listing is empty: that does not mean that nothing ran. */
static void warn_of_missing_lines(const struct run *run) {
  if (!run->is_asm && run->list.n_files == 0)
    warn("%s: no line information; compile with -g, not with -g0",
         run->model.n_objects == 1 ? run->model.objects[0].image.path
                                   : "all images");
}

static int print_asm(struct run *run, struct err *err) {
  const struct screen screen = screen_look(run->common.color);
  const struct asm_list list = {.profile = &run->lines.profile,
                                .funcs = run->options.funcs,
                                .n_funcs = run->options.n_funcs,
                                .paths = &run->common.sources,
                                .screen = &screen,
                                .n_samples = run->lines.times.n_samples};

  return asm_list_print(&list, stdout, err);
}

static int print_hot_lines(struct run *run, struct err *err) {
  const struct screen screen = screen_look(run->common.color);
  const struct hot_list list = {.lines = &run->hot,
                                .files = &run->flow.files,
                                .paths = &run->common.sources,
                                .screen = &screen,
                                .n_samples = run->lines.times.n_samples,
                                .rate_hz = run->lines.profile.rate_hz};

  if (!run->has_top)
    return 0;
  puts("Hottest lines");
  const int rc = hot_list_print(&list, stdout, err);
  puts("");
  return rc;
}

static int print(struct run *run, struct err *err) {
  if (run->is_asm)
    return print_asm(run, err);
  if (!run->is_summary)
    for (size_t i = 0; i < run->list.n_shown; i++)
      if (run->list.files[i].is_listed && print_file(run, i, err) != 0)
        return -1;
  if (print_hot_lines(run, err) != 0)
    return -1;
  annotate_print_summary(&run->lines.input, &run->options, &run->list, stdout);
  return 0;
}

static int print_pages(struct run *run, struct err *err) {
  common_options_begin_pager(&run->common);
  const int rc = print(run, err);
  pager_end();
  return rc;
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {0};
  int rc = parse(&run, argc, argv, err);

  if (rc == 0) {
    find_terminal(&run);
    progress_begin();
    rc = load(&run, err);
    progress_end();
    if (rc == 0)
      rc = print_pages(&run, err);
    // Listings report each file.
    if (rc == 0 && run.is_summary)
      coverage_notes_warn(&run.lines.profile);
    if (rc == 0)
      warn_of_missing_lines(&run);
    if (rc == 0)
      warn_of_hidden_time(&run);
    if (rc == 0 && run.model.n_objects == 1)
      unattributed_time_warn(&run.model, run.lines.times.n_samples);
  }
  release(&run);
  return rc;
}

const struct command cmd_annotate = {
    .name = "annotate",
    .summary = "show source text with counts and times",
    .synopsis = "[OPTION]... [IMAGE [PROFILE]...]... [-- PATTERN...]\n"
                "[OPTION]... SIDE-FILE... [-- PATTERN...]",
    .description =
        "Show source files with self time, execution counts and calls of each "
        "line.\n" OPERANDS_OF_INPUTS
        "PATTERNs select source files, as --file does.\n\n  >      line with "
        "at least 5 % of the self time\n  #####  code that never ran\n",
    .examples = "prog\n--function=parse --branches\n--summary -- '*.c'\n",
    .options = option_specs,
    .is_coloured = true,
    .run = run,
};
