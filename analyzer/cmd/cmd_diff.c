/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** `arcline diff`: prints the differences of two profiles, and checks these, or
 * one profile's coverage, by the conditions that fail a build. */
#include "base/err.h"
#include "base/in_file.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/coverage_notes.h"
#include "diff/changed_lines.h"
#include "diff/diff.h"
#include "diff/diff_rank.h"
#include "diff/gate.h"
#include "html/diff_pages.h"
#include "report/diff_report.h"

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
  OPT_HTML,
  OPT_OVERWRITE,

  DEFAULT_TOP = 20,
};

/** Values of --format: their first letters, but for two that have the same. */
enum {
  FORMAT_MARKDOWN = 'm',
  FORMAT_JSON = 'j',
  FORMAT_JUNIT = 'J',
  FORMAT_GITHUB = 'g'
};

static const struct option_spec option_specs[] = {
    {OPT_FAIL_ON, 0, "fail-on", OPTION_ARGUMENT, "CONDITION",
     "exit with 1 if true; may be repeated"},
    {OPT_FAIL_UNDER, 0, "fail-under", OPTION_ARGUMENT, "MINIMUM",
     "exit with 1 if coverage is lower; e.g. lines=80"},
    {OPT_CHANGED_SINCE, 0, "changed-since", OPTION_ARGUMENT, "REVISION",
     "coverage of lines changed in git since then"},
    {OPT_FORMAT, 0, "format", OPTION_ARGUMENT,
     "text|markdown|json|junit|github", "format of the report (default text)"},
    {OPT_HTML, 0, "html", OPTION_ARGUMENT, "FOLDER",
     "write pages to FOLDER, too"},
    {OPT_OVERWRITE, 0, "overwrite", OPTION_NO_ARGUMENT, NULL,
     "write to FOLDER even if it has other files"},
    {OPT_TOP, 0, "top", OPTION_ARGUMENT, "N",
     "show N rows per table (default 20); 0 for all"},
    {OPT_FILE, 0, "file", OPTION_ARGUMENT, "PATTERN",
     "show only these source files; may be repeated"},
    {OPT_IMAGE, 0, "image", OPTION_ARGUMENT, "FILE", "image of A and B"},
    {OPT_IMAGE_A, 0, "image-a", OPTION_ARGUMENT, "FILE", "image of A"},
    {OPT_IMAGE_B, 0, "image-b", OPTION_ARGUMENT, "FILE", "image of B"},
    {OPT_PATH_MAP_A, 0, "path-map-a", OPTION_ARGUMENT, "FROM=TO",
     "like --path-map, for A only"},
    OPTIONS_OF_COVERAGE,
    OPTIONS_OF_SOURCES,
    OPTION_OF_COLOR,
    OPTIONS_OF_INPUTS,
    {0},
};

/** Everything a run has in hand. All zero is empty. */
struct run {
  struct common_options common;
  struct source_paths sources_a;       // --path-map-a; or those of both
  struct archive archives[DIFF_SIDES]; // closed: of another operand
  struct project_root roots[DIFF_SIDES];
  const char *images[DIFF_SIDES];
  const char *revision;
  const char *html_folder;
  bool is_overwriting;
  char format; /* first letter of --format */
  long max_rows;
  struct gate *gates;
  struct gate_result *results; // of these
  size_t n_gates;
  const char **files;
  size_t n_files;

  char *cwd;
  struct changed_lines changed;
  struct diff_side sides[DIFF_SIDES];
  size_t n_sides;
  struct diff diff;
  struct diff_report_options report;
};

