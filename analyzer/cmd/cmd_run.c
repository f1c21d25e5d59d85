/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline run`: runs an instrumented program with a folder of its own for the
 * profiles of all its processes, then reports. To the caller it is the program:
 * signals go to it, and its exit status is passed on.
 */
#include "arcline/context_format.h"
#include "arcline/gmon_format.h"
#include "base/err.h"
#include "cmd/commands.h"
#include "contexts/context_collect.h"
#include "model/folder.h"
#include "model/newest.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
  OPT_OUTPUT = 1,
  OPT_HZ,
  OPT_QUIET,
  OPT_CONTEXT,

  MAX_FOLDERS = 1000,   // of one name, that are tried
  EXIT_BY_SIGNAL = 128, // plus its number, as shells have it
};

static const struct option_spec option_specs[] = {
    {OPT_OUTPUT, 'o', "output", OPTION_ARGUMENT, "FOLDER",
     "folder for profiles (default arcline.PROGRAM)"},
    {OPT_CONTEXT, 0, "context", OPTION_ARGUMENT, "NAME",
     "run a test of this name, for arcline tests"},
    {OPT_HZ, 0, "hz", OPTION_ARGUMENT, "N",
     "samples per second of CPU time (default 100)"},
    {OPT_QUIET, 'q', "quiet", OPTION_NO_ARGUMENT, NULL,
     "print neither the report nor the folder"},
    {0},
};

/** Everything a run has in hand. All zero is empty. */
struct run {
  const char *output;  // given
  const char *context; // or NULL
  bool is_quiet;
  long hz;      // 0: not set
  char **argv;  // of the program, up to NULL
  char *folder; // as it is shown
};

static int check_context(const char *name, struct err *err) {
  char folder[ARCLINE_CONTEXT_MAX_BYTES];

  return arcline_context_folder(name, folder) > 0
             ? 0
             : err_set(err, ERR_USAGE, "--context: name is %s",
                       name[0] ? "too long; shorten it" : "empty");
}

static int apply(void *context, int id, const char *value, struct err *err) {
  struct run *const run = context;

  switch (id) {
  case OPT_OUTPUT:
    run->output = value;
    return 0;
  case OPT_CONTEXT:
    run->context = value;
    return check_context(value, err);
  case OPT_HZ:
    if (!options_parse_number(value, &run->hz) || run->hz < 1 ||
        run->hz > ARCLINE_MAX_RATE_HZ)
      return err_set(
          err, ERR_USAGE,
          "--hz=%s: must be a number of samples per second from 1 to "
          "%d; try arcline run --help",
          value, ARCLINE_MAX_RATE_HZ);
    return 0;
  default:
    run->is_quiet = true;
    return 0;
  }
}

static int parse(struct run *run, int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse_leading(option_specs, argc, argv, apply, run, &first, err);

  if (rc)
    return rc;
  if (first >= argc)
    return err_set(err, ERR_USAGE, "no program given; try arcline run --help");
  run->argv = argv + first;
  return 0;
}

// --- The folder ---

static int reject_folder(const char *name, struct err *err) {
  return err_set(err, ERR_SYSTEM,
                 "%s: cannot create folder: %s; use -o to write elsewhere",
                 name, strerror(errno));
}

/** Do all processes of the environment add to a folder already, as in another
 * `arcline run'? */
static bool is_in_suite(void) {
  const char *const options = getenv("ARCLINE_OPTIONS");
  const char *out = options ? strstr(options, "out=") : NULL;

  return out && memmem(out, strcspn(out, ":"), "%m", 2);
}

