/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/commands.h"

#include "base/did_you_mean.h"
#include "base/err.h"

#include <string.h>

const struct command *const commands[] = {
    // One a line, in the order of `arcline --help`.
    &cmd_report,     //
    &cmd_annotate,   //
    &cmd_html,       //
    &cmd_export,     //
    &cmd_diff,       //
    &cmd_tests,      //
    &cmd_select,     //
    &cmd_gprof,      //
    &cmd_archive,    //
    &cmd_run,        //
    &cmd_merge,      //
    &cmd_recover,    //
    &cmd_ctl,        //
    &cmd_top,        //
    &cmd_doctor,     //
    &cmd_dump,       //
    &cmd_config,     //
    &cmd_help,       //
    &cmd_completion, //
    NULL,
};

const struct command *commands_find(const char *name, struct err *err) {
  struct did_you_mean nearest = {.word = name, .n_word = strlen(name)};

  for (size_t i = 0; commands[i]; i++) {
    if (strcmp(commands[i]->name, name) == 0)
      return commands[i];
    did_you_mean_offer(&nearest, commands[i]->name);
  }
  if (nearest.best)
    err_set(err, ERR_USAGE,
            "%s: unknown command; did you mean %s? try arcline --help", name,
            nearest.best);
  else
    err_set(err, ERR_USAGE, "%s: unknown command; try arcline --help", name);
  return NULL;
}

const char *commands_find_option(const char *name, size_t n_name) {
  const struct option_spec *spec;

  for (size_t i = 0; commands[i]; i++)
    for (size_t k = 0;
         commands[i]->options && (spec = options_at(commands[i]->options, k));
         k++)
      if (spec->long_name && spec->help && strlen(spec->long_name) == n_name &&
          memcmp(spec->long_name, name, n_name) == 0)
        return commands[i]->name;
  return NULL;
}

void commands_print_list(FILE *out) {
  // With the commands, as many lines as a terminal has.
  fputs("Usage: arcline [COMMAND] [OPTION]... [OPERAND]...\n\n", out);
  for (size_t i = 0; commands[i]; i++)
    fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
  fputs("\n"
        "`arcline' alone is `arcline report'; `arcline COMMAND --help' lists "
        "options.\n"
        "Exit codes: 0 success, 1 a threshold or a difference, 2 wrong usage "
        "or input.\n",
        out);
}

/** Print an example, under the name that the program was called by. */
static void print_examples(const struct command *command, bool is_named,
                           FILE *out) {
  fputs(
      "\n`arcline' alone is `arcline report'; `arcline COMMAND --help' lists "
      "options.\n"
      "Exit codes: 0 success, 1 a threshold or a difference, 2 wrong usage or "
      "input.\n",
      out);
  for (const char *line = command->examples; *line;) {
    const int n = (int)strcspn(line, "\n");
    fprintf(out, "  %s %s%s%.*s\n", err_program(),
            is_named ? command->name : "", is_named ? " " : "", n, line);
    line += n + (line[n] != '\0');
  }
}

void commands_print_help(const struct command *command, FILE *out) {
  // Under gprof's name there is no other command to be named.
  const char *const program = err_program();
  const bool is_named = strcmp(program, "arcline") == 0;
  const int n_first = (int)strcspn(command->description, "\n");
  const char *rest = command->description + n_first;
  const char *introduction = "Usage:";

  fprintf(out, "%.*s\n\n", n_first, command->description);
  for (const char *form = command->synopsis; *form;) {
    const int n = (int)strcspn(form, "\n");
    fprintf(out, "%s %s%s%s %.*s\n", introduction, program, is_named ? " " : "",
            is_named ? command->name : "", n, form);
    introduction = "   or:";
    form += n + (form[n] != '\0');
  }
  rest += *rest == '\n';
  fprintf(out, "%s%s\nOptions:\n", *rest ? "\n" : "", rest);
  options_print_help(command->options, out);
  if (command->print_details)
    command->print_details(out);
  if (command->examples)
    print_examples(command, is_named, out);
}
