/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline gprof`: runs the steps of GNU gprof, in the same order.
 */
#include "base/err.h"
#include "base/progress.h"
#include "base/trace.h"
#include "cmd/commands.h"
#include "cmd/gprof_options.h"
#include "cmd/unattributed_time.h"
#include "debug/lines.h"
#include "gprof/annotated_files.h"
#include "gprof/annotated_source.h"
#include "gprof/exec.h"
#include "gprof/gprof.h"
#include "gprof/order.h"
#include "gprof/trace_steps.h"
#include "image/file_map.h"
#include "measure/gmon_open.h"
#include "measure/gmon_write.h"
#include "profile/graph_profile.h"
#include "profile/static_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/** The name that GNU gprof has fixed for sums. */
static const char sum_path[] = "gmon.sum";

/** Everything a run has in hand. All zero is empty. */
struct run {
  struct gprof_options options;
  struct file_map map; // of symbols to object files
  struct model model;
  struct graph_profile program;
  struct names names;
  struct gprof_output output;
  unsigned styles; // that are printed; enum gprof_style
};

static void release(struct run *run) {
  names_release(&run->names);
  graph_profile_release(&run->program);
  model_close(&run->model);
  file_map_release(&run->map);
  gprof_options_release(&run->options);
}

// --- Symbols ---

/** Are lines needed as symbols? A sum is one of addresses, and needs no symbols
 * if nothing else is wanted. */
static bool needs_lines(const struct gprof_options *options) {
  const bool is_sum_only =
      options->styles & STYLE_SUM &&
      !(options->styles & ~(unsigned)(STYLE_SUM | STYLE_INFO)) &&
      !options->gnu_bugs;

  return options->is_by_line && !is_sum_only;
}

/** Do reports need file and line of every function? */
static bool needs_files(const struct gprof_options *options) {
  return needs_lines(options) || options->layout.names.has_file ||
         options->styles & (STYLE_SOURCE | STYLE_EXEC) ||
         symspec_needs_files(options->specs, options->n_specs);
}

static int load_symbols(struct run *run, struct err *err) {
  const struct gprof_options *options = &run->options;
  const struct model_symbols wanted = {
      .image_flags = options->symbol_flags,
      .has_files = needs_files(options),
      .has_lines = needs_lines(options),
      .map = options->map_path ? &run->map : NULL,
      .list_path = options->list_path,
  };

  progress_step("reading", run->model.inputs.objects[0].image_path);
  if (options->map_path && file_map_load(options->map_path, &run->map, err))
    return -1;
  if (graph_profile_load(&run->program, &run->model, &wanted, err))
    return -1;
  trace_step_symbols(&run->model);
  if (symspec_resolve(&run->model.symtab, options->specs, options->n_specs,
                      &run->program.filters, err))
    return -1;
  trace_step_selections(options->specs, options->n_specs,
                        &run->program.filters);
  return 0;
}

// --- Profiles ---

static void print_count(FILE *out, uint64_t n, const char *kind) {
  fprintf(out, "\t%" PRIu64 " %s record%s\n", n, kind, n == 1 ? "" : "s");
}

/** Print the number of records of a profile. */
static void print_info(void *context, const char *path,
                       const struct measure_contents *contents) {
  struct gprof_output *const output = context;

  output->has_text = true;
  fprintf(output->stream, "File `%s' (version %" PRIu32 ") contains:\n", path,
          contents->version);
  print_count(output->stream, contents->n_histograms, "histogram");
  print_count(output->stream, contents->n_arcs, "call-graph");
  print_count(output->stream, contents->n_blocks, "basic-block count");
}

