/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Process id of the only pager; 0: none.
static pid_t pager_pid;
static int saved_stdout = -1;

static const char *choose_pager(void) {
  const char *command = getenv("ARCLINE_PAGER");
  if (!command)
    command = getenv("PAGER");
  if (!command)
    command = "less";
  return *command == '\0' || strcmp(command, "cat") == 0 ? NULL : command;
}

/** Is the first word of a command a program? True for commands that only the
 * shell can parse. */
static bool is_there(const char *command) {
  const size_t n_word = strcspn(command, " \t");
  if (command[strcspn(command, "|&;<>()$`\\\"'*?[#~=%")] != '\0')
    return true;
  if (memchr(command, '/', n_word))
    return true;
  const char *path = getenv("PATH");
  while (path && *path) {
    const size_t n_folder = strcspn(path, ":");
    char *file;
    if (asprintf(&file, "%.*s/%.*s", (int)n_folder, path, (int)n_word,
                 command) < 0)
      return false;
    const bool is_program = access(file, X_OK) == 0;
    free(file);
    if (is_program)
      return true;
    path += n_folder + (path[n_folder] == ':');
  }
  return false;
}

static int start(const char *command, int input, pid_t *pid) {
  static char shell[] = "sh", option[] = "-c";
  char *const words[] = {shell, option, (char *)command, NULL};
  posix_spawn_file_actions_t actions;
  setenv("LESS", "FRX", 0);
  setenv("LV", "-c", 0);
  if (posix_spawn_file_actions_init(&actions))
    return -1;
  const int error =
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) ||
      posix_spawn(pid, "/bin/sh", &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error ? -1 : 0;
}

void pager_begin(void) {
  const char *const command = choose_pager();
  int ends[2];
  if (!command || !is_there(command) || pipe2(ends, O_CLOEXEC))
    return;
  fflush(stdout);
  saved_stdout = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (saved_stdout >= 0 && start(command, ends[0], &pager_pid) == 0) {
    dup2(ends[1], STDOUT_FILENO);
    // These are for the pager, which must not outlive this process on the
    // terminal.
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    // Users may quit the pager at any time.
    signal(SIGPIPE, SIG_IGN);
  }
  close(ends[0]);
  close(ends[1]);
}

void pager_end(void) {
  if (!pager_pid)
    return;
  if (fflush(stdout) && errno == EPIPE) {
    __fpurge(stdout);
    clearerr(stdout);
  }
  dup2(saved_stdout, STDOUT_FILENO);
  close(saved_stdout);
  while (waitpid(pager_pid, NULL, 0) < 0 && errno == EINTR)
    continue;
  pager_pid = 0;
}
