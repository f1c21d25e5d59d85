/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline html`: writes a profile as a folder of pages.
 */
#include "base/err.h"
#include "base/progress.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/coverage_notes.h"
#include "cmd/line_input.h"
#include "contexts/context_collect.h"
#include "counts/flow_load.h"
#include "counts/inlined.h"
#include "diff/changed_lines.h"
#include "html/html_report.h"
#include "profile/graph_profile.h"
#include "profile/programs.h"

#include <stdlib.h>
#include <string.h>

enum { OPT_OUTPUT = 1, OPT_OVERWRITE, OPT_CHANGED_SINCE };

static const struct option_spec option_specs[] = {
    {OPT_OUTPUT, 'o', "output", OPTION_ARGUMENT, "FOLDER",
     "write pages to FOLDER"},
    {OPT_OVERWRITE, 0, "overwrite", OPTION_NO_ARGUMENT, NULL,
     "write to FOLDER even if it has other files"},
    {OPT_CHANGED_SINCE, 0, "changed-since", OPTION_ARGUMENT, "REVISION",
     "mark lines changed in git since then"},
    OPTIONS_OF_COVERAGE,
    OPTIONS_OF_SOURCES,
    OPTION_OF_THREADS,
    OPTIONS_OF_INPUTS,
    {0},
};

/** Everything a run has in hand. All zero is empty. */
struct run {
  const char *folder;
  bool is_overwriting;
  const char *revision; // or NULL
  struct changed_lines changed;
  struct common_options common;
  struct model model;
  struct flow_data flow;
  struct line_input lines;
  struct graph_profile program;
  struct inlined inlined;
  struct programs programs;
  struct annotate_list list;
  char *tests; // index; or NULL
};

static void release(struct run *run) {
  free(run->tests);
  changed_lines_release(&run->changed);
  annotate_list_release(&run->list);
  programs_release(&run->programs);
  line_input_release(&run->lines);
  graph_profile_release(&run->program);
  inlined_release(&run->inlined);
  flow_data_release(&run->flow);
  model_close(&run->model);
  common_options_release(&run->common);
}

static int apply(void *context, int id, const char *value, struct err *err) {
  struct run *const run = context;

  switch (id) {
  case OPT_OUTPUT:
    run->folder = value;
    return 0;
  case OPT_OVERWRITE:
    run->is_overwriting = true;
    return 0;
  case OPT_CHANGED_SINCE:
    run->revision = value;
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
  if (rc == 0 && (!run->folder || !run->folder[0]))
    return err_set(err, ERR_USAGE,
                   "no output folder given; use arcline html -o FOLDER");
  return rc;
}

static int load(struct run *run, struct err *err) {
  const struct model_symbols symbols = {0};
  const struct annotate_options all = {.shows_all = true};

  return common_options_open(&run->common, "html", MEASURE_BLOCKS, &run->model,
                             err) ||
                 flow_load(&run->model, &run->flow, err) ||
                 inlined_open(&run->model, &run->flow, &symbols, &run->program,
                              &run->inlined, err) ||
                 graph_profile_locate(&run->program, err) ||
                 line_input_load(&run->model, &run->flow, &run->program,
                                 LINE_INPUT_CALLEES | LINE_INPUT_INSTANCES |
                                     LINE_INPUT_BRANCHES,
                                 &run->lines, err) ||
                 programs_load(&run->model, &run->programs, err) ||
                 annotate_list_build(&run->lines.input, &all, &run->list, err)
             ? -1
             : 0;
}

/** Find the index of the suite that the profiles are of. */
static int find_tests(struct run *run, struct err *err) {
  const struct inputs *const inputs = &run->model.inputs;

  for (size_t i = 0; !run->tests && i < inputs->n_objects; i++)
    if (inputs->objects[i].n_profile_paths > 0 &&
        context_index_find_beside(inputs->objects[i].profile_paths[0],
                                  &run->tests, err) != 0)
      return -1;
  return 0;
}

static int write_report(struct run *run, struct err *err) {
  const char *const path = programs_first_path(&run->programs, &run->model);
  const char *const slash = strrchr(path, '/');
  const struct html_input input = {
      .lines = &run->lines.input,
      .list = &run->list,
      .program = &run->program,
      .inlined = &run->inlined,
      .programs = &run->programs,
      .sources = &run->common.sources,
      .flow = &run->flow,
      .name = slash ? slash + 1 : path,
      .changed = run->revision ? &run->changed : NULL,
      .changed_since = run->revision,
      .tests = run->tests,
  };

  return html_report_write(&input, run->folder, run->is_overwriting, err);
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {0};
  int rc = parse(&run, argc, argv, err);

  progress_begin();
  if (rc == 0 && run.revision)
    rc = changed_lines_find_branch("--changed-since", run.revision,
                                   &run.changed, err);
  if (rc == 0)
    rc = load(&run, err);
  if (rc == 0)
    rc = find_tests(&run, err);
  if (rc == 0)
    rc = write_report(&run, err);
  progress_end();
  if (rc == 0)
    coverage_notes_print(&run.lines.profile);
  release(&run);
  return rc;
}

const struct command cmd_html = {
    .name = "html",
    .summary = "write pages with source, functions and a flame graph",
    .synopsis = "-o FOLDER [OPTION]... [IMAGE [PROFILE]...]...\n"
                "-o FOLDER [OPTION]... SIDE-FILE...",
    .description =
        "Write a report for a browser: overview, functions, flame graph, "
        "source.\n" OPERANDS_OF_INPUTS
        "\nThe pages need neither a server nor the network; begin at "
        "FOLDER/index.html. A\nreport that is in FOLDER is replaced.\n",
    .examples = "-o report\n-o report prog gmon.out\n",
    .options = option_specs,
    .run = run,
};