static int read_profiles(struct run *run, struct err *err) {
  const struct gprof_options *options = &run->options;
  const struct model_profiles wanted = {
      .format = options->format,
      .flags = (options->is_by_line ? MEASURE_BLOCKS : 0) |
               (options->gnu_bugs ? MEASURE_MIXED_RATES : 0),
      .on_file = options->styles & STYLE_INFO ? print_info : NULL,
      .context = &run->output,
  };
  // One object has the calls that it has in GNU gprof's report.
  const unsigned flags =
      (run->model.is_joined ? PROFILE_OUTSIDE : 0) |
      (options->gnu_bugs ? PROFILE_GNU : 0) |
      (options->is_by_line ? PROFILE_LINES | PROFILE_BLOCKS : 0);

  return model_read_profiles(&run->model, &wanted, err) ||
                 graph_profile_add(&run->program, flags, err) ||
                 (!options->is_by_line &&
                  graph_profile_measure(&run->program, err))
             ? -1
             : 0;
}

static int write_sum(struct run *run, struct err *err) {
  const struct image *image = &run->model.objects[0].image;
  struct measure *sum = &run->model.objects[0].measure;
  const struct gmon_write_options options = {
      .layout = gmon_layout_of(image),
      .format = run->options.format,
      .build_id = sum->has_unmarked ? NULL : image->build_id,
      .is_gnu = run->options.gnu_bugs != 0,
  };

  return profile_make_sum(&run->program.profile, sum, err) ||
                 gmon_write(sum_path, sum, &options, err)
             ? -1
             : 0;
}

/** Refuse options that do not go together. */
static int check_options(const struct gprof_options *options, struct err *err) {
  return options->styles & STYLE_FUNCTION_ORDER &&
                 options->styles & STYLE_FILE_ORDER
             ? err_set(err, ERR_USAGE, "-r and -R are mutually exclusive")
             : 0;
}

/** Refuse options that do not go together with the program. */
static int check_program(const struct run *run, struct err *err) {
  const struct gprof_options *options = &run->options;

  if (!run->model.is_joined)
    return 0;
  // A file of sums has room for one object.
  if (options->styles & STYLE_SUM)
    return err_set(err, ERR_USAGE,
                   "-s: %s can be written for one image only; name one image "
                   "and its profiles",
                   sum_path);
  if (options->list_path)
    return err_set(err, ERR_USAGE,
                   "-S %s: a symbol list applies to one image only; name one "
                   "image and its profiles",
                   options->list_path);
  return 0;
}

// --- Reports ---

/** Reports to print: the user's choice, or the default without those that
 * options exclude. */
static unsigned choose_styles(const struct run *run) {
  const struct profile *profile = &run->program.profile;
  unsigned styles = run->options.styles;

  if (styles)
    return styles;
  if (profile->unit.is_known)
    styles |= STYLE_FLAT;
  if (profile->has_arcs)
    styles |= STYLE_GRAPH;
  if (!styles)
    styles = STYLE_EXEC;
  return styles & ~run->options.mentioned;
}

static int check_styles(const struct run *run, struct err *err) {
  const char *path = run->model.inputs.objects[0].profile_paths[0];

  if (run->styles & STYLE_FLAT && !run->program.profile.unit.is_known)
    return err_set(err, ERR_INPUT,
                   "%s: profile contains no histogram, so there is no flat "
                   "profile; was sampling disabled?",
                   path);
  if (run->styles & STYLE_GRAPH && !run->program.profile.has_arcs)
    return err_set(err, ERR_INPUT,
                   "%s: profile contains no arcs, so there is no call graph; "
                   "was the program built to count calls?",
                   path);
  if (run->program.profile.ignored_blocks &&
      run->styles & (STYLE_SOURCE | STYLE_EXEC))
    warn("basic block counts are omitted; use -l to print them");
  return 0;
}

/** Locate static functions: the index prints their files. */
static int locate_static_functions(struct run *run, struct err *err) {
  bool is_all = run->options.layout.has_zero_rows;

  if (needs_files(&run->options))
    return 0;
  struct symbol *const symbols = run->program.graph.used
                                     ? run->program.graph.used->symtab.symbols
                                     : run->model.symtab.symbols;
  for (size_t i = 0; i < run->program.graph.n_symbols; i++) {
    const struct cg_node *node = &run->program.graph.nodes[i];
    if (symbols[i].is_static && (is_all || node->calls || node->ticks != 0) &&
        model_locate_symbol(&run->model, &symbols[i], false, err))
      return -1;
  }
  return 0;
}

