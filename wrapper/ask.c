/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ask.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool start(char *const *argv, int stream, int end, pid_t *child) {
  const int other = stream == STDOUT_FILENO ? STDERR_FILENO : STDOUT_FILENO;
  posix_spawn_file_actions_t actions;

  if (posix_spawn_file_actions_init(&actions) != 0)
    return false;
  const bool is_started =
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                       O_RDONLY, 0) == 0 &&
      posix_spawn_file_actions_adddup2(&actions, end, stream) == 0 &&
      posix_spawn_file_actions_addopen(&actions, other, "/dev/null", O_WRONLY,
                                       0) == 0 &&
      posix_spawnp(child, argv[0], &actions, NULL, argv, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  return is_started;
}

/** All text of a pipe, which is closed. */
static char *read_all(int end) {
  FILE *const file = fdopen(end, "r");
  char *text = NULL;
  size_t size = 0;

  if (!file) {
    close(end);
    return NULL;
  }
  const ssize_t n = getdelim(&text, &size, '\0', file);
  fclose(file);
  if (n >= 0)
    return text;
  free(text);
  return NULL;
}

char *ask_program(char *const *argv, int stream) {
  int ends[2], status = -1;
  pid_t child;

  if (pipe2(ends, O_CLOEXEC) != 0)
    return NULL;
  const bool is_started = start(argv, stream, ends[1], &child);
  close(ends[1]);
  char *const answer = read_all(ends[0]);
  if (is_started && waitpid(child, &status, 0) == child && status == 0)
    return answer;
  free(answer);
  return NULL;
}
