/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** `arcline select`: prints the tests of a suite that a change may affect. */
#include "base/err.h"
#include "base/json.h"
#include "base/progress.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "contexts/git_tree.h"
#include "contexts/selection.h"
#include "debug/source_filter.h"

#include <stdlib.h>
#include <string.h>

enum { OPT_FORMAT = 1, OPT_CHANGED, OPT_IGNORE, OPT_UNKNOWN };

static const struct option_spec option_specs[] = {
    {OPT_CHANGED, 0, "changed", OPTION_ARGUMENT, "REVISION",
     "tests for what changed in git since then"},
    {OPT_IGNORE, 0, "ignore", OPTION_ARGUMENT, "PATTERN",
     "changes of files that match affect no test"},
    {OPT_UNKNOWN, 0, "unknown", OPTION_ARGUMENT, "all|none",
     "tests for a change that is in no function (default all)"},
    {OPT_FORMAT, 0, "format", OPTION_ARGUMENT, "text|json",
     "output format (default text)"},
    {OPT_IMAGES, 0, "images", OPTION_ARGUMENT, "FOLDER",
     "search FOLDER for images, too, by build ID"},
    {0},
};

/** Everything a run has in hand. All zero is empty. */
struct run {
  struct context_collecting options;
  const char *revision;
  struct source_patterns ignored;
  bool is_json, is_lenient;
  struct suite suite;
  struct git_tree tree;
  struct selection selection;
};

static int apply(void *context, int id, const char *value, struct err *err) {
  struct run *const run = context;

  if (id == OPT_FORMAT)
    run->is_json = strcmp(value, "json") == 0;
  else if (id == OPT_CHANGED)
    run->revision = value;
  else if (id == OPT_UNKNOWN)
    run->is_lenient = strcmp(value, "none") == 0;
  else if (id == OPT_IGNORE)
    return source_patterns_add(&run->ignored, value, err);
  else
    run->options.images = value;
  return 0;
}

static int parse(struct run *run, int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, apply, run, &first, err);

  if (rc)
    return rc;
  if (!run->revision)
    return err_set(err, ERR_USAGE,
                   "no revision given; use --changed=REVISION; try arcline "
                   "select --help");
  if (argc - first > 1)
    return options_reject(argv[first + 1], "unexpected operand", "select", err);
  if (first < argc)
    run->options.folder = argv[first];
  return 0;
}

static void print_json(const struct run *run) {
  const struct selection *const selection = &run->selection;
  struct json json = {.stream = stdout};

  json_object_begin(&json, NULL);
  json_text(&json, "format", "arcline-select");
  json_integer(&json, "version", 1);
  json_integer(&json, "tests", selection->n_tests);
  json_array_begin(&json, "selected");
  for (size_t i = 0; i < selection->n_tests; i++)
    if (selection->is_selected[i])
      json_text(&json, NULL, run->suite.index.names[i]);
  json_array_end(&json);
  json_array_begin(&json, "unknown");
  for (size_t i = 0; i < selection->n_reasons; i++)
    json_text(&json, NULL, selection->reasons[i]);
  json_array_end(&json);
  json_object_end(&json);
}

enum { MAX_REASONS = 20 };

static void print_reasons(const struct run *run) {
  const struct selection *const selection = &run->selection;
  const size_t n = selection->n_reasons;

  for (size_t i = 0; i < n && i < MAX_REASONS; i++)
    warn("%s", selection->reasons[i]);
  if (n > MAX_REASONS)
    warn("%zu more changes of this kind", n - MAX_REASONS);
  if (n > 0)
    warn("%s", run->is_lenient
                   ? "further tests may be affected; run all to be sure"
                   : "all tests are selected, since each may depend on these "
                     "changes; so may tests that are new");
}

/** Returns 1 if tests outside of the list may be affected. */
static int print(struct run *run) {
  struct selection *const selection = &run->selection;

  for (size_t i = 0; i < selection->n_tests; i++)
    selection->is_selected[i] |= selection->n_reasons > 0 && !run->is_lenient;
  progress_end();
  if (run->is_json)
    print_json(run);
  for (size_t i = 0; i < selection->n_tests && !run->is_json; i++)
    if (selection->is_selected[i])
      puts(run->suite.index.names[i]);
  print_reasons(run);
  return selection->n_reasons > 0;
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {0};
  int rc = parse(&run, argc, argv, err);

  if (rc == 0) {
    progress_begin();
    if (suite_open(&run.options, &run.suite, err) == 0 &&
        git_tree_read("--changed", run.revision, &run.tree, err) == 0 &&
        selection_make(&run.suite, &run.tree, "--changed", &run.ignored,
                       &run.selection, err) == 0)
      rc = print(&run);
    else
      rc = -1;
    progress_end();
    if (rc >= 0)
      suite_warn(&run.suite);
  }
  selection_release(&run.selection);
  git_tree_release(&run.tree);
  suite_close(&run.suite);
  free(run.ignored.texts);
  return rc;
}

const struct command cmd_select = {
    .name = "select",
    .summary = "print the tests that a change may affect",
    .synopsis = "--changed=REVISION [OPTION]... [FOLDER]",
    .description =
        "Print the tests that ran a function which changed since a revision, "
        "one per line.\nChanges that are in no function that ran are reported; "
        "then all tests are printed.\nFOLDER is the folder of the suite's "
        "profiles, as for arcline tests.\n"
        "Exit codes: 0 no other test is affected, 1 others may be, or all "
        "tests are printed,\n2 wrong usage or input.\n",
    .examples = "--changed=origin/main suite\n--changed=HEAD --ignore='*.md' "
                "suite\n",
    .options = option_specs,
    .run = run,
};
