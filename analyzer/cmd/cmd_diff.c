/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** `arcline diff`: what differs between two profiles, and whether that, or one
 * profile's coverage, is to fail a build. */
#include "base/err.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "diff/changed_lines.h"
#include "diff/diff.h"
#include "diff/gate.h"
#include "report/report_diff.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  OPT_FAIL_ON = 1,
  OPT_FAIL_UNDER,
  OPT_CHANGED_SINCE,
  OPT_FORMAT,
  OPT_TOP,
  OPT_FILE,
  OPT_IMAGE,
  OPT_IMAGE_A,
  OPT_IMAGE_B,
  OPT_PATH_MAP_A,

  DEFAULT_TOP = 20,
};

static const struct option_spec option_specs[] = {
    {OPT_FAIL_ON, 0, "fail-on", OPTION_ARGUMENT, "CONDITION",
     "exit with 1 if it holds, as 'calls(f) > +3%'; repeat"},
    {OPT_FAIL_UNDER, 0, "fail-under", OPTION_ARGUMENT, "KIND=PERCENT",
     "exit with 1 below that coverage of lines, functions or branches"},
    {OPT_CHANGED_SINCE, 0, "changed-since", OPTION_ARGUMENT, "REVISION",
     "coverage of lines changed since then, as git tells"},
    {OPT_FORMAT, 0, "format", OPTION_ARGUMENT, "text|markdown",
     "of the report (default text)"},
    {OPT_TOP, 0, "top", OPTION_ARGUMENT, "N",
     "rows of each table (default 20); 0: all"},
    {OPT_FILE, 0, "file", OPTION_ARGUMENT, "PATTERN",
     "lines and coverage of these source files only; repeat"},
    {OPT_IMAGE, 0, "image", OPTION_ARGUMENT, "FILE",
     "what A and B are profiles of"},
    {OPT_IMAGE_A, 0, "image-a", OPTION_ARGUMENT, "FILE",
     "what A is a profile of"},
    {OPT_IMAGE_B, 0, "image-b", OPTION_ARGUMENT, "FILE",
     "what B is a profile of"},
    {OPT_PATH_MAP_A, 0, "path-map-a", OPTION_ARGUMENT, "FROM=TO",
     "--path-map for A alone, if B was compiled from the same path"},
    OPTIONS_OF_SOURCES,
    OPTION_OF_COLOR,
    OPTIONS_OF_INPUTS,
    {0},
};

/** Everything a run has in hand. All zero is empty. */
struct run {
  struct common_options common;
  struct source_paths sources_a; // --path-map-a; or those of both
  const char *images[DIFF_SIDES];
  const char *revision;
  bool is_markdown;
  long max_rows;
  struct gate *gates;
  size_t n_gates;
  const char **files;
  size_t n_files;
  size_t max_words; // of gates and files

  char *cwd;
  struct changed_lines changed;
  struct diff_side sides[DIFF_SIDES];
  size_t n_sides;
  struct diff diff;
  struct report_diff_options report;
};

static void release(struct run *run) {
  diff_release(&run->diff);
  for (size_t i = 0; i < DIFF_SIDES; i++)
    diff_side_release(&run->sides[i]);
  changed_lines_release(&run->changed);
  for (size_t i = 0; i < run->n_gates; i++)
    gate_release(&run->gates[i]);
  free(run->gates);
  free(run->files);
  free(run->cwd);
  source_paths_release(&run->sources_a);
  common_options_release(&run->common);
}

// --- Command line ---

static int add_gate(struct run *run, int id, const char *value,
                    struct err *err) {
  struct gate *const gate = &run->gates[run->n_gates];

  if ((id == OPT_FAIL_ON ? gate_parse : gate_parse_under)(value, gate, err) !=
      0)
    return -1;
  run->n_gates++;
  return 0;
}

static int apply(void *context, int id, const char *value, struct err *err) {
  struct run *const run = context;

  switch (id) {
  case OPT_FAIL_ON:
  case OPT_FAIL_UNDER:
    return add_gate(run, id, value, err);
  case OPT_CHANGED_SINCE:
    run->revision = value;
    return 0;
  case OPT_FORMAT:
    run->is_markdown = value[0] == 'm';
    return 0;
  case OPT_TOP:
    if (!options_parse_number(value, &run->max_rows) || run->max_rows < 0)
      return err_set(err, ERR_USAGE, "--top=%s: must be a number; try --help",
                     value);
    return 0;
  case OPT_FILE:
    run->files[run->n_files++] = value;
    return 0;
  case OPT_IMAGE:
    run->images[DIFF_A] = run->images[DIFF_B] = value;
    return 0;
  case OPT_IMAGE_A:
    run->images[DIFF_A] = value;
    return 0;
  case OPT_IMAGE_B:
    run->images[DIFF_B] = value;
    return 0;
  case OPT_PATH_MAP_A:
    return source_paths_add_map(&run->sources_a, value, err);
  case OPT_PATH_MAP:
    if (source_paths_add_map(&run->sources_a, value, err) != 0)
      return -1;
    break;
  case OPT_DIRECTORIES:
    if (source_paths_add_dirs(&run->sources_a, value, err) != 0)
      return -1;
    break;
  }
  return common_options_apply(&run->common, id, value, err);
}