static void release(struct run *run) {
  diff_release(&run->diff);
  for (size_t i = 0; i < DIFF_SIDES; i++)
    diff_side_release(&run->sides[i]);
  changed_lines_release(&run->changed);
  for (size_t i = 0; i < run->n_gates; i++) {
    gate_result_release(&run->results[i]);
    gate_release(&run->gates[i]);
  }
  free(run->results);
  free(run->gates);
  free(run->files);
  free(run->cwd);
  source_paths_release(&run->sources_a);
  common_options_release(&run->common);
  for (size_t i = 0; i < DIFF_SIDES; i++)
    project_root_release(&run->roots[i]);
  for (size_t i = 0; i < DIFF_SIDES; i++)
    archive_close(&run->archives[i]);
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
    run->format = value[0] == 'j' && value[1] == 'u' ? FORMAT_JUNIT : value[0];
    return 0;
  case OPT_HTML:
    run->html_folder = value;
    return 0;
  case OPT_OVERWRITE:
    run->is_overwriting = true;
    return 0;
  case OPT_TOP:
    if (!options_parse_number(value, &run->max_rows) || run->max_rows < 0)
      return err_set(err, ERR_USAGE,
                     "--top=%s: must be a number; try arcline diff --help",
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
  run->results = calloc((size_t)argc, sizeof(*run->results));
  run->files = calloc((size_t)argc, sizeof(*run->files));
  if (!run->gates || !run->results || !run->files)
    return err_no_memory(err);
  const int rc =
      options_parse(option_specs, argc, argv, apply, run, &first, err);
  if (rc)
    return rc;
  if (argc - first > DIFF_SIDES)
    return err_set(err, ERR_USAGE,
                   "%s: too many operands; for profiles of many processes, "
                   "name their folder; try arcline diff --help",
                   argv[first + 2]);
  if (argc - first < DIFF_SIDES && run->n_gates == 0 && !run->revision)
    return err_set(err, ERR_USAGE,
                   "two profiles are required, or one with "
                   "--fail-under=lines=80; try arcline diff --help");
  run->n_sides = argc - first == DIFF_SIDES ? DIFF_SIDES : 1;
  if (run->n_sides == DIFF_SIDES && strcmp(argv[first], "-") == 0 &&
      strcmp(argv[first + 1], "-") == 0)
    return err_set(err, ERR_USAGE,
                   "-: standard input cannot be both A and B; write one of "
                   "them to a file");
  if (run->html_folder && (!run->html_folder[0] || run->n_sides < DIFF_SIDES))
    return err_set(err, ERR_USAGE,
                   "--html=%s: requires two profiles and a folder; for one "
                   "profile, use arcline html",
                   run->html_folder);
  for (size_t i = 0; i < run->n_sides; i++)
    run->report.names[i] = first + (int)i < argc ? argv[first + (int)i] : NULL;
  return 0;
}

// --- What is done ---

static struct source_paths *sources_of(struct run *run, size_t side) {
  return side == DIFF_A ? &run->sources_a : &run->common.sources;
}

/** Open the archive that an operand is, if it is one. */
static int open_archive(struct run *run, size_t side,
                        struct inputs_options *inputs, struct err *err) {
  struct archive *const archive = &run->archives[side];
  struct source_paths *const sources = sources_of(run, side);
  const char *const operand = run->report.names[side];
  if (!operand || inputs_operand_at(operand) != OPERAND_ARCHIVE)
    return 0;
  if (run->images[side])
    return err_set(err, ERR_USAGE,
                   "%s: an archive contains the image; omit --image=%s",
                   operand, run->images[side]);
  if (common_options_read_archive(&run->common, sources, operand, archive, err))
    return -1;
  sources->files = &archive->files;
  *inputs = run->common.inputs;
  inputs->operands = archive->operands.list;
  inputs->n_operands = archive->operands.n;
  return 0;
}

/** Read a profile. Each side has the project's folder that it had. */
static int open_side(struct run *run, size_t side, struct err *err) {
  struct source_paths *const sources = sources_of(run, side);
  struct inputs_options inputs = run->common.inputs;
  if (open_archive(run, side, &inputs, err) ||
      common_options_find_root(&run->common, &run->archives[side], err))
    return -1;
  sources->root = run->common.root.folder;
  inputs.sources = sources;
  inputs.filter = &run->common.filter;
  int rc = diff_side_open(run->report.names[side], run->images[side], &inputs,
                          &run->sides[side], err);
  // The older build's sources may be gone.
  if (rc == 0 && side + 1 == run->n_sides)
    rc = line_profile_check_sources(&run->sides[side].lines, err);
  // Borrowed by the side; the other one has another.
  run->roots[side] = run->common.root;
  run->common.root = (struct project_root){.folder = NULL};
  in_file_use(NULL);
  return rc;
}

static int load(struct run *run, struct err *err) {
  struct diff_options options = {
      .files = run->files,
      .n_files = run->n_files,
      .sources = {&run->sources_a, &run->common.sources},
      .changed = run->revision ? &run->changed : NULL};

  if (run->revision &&
      changed_lines_find_branch("--changed-since", run->revision, &run->changed,
                                err))
    return -1;
  for (size_t i = 0; i < run->n_sides; i++) {
    if (open_side(run, i, err) != 0)
      return -1;
    options.filters[i] = &run->sides[i].lines.filter;
  }
  progress_step("comparing", "");
  return diff_build(run->sides, run->n_sides, &options, &run->diff, err);
}

/** Set the format of output. */
static void choose_form(struct run *run) {
  struct diff_report_options *const options = &run->report;

  for (size_t i = 0; i < run->n_sides; i++)
    if (run->archives[i].operands.n)
      in_file_use(&run->archives[i].files);
  run->cwd = in_file_folder();
  in_file_use(NULL);
  options->cwd = run->cwd;
  options->sources = &run->common.sources;
  options->max_rows = (size_t)run->max_rows;
  // Services find files from the top of a repository.
  if (run->format == FORMAT_GITHUB || run->format == FORMAT_JUNIT)
    options->root = &run->common.filter.root;
  options->is_markdown = run->format == FORMAT_MARKDOWN;
  options->is_colored = run->format != FORMAT_MARKDOWN &&
                        run->format != FORMAT_GITHUB &&
                        terminal_has_color(run->common.color);
  const struct newest *const newest = &run->sides[DIFF_A].newest;
  if (!options->names[DIFF_A])
    options->names[DIFF_A] = newest->n_operands
                                 ? newest->operands[newest->n_operands - 1]
                                 : "gmon.out";
}

/** Check all gates. */
static int check_gates(struct run *run, struct err *err) {
  for (size_t i = 0; i < run->n_gates; i++)
    if (gate_check(&run->gates[i], &run->diff, &run->results[i], err) != 0)
      return -1;
  return 0;
}

/** Print the result of each gate, those that passed first. */
static void print_gates(const struct run *run) {
  long n_told = 0;

  if (run->n_gates > 0)
    puts(run->format == FORMAT_MARKDOWN ? "\n### Gates\n" : "");
  for (size_t i = 0; i < run->n_gates; i++)
    if (run->results[i].n_failed == 0)
      diff_report_passed(&run->report, &run->results[i], stdout);
  for (size_t i = 0; i < run->n_gates; i++)
    for (size_t k = 0; k < run->results[i].n_failed; k++) {
      n_told++;
      if (run->max_rows == 0 || n_told <= run->max_rows)
        diff_report_failure(&run->report, &run->gates[i],
                            &run->results[i].failed[k], stdout);
    }
}

static int write_pages(const struct run *run, struct err *err) {
  const struct diff_pages_input input = {
      .diff = &run->diff,
      .names = {run->report.names[DIFF_A], run->report.names[DIFF_B]},
      .sources = {&run->sources_a, &run->common.sources},
      .gates = run->results,
      .n_gates = run->n_gates};

  return diff_pages_write(&input, run->html_folder, run->is_overwriting, err);
}

static bool has_difference(const struct diff *diff) {
  for (size_t i = 0; i < diff->n_funcs; i++)
    if (diff_change_size(diff, DIFF_FUNC_CALLS, i) > 0)
      return true;
  for (size_t i = 0; i < diff->n_lines; i++)
    if (diff_change_size(diff, DIFF_LINES, i) > 0)
      return true;
  return false;
}

/** The exit code. */
static int judge(const struct run *run) {
  // Without a gate as diff(1); time alone is never a difference.
  if (run->n_gates == 0)
    return run->n_sides == DIFF_SIDES && has_difference(&run->diff);
  for (size_t i = 0; i < run->n_gates; i++)
    if (run->results[i].n_failed > 0)
      return 1;
  return 0;
}

typedef int gates_writer(const struct diff *diff,
                         const struct diff_report_options *options,
                         const struct gate_result *results, size_t n_results,
                         FILE *out, struct err *err);

static int print(struct run *run, struct err *err) {
  gates_writer *const write = run->format == FORMAT_JSON    ? diff_report_json
                              : run->format == FORMAT_JUNIT ? diff_report_junit
                              : run->format == FORMAT_GITHUB
                                  ? diff_report_github
                                  : NULL;
  if (write)
    return check_gates(run, err) ||
                   write(&run->diff, &run->report, run->results, run->n_gates,
                         stdout, err)
               ? -1
               : 0;
  if (diff_report(&run->diff, &run->report, stdout, err) != 0 ||
      check_gates(run, err) != 0)
    return -1;
  print_gates(run);
  return 0;
}

/** Print the whole report. */
static int report(struct run *run, struct err *err) {
  progress_end();
  coverage_notes_print(&run->sides[run->n_sides - 1].lines);
  choose_form(run);
  if (print(run, err) != 0)
    return -1;
  if (!run->html_folder)
    return 0;
  fflush(stdout);
  progress_begin();
  return write_pages(run, err);
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {0};
  int rc = parse(&run, argc, argv, err);

  progress_begin();
  if (rc == 0)
    rc = load(&run, err);
  if (rc == 0)
    rc = report(&run, err);
  progress_end();
  if (rc == 0)
    rc = judge(&run);
  release(&run);
  return rc;
}

const struct command cmd_diff = {
    .name = "diff",
    .summary = "compare two profiles; fail builds on regressions",
    .synopsis = "[OPTION]... A B\n"
                "[OPTION]... --fail-under=MINIMUM... [A]",
    .description =
        "Compare two profiles, of one program or of two builds of it.\n"
        "Calls and executions are exact. Times are sampled; differences within "
        "chance are\n"
        "omitted. A and B are side files (gmon.out.arcline), folders of them, "
        "or gmon\n"
        "files with a side file next to them or an --image.\n\n"
        "CONDITION compares calls(NAME), self(NAME), total(NAME), "
        "count(FILE:LINE),\n"
        "coverage, functions, branches, conditions, mcdc, calls or time with a "
        "number,\n"
        "or its change with a signed one. MINIMUM is "
        "[SCOPE:]KIND[(PATTERN)]=PERCENT:\n"
        "KIND is lines, functions, branches, conditions or mcdc, SCOPE is "
        "total,\n"
        "changed, folder, file or function.\n",
    .examples = "before/gmon.out.arcline "
                "after/gmon.out.arcline\n--fail-on='calls(parse) > +3%' before "
                "after\n--changed-since=origin/main --fail-under=lines=80\n",
    .options = option_specs,
    .is_coloured = true,
    .run = run,
};
