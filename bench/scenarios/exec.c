/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Uses CPU time, then executes a shell that uses some more; with an argument,
   starts the shell as another process. */
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void burn(void) {
  const clock_t end = clock() + CLOCKS_PER_SEC / 5;

  while (clock() < end)
    leaf();
}

int main(int argc, char **argv) {
  char *const shell[] = {
      "sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done", NULL};
  int status = 1;
  pid_t pid;

  (void)argv;
  burn();
  if (argc == 1)
    execv("/bin/sh", shell);
  else if (posix_spawn(&pid, "/bin/sh", NULL, NULL, shell, environ) == 0)
    waitpid(pid, &status, 0);
  return status != 0;
}