static int parse(struct run *run, int argc, char **argv, struct err *err) {
  int first;

  run->max_rows = DEFAULT_TOP;
  run->gates = calloc((size_t)argc, sizeof(*run->gates));
  run->files = calloc((size_t)argc, sizeof(*run->files));
  if (!run->gates || !run->files)
    return err_no_memory(err);
  const int rc =
      options_parse(option_specs, argc, argv, apply, run, &first, err);
  if (rc)
    return rc;
  if (argc - first > DIFF_SIDES)
    return err_set(err, ERR_USAGE,
                   "%s: two are compared, A and B; profiles of many processes "
                   "are one as a folder; try arcline diff --help",
                   argv[first + 2]);
  if (argc - first < DIFF_SIDES && run->n_gates == 0 && !run->revision)
    return err_set(err, ERR_USAGE,
                   "name two profiles to compare, or say --fail-under=lines=80 "
                   "of one; try arcline diff --help");
  run->n_sides = argc - first == DIFF_SIDES ? DIFF_SIDES : 1;
  for (size_t i = 0; i < run->n_sides; i++)
    run->report.names[i] = first + (int)i < argc ? argv[first + (int)i] : NULL;
  return 0;
}

// --- What is done ---

static int load(struct run *run, struct err *err) {
  const struct diff_options options = {
      .files = run->files,
      .n_files = run->n_files,
      .sources = {&run->sources_a, &run->common.sources},
      .changed = run->revision ? &run->changed : NULL};

  if (run->revision && changed_lines_find(run->revision, &run->changed, err))
    return -1;
  for (size_t i = 0; i < run->n_sides; i++)
    if (diff_side_open(run->report.names[i], run->images[i],
                       &run->common.inputs, &run->sides[i], err) != 0)
      return -1;
  progress_step("comparing", "");
  return diff_build(run->sides, run->n_sides, &options, &run->diff, err);
}

/** Say how it is to be printed. */
static void choose_form(struct run *run) {
  struct report_diff_options *const options = &run->report;

  run->cwd = getcwd(NULL, 0);
  options->cwd = run->cwd;
  options->sources = &run->common.sources;
  options->max_rows = (size_t)run->max_rows;
  options->is_markdown = run->is_markdown;
  options->is_colored =
      !run->is_markdown && terminal_has_color(run->common.color);
  if (!options->names[DIFF_A])
    options->names[DIFF_A] = "gmon.out";
}

/** What a gate's failures are told by. */
struct telling {
  const struct run *run;
  size_t n_told;
};

static void tell_failure(void *context, const struct gate *gate,
                         const struct gate_value *value) {
  struct telling *const telling = context;

  if (telling->n_told++ == 0)
    putchar('\n');
  if (!telling->run->max_rows ||
      telling->n_told <= (size_t)telling->run->max_rows)
    report_diff_failure(&telling->run->report, gate, value, stdout);
}

static bool has_difference(const struct diff *diff) {
  for (size_t i = 0; i < diff->n_funcs; i++)
    if (diff->funcs[i].calls[DIFF_A] != diff->funcs[i].calls[DIFF_B])
      return true;
  for (size_t i = 0; i < diff->n_lines; i++)
    if (diff->lines[i].count[DIFF_A] != diff->lines[i].count[DIFF_B])
      return true;
  return false;
}

/** Hold all gates against it. Returns an exit code, or -1 with *err set. */
static int judge(const struct run *run, struct err *err) {
  struct telling telling = {.run = run};
  size_t n_failed, n_all = 0;

  for (size_t i = 0; i < run->n_gates; i++) {
    if (gate_check(&run->gates[i], &run->diff, tell_failure, &telling,
                   &n_failed, err) != 0)
      return -1;
    n_all += n_failed;
  }
  // Without a gate as diff(1); time alone is never a difference.
  if (run->n_gates == 0)
    return run->n_sides == DIFF_SIDES && has_difference(&run->diff);
  return n_all > 0;
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {0};
  int rc = parse(&run, argc, argv, err);

  progress_begin();
  if (rc == 0)
    rc = load(&run, err);
  progress_end();
  if (rc == 0) {
    choose_form(&run);
    rc = report_diff(&run.diff, &run.report, stdout, err);
  }
  if (rc == 0)
    rc = judge(&run, err);
  release(&run);
  return rc;
}

const struct command cmd_diff = {
    .name = "diff",
    .summary = "two profiles compared; gates for builds",
    .synopsis = "[OPTION]... A B\n"
                "[OPTION]... --fail-under=KIND=PERCENT [A]",
    .description =
        "Compare two profiles, of one program or of two builds of it: calls "
        "and executions,\nwhich are exact, and sampled times, of which those "
        "are left out that may differ by\nchance. A and B are side files "
        "(gmon.out.arcline), folders of them, or gmon files\nwith a side file "
        "beside them or an --image.\n",
    .options = option_specs,
    .is_coloured = true,
    .run = run,
};
