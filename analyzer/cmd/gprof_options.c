/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/gprof_options.h"

#include "base/err.h"
#include "base/trace.h"
#include "image/image.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
  OPT_SOURCE = 1,
  OPT_NO_SOURCE,
  OPT_EXEC,
  OPT_NO_EXEC,
  OPT_INFO,
  OPT_FLAT,
  OPT_NO_FLAT,
  OPT_GRAPH,
  OPT_NO_GRAPH,
  OPT_SUM,
  OPT_FUNCTION_ORDER,
  OPT_FILE_ORDER,
  OPT_SYMBOL_LIST,
  OPT_NO_STATIC,
  OPT_BRIEF,
  OPT_BSD_FORM,
  OPT_FUNCS_ONLY,
  OPT_STATIC_CALLS,
  OPT_LINE,
  OPT_ALL_LINES,
  OPT_DEMANGLE,
  OPT_NO_DEMANGLE,
  OPT_ZERO_ROWS,
  OPT_INLINE_FILES,
  OPT_MIN_COUNT,
  OPT_FULL_PATHS,
  OPT_SEPARATE_FILES,
  OPT_TABLE_LENGTH,
  OPT_TIME,
  OPT_NO_TIME,
  OPT_WIDTH,
  OPT_ONLY_ENTRIES,
  OPT_NO_ENTRIES,
  OPT_ONLY_ENTRIES_TIME,
  OPT_NO_ENTRIES_TIME,
  OPT_NO_ARCS,
  OPT_FORMAT,
  OPT_TRACE,
  OPT_CLONES,
  OPT_NO_SIDE,
  OPT_GNU_BUGS,
};

#define NONE OPTION_NO_ARGUMENT
#define REQUIRED OPTION_ARGUMENT
#define OPTIONAL OPTION_OPTIONAL_ARGUMENT

