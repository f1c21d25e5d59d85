/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Runs the subcommand, prints errors, determines the exit code.
 *
 * The only file that ends the process.
 */
#include "base/err.h"
#include "base/mapped_file.h"
#include "base/out_file.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/installed.h"
#include "cmd/project_file.h"
#include "model/newest.h"

#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum exit_code { EXIT_DONE = 0, EXIT_UNUSABLE = 2 };

/** Is the program installed in place of gprof? GNU gprof's name may have the
 * machine before it: x86_64-linux-gnu-gprof. */
static bool is_gprof(const char *name) {
  static const char suffix[] = "-gprof";
  const size_t length = strlen(name);

  return strcmp(name, suffix + 1) == 0 ||
         (length >= sizeof(suffix) &&
          strcmp(name + length - (sizeof(suffix) - 1), suffix) == 0);
}

/** Read the project's options, if the command has any. */
static int find_project(const struct command *command, struct project_file *out,
                        struct err *err) {
  *out = (struct project_file){0};
  return command->is_apart || !command->options || !command->options[0].id
             ? 0
             : project_file_find(commands, out, err);
}

static struct project_file project; // of the command that runs

/** The line of arcline.ini that a word is from. */
static bool find_origin(const char *word, char *out, size_t n_out) {
  const struct project_setting *const setting =
      project_file_setting_of(&project, word);

  if (setting)
    snprintf(out, n_out, "%s:%u", project.path, setting->line);
  return setting != NULL;
}

static int run_command(const struct command *command, int argc, char **argv,
                       struct err *err) {
  char **words = NULL;

  if (!command->is_coloured)
    terminal_guard(&stdout);
  if (find_project(command, &project, err) != 0 ||
      project_file_arguments(&project, command, argc, argv, &argc, &words,
                             err) != 0)
    return -1;
  newest_set_folder(project.profiles);
  const int code = command->run(argc, words, err);
  free(words);
  project_file_release(&project);
  if (code == OPTIONS_HELP)
    commands_print_help(command, stdout);
  else if (code == OPTIONS_VERSION)
    printf("arcline %s " ARCLINE_VERSION "\n", command->name);
  else
    return code;
  return EXIT_DONE;
}

/** May it be an operand or an option of the command that is not named? */
static bool is_operand(const char *word) {
  return word[0] == '-' || access(word, F_OK) == 0;
}

/** Run the command that need not be named. */
static int run_report(int argc, char **argv, struct err *err) {
  static char name[] = "report";

  argv[0] = name;
  return run_command(&cmd_report, argc, argv, err);
}

static int run(int argc, char **argv, struct err *err) {
  if (argc > 0) {
    const char *const slash = strrchr(argv[0], '/');
    const char *const name = slash ? slash + 1 : argv[0];
    if (is_gprof(name)) {
      err_set_program(name);
      return run_command(&cmd_gprof, argc, argv, err);
    }
  }
  if (argc < 1)
    return err_set(err, ERR_USAGE, "no command given; try arcline --help");
  if (argc < 2)
    return run_report(argc, argv, err);
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    commands_print_list(stdout);
    return EXIT_DONE;
  }
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-v") == 0) {
    puts("arcline " ARCLINE_VERSION);
    installed_print_plugins(stdout);
    return EXIT_DONE;
  }
  // Not in the table: no help and no completion names it.
  const struct command *const command = strcmp(argv[1], "complete") == 0
                                            ? &cmd_complete
                                            : commands_find(argv[1], err);
  if (command)
    return run_command(command, argc - 1, argv + 1, err);
  if (!is_operand(argv[1]))
    return -1;
  *err = (struct err){0};
  return run_report(argc, argv, err);
}

/** End in a handler of signals. */
static void end_unusable(const char *sentence) {
  const struct iovec parts[] = {
      {(void *)err_program(), strlen(err_program())},
      {": ", 2},
      {(void *)sentence, strlen(sentence)},
      {"\n", 1},
  };
  const ssize_t n_written =
      writev(STDERR_FILENO, parts, sizeof(parts) / sizeof(parts[0]));

  (void)n_written; // there is nowhere else to report it
  _exit(EXIT_UNUSABLE);
}

/**
 * Keep freed memory for later allocations. A process that reads a few files and
 * ends need not return memory, and new pages cost the kernel more time than
 * most uses of them take. Arrays of several megabytes keep mappings of their
 * own, which grow without being copied.
 */
static void keep_memory(void) {
#ifdef M_TOP_PAD
  mallopt(M_MMAP_THRESHOLD, 8 << 20);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
}

int main(int argc, char **argv) {
  struct err err = {0};

  keep_memory();
  mapped_file_guard(end_unusable);
  terminal_guard(&stderr);
  options_set_owner(commands_find_option);
  options_set_origin(find_origin);
  int code = run(argc, argv, &err);

  const int reason = out_file_flush(stdout);
  if (code < 0) {
    fprintf(stderr, "%s: %s\n", err_program(), err.text);
    return EXIT_UNUSABLE;
  }
  if (reason != 0) {
    fprintf(stderr, "%s: cannot write to standard output: %s\n", err_program(),
            strerror(reason));
    return EXIT_UNUSABLE;
  }
  return code;
}
