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
    &cmd_gprof,      //
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
  fputs("Usage: arcline [COMMAND] [OPTION]... [OPERAND]...\n"
        "Report what a profiled program wrote to gmon.out. `arcline' alone "
        "shows the\nnewest profile of this folder.\n\n"
        "Commands:\n",
        out);
  for (size_t i = 0; commands[i]; i++)
    fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
  fputs("\n`arcline help COMMAND' shows its page, `arcline COMMAND --help' its "
        "options.\n"
        "Exit code: 0 done, 1 a threshold or a difference, 2 usage or bad "
        "input.\n",
        out);
}

void commands_print_help(const struct command *command, FILE *out) {
  // Under gprof's name there is no other command to be named.
  const char *const program = err_program();
  const bool is_named = strcmp(program, "arcline") == 0;
  const char *introduction = "Usage:";

  for (const char *form = command->synopsis; *form;) {
    const int n = (int)strcspn(form, "\n");
    fprintf(out, "%s %s%s%s %.*s\n", introduction, program, is_named ? " " : "",
            is_named ? command->name : "", n, form);
    introduction = "   or:";
    form += n + (form[n] != '\0');
  }
  fprintf(out, "%s\n", command->description);
  options_print_help(command->options, out);
  if (command->print_details)
    command->print_details(out);
}
