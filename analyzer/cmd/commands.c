/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/commands.h"

#include "base/err.h"

#include <string.h>

const struct command *const commands[] = {
    &cmd_gprof,  &cmd_dump,  &cmd_ctl,     &cmd_annotate,
    &cmd_export, &cmd_merge, &cmd_recover, NULL,
};

const struct command *commands_find(const char *name) {
  for (size_t i = 0; commands[i]; i++)
    if (strcmp(commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
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