/** Make a folder that no other run has, or the one that the user named. */
static int make_folder(struct run *run, struct err *err) {
  const char *const slash = strrchr(run->argv[0], '/');
  const char *const program = slash ? slash + 1 : run->argv[0];

  if (run->output) {
    run->folder = strdup(run->output);
    if (!run->folder)
      return err_no_memory(err);
    return mkdir(run->folder, 0777) == 0 || errno == EEXIST
               ? 0
               : reject_folder(run->folder, err);
  }
  for (int i = 1;; i++) {
    if ((i == 1 ? asprintf(&run->folder, "arcline.%s", program)
                : asprintf(&run->folder, "arcline.%s.%d", program, i)) < 0) {
      run->folder = NULL;
      return err_no_memory(err);
    }
    if (mkdir(run->folder, 0777) == 0)
      return 0;
    if (errno != EEXIST || i == MAX_FOLDERS)
      return reject_folder(run->folder, err);
    free(run->folder);
  }
}

/** Set the options of the program and all that it starts, to write there. The
 * user's options come first. */
static int set_environment(const struct run *run, struct err *err) {
  const char *const old = getenv("ARCLINE_OPTIONS");
  char path[PATH_MAX], pattern[2 * PATH_MAX], rate[32] = "";
  char *options;
  size_t n = 0;

  if (!realpath(run->folder, path))
    return err_set(err, ERR_SYSTEM,
                   "%s: cannot open folder: %s; use -o to write elsewhere",
                   run->folder, strerror(errno));
  if (strchr(path, ':'))
    return err_set(err, ERR_USAGE,
                   "%s: path contains a colon; use -o to write elsewhere",
                   path);
  for (const char *at = path; *at; at++) {
    pattern[n++] = *at;
    if (*at == '%')
      pattern[n++] = '%';
  }
  pattern[n] = '\0';
  if (run->hz)
    snprintf(rate, sizeof(rate), ":hz=%ld", run->hz);
  if (asprintf(&options, "%s%sout=%s/%%m%s", old ? old : "", old ? ":" : "",
               pattern, rate) < 0)
    return err_no_memory(err);
  const int rc = setenv("ARCLINE_OPTIONS", options, 1);
  free(options);
  unsetenv("GMON_OUT_PREFIX"); // it would override built-in options
  return rc == 0 ? 0 : err_no_memory(err);
}

// --- The program ---

/** Signals that end a program, or that mean something to it. */
static const int passed_on[] = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP,
                                SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH};

enum { N_PASSED_ON = sizeof(passed_on) / sizeof(passed_on[0]) };

static volatile pid_t child;

/** The terminal sends its signals to all of the foreground: the program has
 * them already. */
static void pass_on(int number, siginfo_t *info, void *context) {
  (void)context;
  if (child > 0 && info->si_code != SI_KERNEL)
    kill(child, number);
}

/** Start the program with signals as we found them. */
static int start(struct run *run, struct sigaction *old, struct err *err) {
  struct sigaction action = {.sa_sigaction = pass_on,
                             .sa_flags = SA_SIGINFO | SA_RESTART};
  posix_spawnattr_t attributes;
  sigset_t all, before, unset;
  pid_t pid;

  sigfillset(&action.sa_mask);
  sigfillset(&all);
  sigemptyset(&unset);
  sigprocmask(SIG_BLOCK, &all, &before); // until the child runs
  for (size_t i = 0; i < N_PASSED_ON; i++) {
    sigaction(passed_on[i], NULL, &old[i]);
    if (old[i].sa_handler == SIG_IGN)
      continue; // as of nohup; the program ignores it, too
    sigaction(passed_on[i], &action, NULL);
    sigaddset(&unset, passed_on[i]);
  }
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setsigdefault(&attributes, &unset);
  const int error =
      posix_spawnp(&pid, run->argv[0], NULL, &attributes, run->argv, environ);
  posix_spawnattr_destroy(&attributes);
  if (error == 0)
    child = pid;
  sigprocmask(SIG_SETMASK, &before, NULL);
  return error == 0 ? 0
                    : err_set(err, ERR_INPUT, "%s: cannot execute: %s",
                              run->argv[0], strerror(error));
}

/** Run the program to its end. Returns its exit status, as of a shell; or -1
 * with *err set. */