static int print_source(struct run *run, struct err *err) {
  const struct gprof_options *options = &run->options;
  const struct annotated_source_options source_options = {
      .has_zero_rows = options->layout.has_zero_rows,
      .all_lines = options->is_every_line,
      .min_count = options->min_count,
      .table_length = (int)options->table_length,
  };

  return annotated_files_print(&run->program.profile, &source_options,
                               &options->common.sources,
                               options->is_separate_files, &run->output, err);
}

/** Print the graph first in the form of BSD, otherwise the flat profile. */
static int print_profiles(struct run *run, struct err *err) {
  const struct gprof_layout *options = &run->options.layout;
  const bool has_flat = run->styles & STYLE_FLAT;
  const bool has_graph = run->styles & STYLE_GRAPH;

  if (has_graph && options->is_bsd &&
      gprof_graph(&run->program.graph, options, &run->output, err))
    return -1;
  if (has_flat && gprof_flat(&run->program.graph, options, &run->output, err))
    return -1;
  if (!has_graph)
    return 0;
  if (!options->is_bsd &&
      (locate_static_functions(run, err) ||
       gprof_graph(&run->program.graph, options, &run->output, err)))
    return -1;
  return gprof_index(&run->program.graph, options, &run->output, err);
}

static int print_reports(struct run *run, struct err *err) {
  const struct gprof_layout *options = &run->options.layout;

  if (run->program.graph.profile) {
    if (names_init(&run->names, &options->names,
                   run->program.graph.profile->symtab, err))
      return -1;
    run->output.names = &run->names;
    // GNU gprof has no such table; -b prints the same bytes as it does.
    if (print_profiles(run, err) ||
        (run->program.measured.total_ticks > 0 && !options->is_brief &&
         gprof_measured(&run->program.graph, &run->program.measured, options,
                        &run->output, err)))
      return -1;
  }
  if (run->styles & STYLE_EXEC) {
    gprof_begin(&run->output);
    if (gprof_exec(&run->program.profile, options->has_zero_rows,
                   run->output.stream, err))
      return -1;
  }
  if (run->styles & STYLE_SOURCE && print_source(run, err))
    return -1;
  if (run->styles & STYLE_FUNCTION_ORDER)
    return gprof_function_order(&run->program.profile, run->options.gnu_bugs,
                                run->output.stream, err);
  return run->styles & STYLE_FILE_ORDER
             ? gprof_file_order(&run->program.profile, &run->map,
                                run->output.stream, err)
             : 0;
}

/** Compute the call graph, if any report needs it. */
static int build_graph(struct run *run, struct err *err) {
  const bool is_all =
      run->options.layout.has_zero_rows || run->options.trace_topics;

  if (!(run->styles & (STYLE_FLAT | STYLE_GRAPH)) && !run->options.trace_topics)
    return 0;
  if (graph_profile_build(&run->program, is_all ? CALLGRAPH_ALL_SYMBOLS : 0,
                          err))
    return -1;
  trace_step_graph(&run->program.graph);
  return 0;
}

/** Are side files next to the profile of one image used? Not if GNU gprof's
 * report of the profile alone is wanted, or a report without functions outside
 * of the image. */
static bool uses_sides(const struct gprof_options *options) {
  const unsigned styles = STYLE_FLAT | STYLE_GRAPH | STYLE_INFO;

  return !options->is_without_side && !options->gnu_bugs &&
         !options->list_path && !(options->styles & ~styles);
}

/** Without a gmon.out, use the newest profile of the image: that of a library
 * has the name gmon.out.libfoo.so. */
static int find_newest(struct run *run, struct err *err) {
  struct common_options *const common = &run->options.common;
  struct inputs_options *const inputs = &common->inputs;
  if (run->options.gnu_bugs || inputs->n_operands != 1 ||
      inputs_operand_at(inputs->operands[0]) != OPERAND_IMAGE ||
      access("gmon.out", F_OK) == 0)
    return 0;
  if (newest_find(inputs->operands[0], &common->newest, err))
    return -1;
  // Without any, the message is GNU gprof's.
  if (common->newest.n_operands)
    common_options_take_operands(common, common->newest.operands,
                                 (int)common->newest.n_operands);
  return 0;
}