const struct option_spec gprof_option_specs[] = {
    {OPT_FLAT, 'p', "flat-profile", OPTIONAL, "SPEC", "print the flat profile"},
    {OPT_NO_FLAT, 'P', "no-flat-profile", OPTIONAL, "SPEC",
     "do not print it, or omit SPEC"},
    {OPT_GRAPH, 'q', "graph", OPTIONAL, "SPEC", "print the call graph"},
    {OPT_GRAPH, 'B', NULL, NONE, NULL, "same as -q"},
    // GNU gprof has no other option that begins with it.
    {OPT_GRAPH, 0, "g", OPTIONAL, NULL, NULL},
    {OPT_NO_GRAPH, 'Q', "no-graph", OPTIONAL, "SPEC",
     "do not print it, or omit SPEC"},
    {OPT_SOURCE, 'A', "annotated-source", OPTIONAL, "SPEC",
     "print source text with execution counts"},
    {OPT_NO_SOURCE, 'J', "no-annotated-source", OPTIONAL, "SPEC",
     "do not print it, or omit SPEC"},
    {OPT_EXEC, 'C', "exec-counts", OPTIONAL, "SPEC",
     "print execution counts of blocks"},
    {OPT_NO_EXEC, 'Z', "no-exec-counts", OPTIONAL, "SPEC",
     "do not print them, or omit SPEC"},
    {OPT_INFO, 'i', "file-info", NONE, NULL, "print a summary of each profile"},
    {OPT_SUM, 's', "sum", NONE, NULL,
     "write the sum of all profiles to gmon.sum"},
    {OPT_FUNCTION_ORDER, 'r', "function-ordering", NONE, NULL,
     "print a function order for the linker"},
    {OPT_FILE_ORDER, 'R', "file-ordering", REQUIRED, "MAP",
     "print an object file order for the linker"},
    {OPT_LINE, 'l', "line", NONE, NULL, "report lines instead of functions"},
    {OPT_BRIEF, 'b', "brief", NONE, NULL, "do not print explanations"},
    {OPT_BSD_FORM, 'T', "traditional", NONE, NULL,
     "print in the format of BSD gprof"},
    {OPT_ZERO_ROWS, 'z', "display-unused-functions", NONE, NULL,
     "show functions without calls and time, too"},
    {OPT_NO_STATIC, 'a', "no-static", NONE, NULL,
     "add static functions to the one before them"},
    // GNU gprof has no other option that begins with it.
    {OPT_NO_STATIC, 0, "no-s", NONE, NULL, NULL},
    {OPT_FUNCS_ONLY, 'D', "ignore-non-functions", NONE, NULL,
     "ignore local symbols that are not functions"},
    {OPT_STATIC_CALLS, 'c', "static-call-graph", NONE, NULL,
     "show calls that were never made, too"},
    {OPT_SYMBOL_LIST, 'S', "external-symbol-table", REQUIRED, "FILE",
     "read symbols from FILE, as printed by nm"},
    {OPT_DEMANGLE, 0, "demangle", OPTIONAL, "STYLE",
     "demangle symbol names (default)"},
    {OPT_NO_DEMANGLE, 0, "no-demangle", NONE, NULL,
     "do not demangle symbol names"},
    {OPT_INLINE_FILES, 0, "inline-file-names", NONE, NULL,
     "print file and line after each name"},
    {OPT_FULL_PATHS, 'L', "print-path", NONE, NULL,
     "print full paths of source files"},
    {OPT_WIDTH, 'w', "width", REQUIRED, "N", "width of the index (default 80)"},
    {OPT_TIME, 'n', "time", REQUIRED, "SPEC",
     "call graph: propagate time of SPEC only"},
    {OPT_NO_TIME, 'N', "no-time", REQUIRED, "SPEC",
     "call graph: do not propagate time of SPEC"},
    {OPT_ONLY_ENTRIES, 'f', NULL, REQUIRED, "SPEC",
     "call graph: only SPEC and its callees"},
    {OPT_NO_ENTRIES, 'e', NULL, REQUIRED, "SPEC", "call graph: omit SPEC"},
    {OPT_ONLY_ENTRIES_TIME, 'F', NULL, REQUIRED, "SPEC",
     "same as -f and --time"},
    {OPT_NO_ENTRIES_TIME, 'E', NULL, REQUIRED, "SPEC",
     "same as -e and --no-time"},
    {OPT_NO_ARCS, 'k', NULL, REQUIRED, "FROM/TO",
     "call graph: omit arcs from FROM to TO"},
    {OPT_DIRECTORIES, 'I', "directory-path", REQUIRED, "DIRS",
     "search these directories for source files"},
    {OPT_ALL_LINES, 'x', "all-lines", NONE, NULL,
     "annotated source: count for each line"},
    {OPT_SEPARATE_FILES, 'y', "separate-files", NONE, NULL,
     "annotated source: write files NAME-ann"},
    {OPT_MIN_COUNT, 'm', "min-count", REQUIRED, "N",
     "annotated source: ##### below N (default 1)"},
    {OPT_TABLE_LENGTH, 't', "table-length", REQUIRED, "N",
     "annotated source: top N lines (default 10)"},
    {OPT_FORMAT, 'O', "file-format", REQUIRED, "FORMAT",
     "auto, magic, bsd or 4.4bsd (default auto)"},
    OPTION_OF_PATH_MAP,
    // Without it, "--p" would not be short for one option only.
    {OPT_FULL_PATHS, 0, "p", NONE, NULL, NULL},
    OPTIONS_OF_INPUTS,
    {OPT_CLONES, 0, "clones", NONE, NULL, "show parts and clones of functions"},
    {OPT_NO_SIDE, 0, "no-side", NONE, NULL,
     "ignore the side file next to the profile"},
    {OPT_GNU_BUGS, 0, "gnu-bugs", OPTIONAL, "RELEASE",
     "reproduce bugs of GNU gprof (default 2.40)"},
    {OPT_TRACE, 'd', "debug", OPTIONAL, "TOPICS",
     "print debug messages on these topics"},
    {OPTIONS_VERSION, 'v', "version", NONE, NULL, "show the version"},
    {0},
};

static int add_spec(struct gprof_options *options, enum symspec_use use,
                    bool is_exclude, const char *text, struct err *err) {
  struct symspec *specs = reallocarray(options->specs, options->n_specs + 1,
                                       sizeof(*options->specs));
  if (!specs)
    return err_no_memory(err);
  options->specs = specs;
  specs[options->n_specs++] =
      (struct symspec){.use = use, .is_exclude = is_exclude, .text = text};
  return 0;
}

/** A style is asked for, perhaps for some symbols only. */
static int ask_for(struct gprof_options *options, enum gprof_style style,
                   enum symspec_use use, const char *spec, struct err *err) {
  options->mentioned |= style;
  options->styles |= style;
  return spec ? add_spec(options, use, false, spec, err) : 0;
}

/** A style is not wanted; with a selection it is, but for that. */
static int ask_against(struct gprof_options *options, enum gprof_style style,
                       enum symspec_use use, const char *spec,
                       struct err *err) {
  options->mentioned |= style;
  if (!spec) {
    options->styles &= ~(unsigned)style;
    return 0;
  }
  options->styles |= style;
  return add_spec(options, use, true, spec, err);
}

/** Read a number, and bring it into a range. */
static int parse_clamped(const char *option, const char *text, long low,
                         long high, long *out, struct err *err) {
  if (!options_parse_number(text, out))
    return err_set(err, ERR_USAGE, "%s %s: not a number; try --help", option,
                   text);
  if (*out < low)
    *out = low;
  if (*out > high)
    *out = high;
  return 0;
}

