/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** `arcline help`: shows a command's manual page; if there is none, its
 * options.
 */
#include "base/err.h"
#include "cmd/commands.h"
#include "cmd/installed.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

static const struct option_spec option_specs[] = {{0}};

/** Have man(1) show a page. Returns whether it did. */
static bool show_page(char *path) {
  char *const argv[] = {"man", "-l", path, NULL};
  pid_t pid;
  int status;

  if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) != 0 ||
      waitpid(pid, &status, 0) != pid)
    return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int run(int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, NULL, NULL, &first, err);

  if (rc)
    return rc;
  if (first == argc) {
    commands_print_list(stdout);
    return 0;
  }
  if (argc - first > 1)
    return err_set(
        err, ERR_USAGE,
        "%s: too many operands; name one command; try arcline --help",
        argv[first + 1]);
  const struct command *const command = commands_find(argv[first], err);
  if (!command)
    return -1;
  char *const page = installed_find_page(command->name);
  if (!page || !show_page(page))
    commands_print_help(command, stdout);
  free(page);
  return 0;
}

const struct command cmd_help = {
    .name = "help",
    .summary = "show the manual page of a command",
    .synopsis = "[COMMAND]",
    .description = "Show the manual page of a command, or its --help if that "
                   "is not installed.\n",
    .examples = "annotate\n",
    .options = option_specs,
    .operands = "COMMAND",
    .run = run,
};
