/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline ctl`: sends commands to a running program.
 */
#include "base/err.h"
#include "cmd/commands.h"
#include "cmd/ctl_client.h"
#include "cmd/live_process.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPT_RESET = 1,
  OPT_TIMEOUT,
  OPT_FORCE,
  DEFAULT_TIMEOUT_S = 10,
  MAX_TIMEOUT_S = 86400,
  PATH_BYTES = 4096,
};

static const struct option_spec option_specs[] = {
    {OPT_RESET, 'r', "reset", OPTION_NO_ARGUMENT, NULL,
     "reset all counts after the dump"},
    {OPT_TIMEOUT, 't', "timeout", OPTION_ARGUMENT, "SECONDS",
     "time to wait for an answer (default 10)"},
    {OPT_FORCE, 'f', "force", OPTION_NO_ARGUMENT, NULL,
     "ignore system call filters of the program"},
    {0},
};

static const struct {
  const char *name;
  enum arcline_ctl_command code;
} known_commands[] = {
    {"dump", ARCLINE_CTL_DUMP},     {"reset", ARCLINE_CTL_RESET},
    {"start", ARCLINE_CTL_START},   {"stop", ARCLINE_CTL_STOP},
    {"status", ARCLINE_CTL_STATUS},
};

/** The parsed command line. */
struct ctl_options {
  bool is_reset;
  struct ctl_request request;
};

static int parse_operands(int argc, char **argv, struct ctl_options *out,
                          struct err *err) {
  if (argc < 2)
    return err_set(err, ERR_USAGE,
                   "no process or command given; usage: arcline ctl "
                   "[OPTION]... PID COMMAND");
  if (argc > 2)
    return options_reject(argv[2], "unexpected operand", "ctl", err);
  if (live_process_parse(argv[0], "ctl", &out->request.pid, err))
    return -1;
  for (size_t i = 0; i < sizeof(known_commands) / sizeof(known_commands[0]);
       i++)
    if (strcmp(argv[1], known_commands[i].name) == 0)
      out->request.command = known_commands[i].code;
  if (!out->request.command)
    return err_set(
        err, ERR_USAGE,
        "%s: unknown command; use dump, reset, start, stop or status",
        options_shown(argv[1]));
  if (out->is_reset && out->request.command != ARCLINE_CTL_DUMP)
    return err_set(err, ERR_USAGE, "--reset: valid with the command dump only");
  if (out->is_reset)
    out->request.command = ARCLINE_CTL_DUMP_AND_RESET;
  return 0;
}

static int apply(void *context, int id, const char *value, struct err *err) {
  struct ctl_options *const options = context;

  if (id == OPT_RESET)
    options->is_reset = true;
  else if (id == OPT_FORCE)
    options->request.is_forced = true;
  else if (!options_parse_number(value, &options->request.timeout_s) ||
           options->request.timeout_s < 0 ||
           options->request.timeout_s > MAX_TIMEOUT_S)
    return err_set(
        err, ERR_USAGE,
        "--timeout=%s: must be a number of seconds from 0 to %d; try arcline "
        "ctl --help",
        value, MAX_TIMEOUT_S);
  return 0;
}

static int parse(int argc, char **argv, struct ctl_options *out,
                 struct err *err) {
  int first;

  *out = (struct ctl_options){.request = {.timeout_s = DEFAULT_TIMEOUT_S}};
  const int rc =
      options_parse(option_specs, argc, argv, apply, out, &first, err);
  return rc ? rc : parse_operands(argc - first, argv + first, out, err);
}

/** Print text of the program, without its control characters. */
static void print_safely(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    putchar(iscntrl((unsigned char)text[i]) ? '?' : text[i]);
}

static void print_answer(const struct ctl_request *request,
                         const char *answer) {
  char folder[PATH_BYTES];
  const bool is_status = request->command == ARCLINE_CTL_STATUS;

  live_process_link(request->pid, is_status ? "exe" : "cwd", folder,
                    sizeof(folder));
  if (is_status) {
    printf("process %d\nprogram ", (int)request->pid);
    print_safely(folder, strlen(folder));
    putchar('\n');
  }
  for (const char *line = answer; *line;) {
    const size_t n = strcspn(line, "\n");
    // Names of files are relative to the program's folder.
    if (!is_status && *line != '/') {
      print_safely(folder, strlen(folder));
      putchar('/');
    }
    print_safely(line, n);
    putchar('\n');
    line += n + (line[n] != '\0');
  }
}

static void print_commands(FILE *out) {
  fputs("\nCommands:\n"
        "  dump    write the profile, and print the names of its files\n"
        "  reset   set all counts and samples to zero\n"
        "  start   resume sampling\n"
        "  stop    pause sampling\n"
        "  status  print the state of the runtime\n",
        out);
}

static int run(int argc, char **argv, struct err *err) {
  struct ctl_options options;
  char *answer;
  int rc = parse(argc, argv, &options, err);

  if (rc)
    return rc;
  if (ctl_ask(&options.request, &answer, err))
    return -1;
  print_answer(&options.request, answer);
  free(answer);
  return 0;
}

const struct command cmd_ctl = {
    .name = "ctl",
    .summary = "send commands to a running program",
    .synopsis = "[OPTION]... PID COMMAND",
    .description = "Send a command to a running program.\n",
    .examples = "1234 dump\n--reset 1234 dump\n1234 status\n",
    .options = option_specs,
    .operands = "PID dump|reset|start|stop|status",
    .print_details = print_commands,
    .run = run,
};