static int run_program(struct run *run, struct err *err) {
  struct sigaction old[N_PASSED_ON];
  int status = 0, rc = start(run, old, err);

  while (rc == 0 && waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      rc = err_set(err, ERR_SYSTEM, "%s: cannot wait for the process: %s",
                   run->argv[0], strerror(errno));
  child = 0;
  for (size_t i = 0; i < N_PASSED_ON; i++)
    sigaction(passed_on[i], &old[i], NULL);
  if (rc != 0)
    return -1;
  return WIFSIGNALED(status) ? EXIT_BY_SIGNAL + WTERMSIG(status)
                             : WEXITSTATUS(status);
}

// --- The report ---

/** Did any process leave a profile? */
static bool has_profiles(const struct run *run) {
  struct folder_files files = {0};
  struct err why;
  const bool has_any =
      folder_find_profiles(run->folder, NULL, &files, &why) == 0 &&
      files.n_paths > 0;

  folder_files_release(&files);
  return has_any;
}

/** Report to standard error: standard output is the program's. */
static void report(const struct run *run) {
  char *argv[] = {(char *)cmd_report.name, "--no-pager", run->folder, NULL};
  struct err err = {0};

  fflush(stdout);
  const int saved = dup(STDOUT_FILENO);
  if (saved < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    return;
  if (cmd_report.run(3, argv, &err) < 0)
    warn("%s", err.text);
  fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  fprintf(stderr, "\nThe profiles are in %s.\n", run->folder);
}

/** Of tests that named themselves by ARCLINE_CONTEXT: record what they ran
 * while the images are there. */
static void collect_contexts(const struct run *run) {
  const struct context_collecting options = {.folder = run->folder};
  struct context_collected collected;
  struct err err;

  if (context_collect(&options, &collected, &err) != 0)
    warn("%s", err.text);
  context_collected_release(&collected);
}

/** Run a test: its standard error is compared by some suites, so that nothing
 * is reported. */
static int run_test(struct run *run, struct err *err) {
  const bool is_inner = !run->output && is_in_suite();

  if (!run->output)
    run->output = newest_folder();
  if (!is_inner &&
      (make_folder(run, err) != 0 || set_environment(run, err) != 0))
    return -1;
  return setenv("ARCLINE_CONTEXT", run->context, 1) == 0 ? run_program(run, err)
                                                         : err_no_memory(err);
}

static int run_and_report(struct run *run, struct err *err) {
  if (make_folder(run, err) != 0)
    return -1;
  int status = set_environment(run, err) == 0 ? run_program(run, err) : -1;
  if (status < 0 || !has_profiles(run)) {
    if (!run->output)
      rmdir(run->folder); // only if it is empty
    if (status >= 0)
      warn(
          "%s: no profile was written; run `arcline doctor %s' to find out why",
          run->argv[0], run->argv[0]);
  } else {
    if (!run->is_quiet)
      report(run);
    collect_contexts(run);
  }
  return status;
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {0};
  int rc = parse(&run, argc, argv, err);

  if (rc == 0)
    rc = run.context ? run_test(&run, err) : run_and_report(&run, err);
  free(run.folder);
  return rc;
}

const struct command cmd_run = {
    .name = "run",
    .summary = "run a program and report on all its processes",
    .synopsis = "[OPTION]... [--] PROGRAM [ARGUMENT]...",
    .description =
        "Run an instrumented program and report on all of its processes.\n"
        "Their profiles go to a folder of their own; the report goes to "
        "standard error.\nSignals are passed on to the program, whose exit "
        "status is that of arcline.\n"
        "With --context, the program is a test, whose counts are added to the "
        "folder of its\nsuite: that of an arcline run around it, or of the "
        "project. There is no report.\n",
    .examples = "./prog input\n--hz=1000 -o profiles make check\n"
                "--context=parser/empty -o suite ./prog --test\n",
    .options = option_specs,
    .is_coloured = true, // the report is
    .run = run,
};
