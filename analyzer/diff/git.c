/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/git.h"

#include "base/err.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/** Start git with its output in a pipe. Returns its process id, or -1. */
static pid_t start(const struct git_command *command, FILE **out) {
  posix_spawn_file_actions_t actions;
  int ends[2];
  pid_t pid;

  if (pipe(ends) != 0)
    return -1;
  posix_spawn_file_actions_init(&actions);
  if (command->input)
    posix_spawn_file_actions_adddup2(&actions, fileno(command->input),
                                     STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  const int error = posix_spawnp(&pid, command->argv[0], &actions, NULL,
                                 command->argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  *out = error ? NULL : fdopen(ends[0], "r");
  if (*out)
    return pid;
  close(ends[0]);
  errno = error ? error : errno;
  return -1;
}

int git_run(const struct git_command *command, git_read *read, void *context,
            struct err *err) {
  FILE *stream;
  int status = 0;
  const pid_t pid = start(command, &stream);

  if (pid < 0)
    return err_set(err, ERR_SYSTEM, "cannot execute git, which %s requires: %s",
                   command->option, strerror(errno));
  const int rc = read(stream, context, err);
  fclose(stream);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (rc != 0)
    return -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return err_set(err, ERR_INPUT,
                   "%s: git failed, see above; run arcline in the working tree "
                   "and name a revision",
                   command->option);
  return 0;
}