static int report(struct run *run, struct err *err) {
  if (run->options.trace_topics)
    trace_enable(run->options.trace_topics);
  else if (!(run->options.styles & STYLE_INFO))
    progress_begin();
  const struct inputs_options *const inputs = &run->options.common.inputs;
  run->options.common.sources.has_no_built = true;
  if (check_options(&run->options, err) ||
      common_options_open_archive(&run->options.common, err) ||
      find_newest(run, err) ||
      model_open_program(inputs, uses_sides(&run->options), &run->model, err) ||
      check_program(run, err))
    return -1;
  run->model.lines_flags =
      LINES_GNU | (run->options.gnu_bugs ? LINES_GNU_BUGS : 0) |
      (run->options.gnu_bugs && run->options.gnu_bugs < 44 ? LINES_FILE_0 : 0);
  // GNU gprof has no other, right or wrong.
  run->model.has_plain_names = run->options.common.sources.n_maps == 0;
  if (load_symbols(run, err) || read_profiles(run, err))
    return -1;
  run->styles = choose_styles(run);
  // With counts of blocks alone, reports that no option chose are printed,
  // which need files.
  if (run->styles & STYLE_EXEC && !needs_files(&run->options) &&
      model_locate(&run->model, err))
    return -1;
  if (run->styles & STYLE_SUM && write_sum(run, err))
    return -1;
  if (run->options.is_static_calls && run->program.profile.has_arcs &&
      static_calls_add(&run->model, run->options.gnu_bugs,
                       &run->program.profile, err))
    return -1;
  progress_step("computing", "");
  graph_profile_finish(&run->program);
  if (build_graph(run, err))
    return -1;
  if (check_styles(run, err))
    return -1;
  progress_end();
  if (print_reports(run, err))
    return -1;
  if (run->styles & STYLE_GRAPH)
    unattributed_time_warn_uncalled(&run->program);
  // Only for one image: several were chosen by the user.
  if (run->model.n_objects == 1)
    unattributed_time_warn(&run->model, run->program.profile.total_ticks);
  return 0;
}

static void print_exit_codes(FILE *out) {
  fputs("\n"
        "Exit codes: 0 success, 2 wrong usage or input.\n",
        out);
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {.output = {.stream = stdout}};
  int rc = gprof_options_parse(argc, argv, &run.options, err);

  if (rc)
    return rc;
  rc = report(&run, err);
  progress_end();
  release(&run);
  return rc;
}

const struct command cmd_gprof = {
    .name = "gprof",
    .summary = "print flat profile and call graph like GNU gprof",
    .synopsis = "[OPTION]... [IMAGE [PROFILE]...]...\n"
                "[OPTION]... SIDE-FILE...",
    .description = "Print profiles in the format of GNU gprof.\n"
                   "IMAGE defaults to a.out, PROFILE to gmon.out; - is stdin. "
                   "Several profiles are\n"
                   "added up; a folder represents the profiles in it. Several "
                   "IMAGEs, each with its\n"
                   "profiles, are one program; a SIDE-FILE (gmon.out.arcline) "
                   "names them itself.\n\n"
                   "The default is -p -q. SPEC selects symbols: FUNCTION, "
                   "FILE, LINE, FILE:FUNCTION\n"
                   "or FILE:LINE; with -q and -Q also a call, SPEC/SPEC. "
                   "Attach an optional argument\n"
                   "to its option: -pmain, --flat-profile=main. @FILE "
                   "represents the arguments in\n"
                   "FILE.\n",
    .examples = "prog gmon.out\n-b -p prog run1/gmon.out "
                "run2/gmon.out\n-qparse gmon.out.arcline\n",
    .options = gprof_option_specs,
    .print_details = print_exit_codes,
    .is_apart = true,
    .run = run,
};