/** Read a number that cannot be negative; more than high is high. */
static int parse_count(const char *option, const char *text, long high,
                       long *out, struct err *err) {
  if (parse_clamped(option, text, -1, high, out, err))
    return -1;
  return *out < 0 ? err_set(err, ERR_USAGE, "%s %s: negative; try --help",
                            option, text)
                  : 0;
}

/** Options with a number. */
static int apply_number(struct gprof_options *out, int id, const char *value,
                        struct err *err) {
  // Wide enough for any use, small enough for arithmetic.
  enum { MAX_WIDTH = 1 << 20, ALL_TOPICS = 2 * TRACE_SOURCE - 1 };
  long number;

  switch (id) {
  case OPT_WIDTH:
    if (parse_clamped("-w", value, 1, MAX_WIDTH, &number, err))
      return -1;
    out->layout.width = (unsigned)number;
    return 0;
  case OPT_MIN_COUNT:
    if (parse_count("-m", value, LONG_MAX, &number, err))
      return -1;
    out->min_count = (unsigned long)number;
    return 0;
  case OPT_TRACE:
    number = ALL_TOPICS;
    if (value && parse_count("-d", value, LONG_MAX, &number, err))
      return -1;
    out->trace_topics = (unsigned)(number & ALL_TOPICS) | TRACE_RUN;
    return 0;
  default:
    if (parse_clamped("-t", value, 0, INT_MAX, &number, err))
      return -1;
    out->table_length = (unsigned)number;
    return 0;
  }
}

/** Choose the release whose mistakes are made. */
static int apply_gnu_bugs(struct gprof_options *out, const char *release,
                          struct err *err) {
  enum { GNU_REFERENCE = 40 }; // older ones make others, which are not listed

  out->gnu_bugs = GNU_REFERENCE;
  if (!release)
    return 0;
  if (strncmp(release, "2.", 2) == 0 &&
      options_parse_number(release + 2, &out->gnu_bugs) &&
      out->gnu_bugs >= GNU_REFERENCE)
    return 0;
  return err_set(err, ERR_USAGE,
                 "--gnu-bugs=%s: not a release from 2.40 on; try --help",
                 release);
}

/** Options that select symbols for the call graph. */
static int apply_selection(struct gprof_options *out, int id, const char *value,
                           struct err *err) {
  switch (id) {
  case OPT_TIME:
    return add_spec(out, SYMSPEC_TIME, false, value, err);
  case OPT_NO_TIME:
    return add_spec(out, SYMSPEC_TIME, true, value, err);
  case OPT_ONLY_ENTRIES:
    return add_spec(out, SYMSPEC_GRAPH, false, value, err);
  case OPT_NO_ENTRIES:
    return add_spec(out, SYMSPEC_GRAPH, true, value, err);
  case OPT_NO_ARCS:
    return add_spec(out, SYMSPEC_ARCS, true, value, err);
  case OPT_ONLY_ENTRIES_TIME:
    return add_spec(out, SYMSPEC_TIME, false, value, err) ||
                   add_spec(out, SYMSPEC_GRAPH, false, value, err)
               ? -1
               : 0;
  default:
    return add_spec(out, SYMSPEC_TIME, true, value, err) ||
                   add_spec(out, SYMSPEC_GRAPH, true, value, err)
               ? -1
               : 0;
  }
}

/** Does a selection for the graph mean entries, or arcs? */
static enum symspec_use graph_use(const char *spec) {
  return spec && strchr(spec, '/') ? SYMSPEC_ARCS : SYMSPEC_GRAPH;
}

/** Options that select reports. */
static int apply_style(struct gprof_options *out, int id, const char *value,
                       struct err *err) {
  switch (id) {
  case OPT_FLAT:
    return ask_for(out, STYLE_FLAT, SYMSPEC_FLAT, value, err);
  case OPT_NO_FLAT:
    return ask_against(out, STYLE_FLAT, SYMSPEC_FLAT, value, err);
  case OPT_GRAPH:
    return ask_for(out, STYLE_GRAPH, graph_use(value), value, err);
  case OPT_NO_GRAPH:
    return ask_against(out, STYLE_GRAPH, graph_use(value), value, err);
  case OPT_SOURCE:
    return ask_for(out, STYLE_SOURCE, SYMSPEC_ANNO, value, err);
  case OPT_NO_SOURCE:
    return ask_against(out, STYLE_SOURCE, SYMSPEC_ANNO, value, err);
  case OPT_EXEC:
    return ask_for(out, STYLE_EXEC, SYMSPEC_EXEC, value, err);
  case OPT_NO_EXEC:
    return ask_against(out, STYLE_EXEC, SYMSPEC_EXEC, value, err);
  case OPT_INFO:
    return ask_for(out, STYLE_INFO, SYMSPEC_N_USES, NULL, err);
  case OPT_FUNCTION_ORDER:
    return ask_for(out, STYLE_FUNCTION_ORDER, SYMSPEC_N_USES, NULL, err);
  case OPT_FILE_ORDER:
    out->map_path = value;
    return ask_for(out, STYLE_FILE_ORDER, SYMSPEC_N_USES, NULL, err);
  default:
    // Sums keep block counts, which exist by line only.
    out->is_by_line = true;
    return ask_for(out, STYLE_SUM, SYMSPEC_N_USES, NULL, err);
  }
}

