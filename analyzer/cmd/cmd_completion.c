/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline completion`: prints scripts by which shells complete command lines.
 * They ask `arcline complete`.
 */
#include "base/asset.h"
#include "base/err.h"
#include "cmd/commands.h"

#include <stdio.h>
#include <string.h>

static const struct option_spec option_specs[] = {{0}};

static int run(int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, NULL, NULL, &first, err);

  if (rc)
    return rc;
  if (first == argc)
    return err_set(err, ERR_USAGE, "no shell given; use bash, zsh or fish");
  if (argc - first > 1)
    return options_reject(argv[first + 1], "unexpected operand", "completion",
                          err);
  for (const struct asset *script = completion_scripts; script->name; script++)
    if (strcmp(argv[first], strchr(script->name, '.') + 1) == 0) {
      fwrite(script->bytes, 1, script->n_bytes, stdout);
      return 0;
    }
  return err_set(err, ERR_USAGE, "%s: unknown shell; use bash, zsh or fish",
                 options_shown(argv[first]));
}

static void print_uses(FILE *out) {
  fputs(
      "\nTo use it:\n"
      "  eval \"$(arcline completion bash)\"    in ~/.bashrc\n"
      "  eval \"$(arcline completion zsh)\"     in ~/.zshrc, after compinit\n"
      "  arcline completion fish | source     in ~/.config/fish/config.fish\n",
      out);
}

const struct command cmd_completion = {
    .name = "completion",
    .summary = "print a completion script for a shell",
    .synopsis = "bash|zsh|fish",
    .description =
        "Print a script that completes command lines of arcline in a shell.\n"
        "Installed packages contain these scripts.\n",
    .options = option_specs,
    .print_details = print_uses,
    .operands = "bash|zsh|fish",
    .run = run,
};
