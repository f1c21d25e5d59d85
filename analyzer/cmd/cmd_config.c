/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline config`: prints the settings of the project's arcline.ini, with the
 * line of each and the commands that it applies to.
 */
#include "base/err.h"
#include "cmd/commands.h"
#include "cmd/project_file.h"
#include "cmd/project_root.h"

#include <stdio.h>
#include <string.h>

static const struct option_spec option_specs[] = {{0}};

static void print_setting(const struct project_file *file,
                          const struct project_setting *setting, FILE *out) {
  const char *separator = "  # ";
  fprintf(out, "%s:%u: ", file->path, setting->line);
  if (setting->command)
    fprintf(out, "[%s] ", setting->command->name);
  fprintf(out, "%s = %s", setting->key, setting->value);
  for (size_t i = 0; commands[i] && !setting->command; i++)
    if (project_setting_is_for(setting, commands[i])) {
      fprintf(out, "%s%s", separator, commands[i]->name);
      separator = ", ";
    }
  fputc('\n', out);
}

/** Print the folder of the project, unless the file names another one. */
static int print_root(const struct project_file *file, FILE *out,
                      struct err *err) {
  struct project_root root;

  for (size_t i = 0; i < file->n_settings; i++)
    if (strcmp(file->settings[i].key, "root") == 0)
      return 0;
  if (project_root_find(NULL, &root, err) != 0)
    return -1;
  if (root.folder)
    fprintf(out, "coverage is of source files below %s\n", root.folder);
  project_root_release(&root);
  return 0;
}

static int run(int argc, char **argv, struct err *err) {
  struct project_file file;
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, NULL, NULL, &first, err);
  if (rc)
    return rc;
  if (first < argc)
    return options_reject(argv[first], "unexpected operand", "config", err);
  if (project_file_find(commands, &file, err) != 0)
    return -1;
  if (!file.path)
    puts("no arcline.ini in this folder or above; all options have their "
         "defaults");
  const int result = print_root(&file, stdout, err);
  for (size_t i = 0; result == 0 && i < file.n_settings; i++)
    print_setting(&file, &file.settings[i], stdout);
  project_file_release(&file);
  return result;
}

const struct command cmd_config = {
    .name = "config",
    .summary = "print the settings of the project's arcline.ini",
    .synopsis = "[OPTION]...",
    .description =
        "Print the settings of the project's arcline.ini, with their lines.\n"
        "The file is in the current folder or the nearest one above that "
        "contains it.\nARCLINE_CONFIG=FILE selects another file, an empty "
        "ARCLINE_CONFIG none.\n",
    .options = option_specs,
    .operands = "",
    .run = run,
};