/** The flag that an option sets, if it does nothing else; or NULL. */
static bool *flag_of(struct gprof_options *out, int id) {
  switch (id) {
  case OPT_STATIC_CALLS:
    return &out->is_static_calls;
  case OPT_BRIEF:
    return &out->layout.is_brief;
  case OPT_BSD_FORM:
    return &out->layout.is_bsd;
  case OPT_LINE:
    return &out->is_by_line;
  case OPT_ALL_LINES:
    return &out->is_every_line;
  case OPT_ZERO_ROWS:
    return &out->layout.has_zero_rows;
  case OPT_INLINE_FILES:
    return &out->layout.names.has_file;
  case OPT_FULL_PATHS:
    return &out->layout.names.is_full_path;
  case OPT_SEPARATE_FILES:
    return &out->is_separate_files;
  case OPT_NO_SIDE:
    return &out->is_without_side;
  default:
    return NULL;
  }
}

static int apply(void *context, int id, const char *value, struct err *err) {
  struct gprof_options *const out = context;
  bool *const flag = flag_of(out, id);

  if (flag) {
    *flag = true;
    return 0;
  }
  switch (id) {
  case OPT_NO_STATIC:
    out->symbol_flags |= IMAGE_NO_STATIC;
    return 0;
  case OPT_CLONES:
    out->symbol_flags |= IMAGE_CLONES;
    return 0;
  case OPT_FUNCS_ONLY:
    out->symbol_flags |= IMAGE_FUNCS_ONLY;
    return 0;
  case OPT_DEMANGLE:
    out->layout.names.demangle = NAMES_AUTO;
    return value ? names_parse_demangle(value, &out->layout.names.demangle, err)
                 : 0;
  case OPT_NO_DEMANGLE:
    out->layout.names.demangle = NAMES_RAW;
    return 0;
  case OPT_SYMBOL_LIST:
    out->list_path = value;
    return 0;
  case OPT_GNU_BUGS:
    return apply_gnu_bugs(out, value, err);
  case OPT_FORMAT:
    return gmon_format_parse(value, &out->format, err);
  case OPT_IMAGES:
  case OPT_FORCE:
  case OPT_DIRECTORIES:
  case OPT_PATH_MAP:
    return common_options_apply(&out->common, id, value, err);
  case OPT_WIDTH:
  case OPT_MIN_COUNT:
  case OPT_TABLE_LENGTH:
  case OPT_TRACE:
    return apply_number(out, id, value, err);
  case OPT_TIME:
  case OPT_NO_TIME:
  case OPT_ONLY_ENTRIES:
  case OPT_NO_ENTRIES:
  case OPT_NO_ARCS:
  case OPT_ONLY_ENTRIES_TIME:
  case OPT_NO_ENTRIES_TIME:
    return apply_selection(out, id, value, err);
  default:
    return apply_style(out, id, value, err);
  }
}

int gprof_options_parse(int argc, char **argv, struct gprof_options *out,
                        struct err *err) {
  struct response_args args;

  if (response_args_expand(argc, argv, &args, err))
    return -1;
  *out = (struct gprof_options){
      .args = args,
      .layout = {.width = 80, .names = {.demangle = NAMES_AUTO}},
      .min_count = 1,
      .table_length = 10,
  };
  int first;
  int rc = options_parse(gprof_option_specs, args.argc, args.argv, apply, out,
                         &first, err);
  const char *gprof_path = getenv("GPROF_PATH");
  if (rc == 0 && gprof_path && *gprof_path)
    rc = source_paths_add_dirs(&out->common.sources, gprof_path, err);
  if (rc) {
    gprof_options_release(out);
    return rc;
  }
  out->layout.is_by_line = out->is_by_line;
  out->layout.names.has_line = out->is_by_line;
  if (out->layout.is_bsd)
    out->layout.names.demangle = NAMES_RAW;
  common_options_take_operands(&out->common, args.argv + first,
                               args.argc - first);
  return 0;
}

void gprof_options_release(struct gprof_options *options) {
  free(options->specs);
  common_options_release(&options->common);
  response_args_release(&options->args);
  *options = (struct gprof_options){0};
}
