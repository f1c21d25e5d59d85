/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline report`, also plain `arcline`: prints an overview of a profile.
 */
#include "base/err.h"
#include "base/pager.h"
#include "base/progress.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/line_input.h"
#include "cmd/unattributed_time.h"
#include "counts/flow_load.h"
#include "counts/hot_lines.h"
#include "counts/inlined.h"
#include "model/runs.h"
#include "profile/graph_profile.h"
#include "profile/names.h"
#include "profile/programs.h"
#include "profile/threads.h"
#include "report/hot_list.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_TOP = 25, TOP_PROGRAMS = 10, MAX_TOP = 1000000000 };

enum {
  OPT_SORT = 1,
  OPT_TOP,
  OPT_FIELDS,
  OPT_PERCENT_LIMIT,
  OPT_FOCUS,
  OPT_IGNORE,
  OPT_TREE,
  OPT_LINES,
  OPT_THREADS,
  OPT_WIDTH,
};

static const struct option_spec option_specs[] = {
    {OPT_TREE, 0, "tree", OPTION_NO_ARGUMENT, NULL,
     "show callers and callees of functions"},
    {OPT_LINES, 0, "lines", OPTION_NO_ARGUMENT, NULL,
     "show the hottest lines with their source text"},
    {OPT_THREADS, 0, "threads", OPTION_NO_ARGUMENT, NULL,
     "show the time of each thread"},
    {OPT_SORT, 0, "sort", OPTION_ARGUMENT, "FIELD",
     "sort rows by FIELD (default self)"},
    {OPT_TOP, 0, "top", OPTION_ARGUMENT, "N",
     "show N rows (default 25, --tree 5); 0 for all"},
    {OPT_FIELDS, 0, "fields", OPTION_ARGUMENT, "LIST",
     "show these columns, separated by commas"},
    {OPT_PERCENT_LIMIT, 0, "percent-limit", OPTION_ARGUMENT, "P",
     "omit functions with less than P % of the time"},
    {OPT_FOCUS, 0, "focus", OPTION_ARGUMENT, "REGEX",
     "show only functions that match"},
    {OPT_IGNORE, 0, "ignore", OPTION_ARGUMENT, "REGEX",
     "omit functions that match"},
    OPTIONS_OF_SOURCES,
    OPTION_OF_COLOR,
    {OPT_WIDTH, 0, "width", OPTION_ARGUMENT, "COLUMNS",
     "cut rows at this width; 0 for never"},
    OPTIONS_OF_PAGER,
    OPTION_OF_THREADS,
    OPTIONS_OF_INPUTS,
    {0},
};

enum view { VIEW_FUNCTIONS, VIEW_TREE, VIEW_LINES, VIEW_THREADS };

/** Everything a run has in hand. All zero is empty. */
struct run {
  enum view view;
  long width; /* less than 0: the terminal's */
  struct report_options options;
  struct common_options common;
  struct model model;
  struct flow_data flow;
  struct graph_profile program;
  struct inlined inlined;
  struct names names;
  struct runs runs;
  struct programs programs;
  struct threads threads;
  struct line_input lines;
  struct hot_lines hot;
};

static void release(struct run *run) {
  hot_lines_release(&run->hot);
  line_input_release(&run->lines);
  runs_release(&run->runs);
  programs_release(&run->programs);
  threads_release(&run->threads);
  names_release(&run->names);
  graph_profile_release(&run->program);
  inlined_release(&run->inlined);
  flow_data_release(&run->flow);
  model_close(&run->model);
  common_options_release(&run->common);
  if (run->options.has_focus)
    regfree(&run->options.focus);
  if (run->options.has_ignore)
    regfree(&run->options.ignore);
}

// --- Command line ---

static void print_fields(FILE *out) {
  fputs(
      "\nFields:\n"
      "  share        self time, in per cent of all time\n"
      "  self         time in the function itself\n"
      "  total-share  time with callees, in per cent of all time\n"
      "  total        time with callees, by call stacks; ~ by calls\n"
      "  propagated   time with callees, propagated to callers by calls\n"
      "  measured     time with callees, by call stacks; * differs from that\n"
      "  wait         of that, time in which the thread waited\n"
      "  calls        number of calls: exact\n"
      "  per-call     self time of one call, in nanoseconds\n"
      "  file         source file and line of the definition\n"
      "  object       executable or library\n"
      "  name         name of the function\n",
      out);
}

static int parse_number(const char *option, const char *text, long max,
                        long *out, struct err *err) {
  return options_parse_number(text, out) && *out >= 0 && *out <= max
             ? 0
             : err_set(err, ERR_USAGE,
                       "--%s=%s: must be a number from 0 to %ld", option, text,
                       max);
}

static int parse_percent(const char *text, double *out, struct err *err) {
  char *end;
  *out = strtod(text, &end);
  return *text && *end == '\0' && *out >= 0 && *out <= 100
             ? 0
             : err_set(err, ERR_USAGE,
                       "--percent-limit=%s: must be a number from 0 to 100",
                       text);
}

static int parse_regex(const char *option, const char *text, bool *has,
                       regex_t *out, struct err *err) {
  char why[128];
  if (*has)
    regfree(out);
  const int error = regcomp(out, text, REG_EXTENDED | REG_NOSUB);
  *has = error == 0;
  if (error == 0)
    return 0;
  regerror(error, out, why, sizeof(why));
  return err_set(err, ERR_USAGE, "--%s=%s: %s", option, text, why);
}

static int parse_fields(const char *list, struct report_options *options,
                        struct err *err) {
  enum report_field field;
  memset(options->fields, 0, sizeof(options->fields));
  options->has_fields = true;
  for (;;) {
    const size_t n = strcspn(list, ",");
    if (report_parse_field("fields", list, n, &field, err))
      return -1;
    options->fields[field] = true;
    if (list[n] == '\0')
      return 0;
    list += n + 1;
  }
}

static int apply(void *context, int id, const char *value, struct err *err) {
  struct run *const run = context;
  struct report_options *const options = &run->options;
  long number;
  switch (id) {
  case OPT_SORT:
    options->has_sort = true;
    return report_parse_field("sort", value, strlen(value), &options->sort,
                              err);
  case OPT_TOP:
    if (parse_number("top", value, MAX_TOP, &number, err))
      return -1;
    options->top = (size_t)number;
    return 0;
  case OPT_FIELDS:
    return parse_fields(value, options, err);
  case OPT_PERCENT_LIMIT:
    return parse_percent(value, &options->min_percent, err);
  case OPT_FOCUS:
    return parse_regex("focus", value, &options->has_focus, &options->focus,
                       err);
  case OPT_IGNORE:
    return parse_regex("ignore", value, &options->has_ignore, &options->ignore,
                       err);
  case OPT_TREE:
    run->view = VIEW_TREE;
    return 0;
  case OPT_LINES:
    run->view = VIEW_LINES;
    return 0;
  case OPT_THREADS:
    run->view = VIEW_THREADS;
    return 0;
  case OPT_WIDTH:
    return parse_number("width", value, 10000, &run->width, err);
  default:
    return common_options_apply(&run->common, id, value, err);
  }
}

static int parse(struct run *run, int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, apply, run, &first, err);
  common_options_take_operands(&run->common, argv + first, argc - first);
  return rc;
}

// --- Input ---

/** Read the graphs. Without them, as in stripped images, functions are there.
 */
static int load_graphs(struct run *run, struct err *err) {
  if (flow_load(&run->model, &run->flow, err) == 0)
    return 0;
  if (err->code != ERR_INPUT)
    return -1;
  warn("%s; calls of inlined functions are omitted", err->text);
  *err = (struct err){0};
  return 0;
}

/** Functions with calls and times, and their call graph. The heading of each
 * view has their sums. */
static int open_functions(struct run *run, struct err *err) {
  const struct model_symbols symbols = {0};
  return inlined_open(&run->model, &run->flow, &symbols, &run->program,
                      &run->inlined, err);
}

static int load_functions(struct run *run, struct err *err) {
  const struct name_style style = {.demangle = NAMES_ANY};
  return load_graphs(run, err) || open_functions(run, err) ||
                 names_init(&run->names, &style,
                            run->program.graph.profile->symtab, err)
             ? -1
             : 0;
}

static int load_lines(struct run *run, struct err *err) {
  struct line_input *const lines = &run->lines;
  return flow_load(&run->model, &run->flow, err) || open_functions(run, err) ||
                 line_input_load(&run->model, &run->flow, &run->program, 0,
                                 lines, err) ||
                 hot_lines_find(&lines->profile.counts, &lines->times,
                                run->options.top, &run->hot, err)
             ? -1
             : 0;
}

static int load(struct run *run, struct err *err) {
  return common_options_open(&run->common, "report", MEASURE_BLOCKS,
                             &run->model, err) ||
                 (run->view == VIEW_LINES ? load_lines : load_functions)(run,
                                                                         err) ||
                 runs_load(&run->model, &run->runs, err) ||
                 programs_load(&run->model, &run->programs, err) ||
                 (run->view == VIEW_THREADS &&
                  threads_load(&run->model, &run->threads, err))
             ? -1
             : 0;
}

// --- Output ---

/** All calls that were counted; -1: none were. */
static double count_calls(const struct profile *profile) {
  double n = 0;
  if (!profile->has_arcs)
    return -1;
  for (size_t i = 0; i < profile->symtab->n_symbols; i++)
    n += (double)profile->counts[i].calls +
         (double)profile->counts[i].self_calls;
  return n;
}

static int print_lines(const struct run *run, struct err *err) {
  const struct hot_list list = {.lines = &run->hot,
                                .files = &run->flow.files,
                                .paths = &run->common.sources,
                                .screen = &run->options.screen,
                                .n_samples = run->lines.times.n_samples,
                                .rate_hz = run->lines.profile.rate_hz};
  return hot_list_print(&list, stdout, err);
}

static int print(struct run *run, struct err *err) {
  const struct report_heading heading = {
      .model = &run->model,
      .programs = &run->programs,
      .runs = &run->runs,
      .screen = &run->options.screen,
      .n_samples = run->program.profile.total_ticks,
      .n_stack_signals = run->program.measured.total_ticks > 0
                             ? run->program.measured.n_stack_signals
                             : 0,
      .n_calls = count_calls(&run->program.profile),
      .n_others = run->common.newest.n_others,
  };
  const struct report report = {&run->program, &run->inlined, &run->names,
                                &run->options};
  const size_t top = run->options.top;
  report_print_heading(&heading, stdout);
  if (run->view == VIEW_FUNCTIONS)
    report_print_programs(&heading, top < TOP_PROGRAMS ? top : TOP_PROGRAMS,
                          stdout);
  switch (run->view) {
  case VIEW_LINES:
    return print_lines(run, err);
  case VIEW_TREE:
    return report_print_tree(&report, stdout, err);
  case VIEW_THREADS:
    report_print_threads(&heading, &run->threads, top, stdout);
    return 0;
  default:
    return report_print_functions(&report, stdout, err);
  }
}

static int report(struct run *run, struct err *err) {
  struct screen *const screen = &run->options.screen;
  *screen = screen_look(run->common.color);
  if (run->width >= 0)
    screen->width = (unsigned)run->width;
  progress_begin();
  if (load(run, err))
    return -1;
  progress_end();
  common_options_begin_pager(&run->common);
  const int rc = print(run, err);
  pager_end();
  // Only for one image: several were chosen by the user.
  if (rc == 0 && run->view != VIEW_LINES && run->model.n_objects == 1)
    unattributed_time_warn(&run->model, run->program.profile.total_ticks);
  return rc;
}

static const char *value_at(int id, size_t i) {
  return id == OPT_SORT || id == OPT_FIELDS ? report_field_at(i) : NULL;
}

static int run_report(int argc, char **argv, struct err *err) {
  struct run run = {.width = -1, .options.top = USUAL_TOP};
  int rc = parse(&run, argc, argv, err);
  if (rc == 0)
    rc = report(&run, err);
  progress_end();
  release(&run);
  return rc;
}

const struct command cmd_report = {
    .name = "report",
    .summary = "show where time went and what was called",
    .synopsis = "[OPTION]... [IMAGE [PROFILE]...]...\n"
                "[OPTION]... SIDE-FILE...|FOLDER",
    .description = "Show where a program spent its time and what it "
                   "called.\n" OPERANDS_OF_INPUTS,
    .examples = "--top=50\n--tree --focus='^parse'\nprog gmon.out\n",
    .options = option_specs,
    .value_at = value_at,
    .print_details = print_fields,
    .is_coloured = true,
    .run = run_report,
};
