/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline tests`: prints the tests of a suite, or those that ran a line or a
 * function.
 */
#include "base/err.h"
#include "base/progress.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "contexts/suite.h"
#include "debug/file_table.h"
#include "report/test_list.h"

#include <string.h>
#include <sys/stat.h>

enum { OPT_FORMAT = 1, OPT_LINES };

static const struct option_spec option_specs[] = {
    {OPT_FORMAT, 0, "format", OPTION_ARGUMENT, "text|json",
     "output format (default text)"},
    {OPT_LINES, 0, "lines", OPTION_NO_ARGUMENT, NULL,
     "record lines of programs that are new in the index"},
    {OPT_IMAGES, 0, "images", OPTION_ARGUMENT, "FOLDER",
     "search FOLDER for images, too, by build ID"},
    {0},
};

/** Everything a run has in hand. All zero is empty. */
struct run {
  struct context_collecting options;
  bool is_json;
  const char *what; // line or function; NULL: all tests
  struct suite suite;
};

static int apply(void *context, int id, const char *value, struct err *err) {
  struct run *const run = context;

  (void)err;
  if (id == OPT_FORMAT)
    run->is_json = strcmp(value, "json") == 0;
  else if (id == OPT_LINES)
    run->options.has_lines = true;
  else
    run->options.images = value;
  return 0;
}

static bool is_folder(const char *path) {
  struct stat status;

  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int parse(struct run *run, int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, apply, run, &first, err);

  if (rc)
    return rc;
  if (argc - first > 2)
    return options_reject(argv[first + 2], "unexpected operand", "tests", err);
  if (argc - first == 2 || (argc - first == 1 && !is_folder(argv[first])))
    run->what = argv[first++];
  if (first < argc)
    run->options.folder = argv[first];
  return 0;
}

/** Add what a user names: FILE:LINE, or a function, whose name may have colons,
 * too. */
static int add_wanted(struct context_query *query, const char *what,
                      struct err *err) {
  const char *const colon = strrchr(what, ':');
  char file[FILE_TABLE_NAME_BYTES];
  long line;

  if (!colon || colon == what || colon[-1] == ':' ||
      !options_parse_number(colon + 1, &line))
    return context_query_add_name(query, what, err);
  const size_t n = (size_t)(colon - what);
  if (n >= sizeof(file) || line < 1 || line > UINT32_MAX)
    return err_set(err, ERR_USAGE, "%s: no such line", what);
  memcpy(file, what, n);
  file[n] = '\0';
  return context_query_add_line(query, file, (uint32_t)line, err);
}

/** Print the tests that ran it. Returns 1 if there is none. */
static int print_hits(struct run *run, struct err *err) {
  struct context_query query;
  struct context_hits hits;
  bool is_any = false;
  int rc = -1;

  if (context_query_begin(&run->suite.index, &query, err) != 0)
    return -1;
  if (add_wanted(&query, run->what, err) == 0 &&
      context_query_run(&query, &hits, err) == 0) {
    progress_end();
    test_list_print_hits(&run->suite, run->what, &hits, run->is_json, stdout);
    for (size_t i = 0; i < hits.n; i++)
      is_any |= hits.has_run[i];
    if (query.is_by_function)
      warn("%s: tests of the function at this line; lines are recorded by "
           "`arcline tests --lines' only",
           run->what);
    if (hits.has_none)
      warn("%s: processes that belong to no test ran it, too", run->what);
    context_hits_release(&hits);
    rc = is_any ? 0 : 1;
  }
  context_query_release(&query);
  return rc;
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {0};
  int rc = parse(&run, argc, argv, err);

  if (rc != 0)
    return rc;
  progress_begin();
  rc = suite_open(&run.options, &run.suite, err);
  if (rc == 0 && run.what)
    rc = print_hits(&run, err);
  else if (rc == 0)
    rc = test_list_print(&run.suite, run.is_json, stdout, err);
  progress_end();
  if (rc >= 0)
    suite_warn(&run.suite);
  suite_close(&run.suite);
  return rc;
}

const struct command cmd_tests = {
    .name = "tests",
    .summary = "print the tests that ran a line or a function",
    .synopsis = "[OPTION]... [FILE:LINE|FUNCTION] [FOLDER]",
    .description =
        "Print the tests that ran a line or a function, one per line.\n"
        "Without a line or function, print all tests with the number of "
        "functions that each\nran. Tests are processes that ran with "
        "ARCLINE_CONTEXT=NAME; FOLDER is the folder of\ntheir profiles "
        "(default: that of the project, or the current one).\n"
        "Exit codes: 0 there are such tests, 1 there is none, 2 wrong usage or "
        "input.\n",
    .examples = "src/parser.c:120 suite\nParser::next suite\n--format=json "
                "suite\n",
    .options = option_specs,
    .run = run,
};
