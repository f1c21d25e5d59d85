/* vfork(), posix_spawn() and clone(CLONE_VM): the child calls counted functions
   in the parent's memory. Its calls are counted for the parent, it has no file
   of its own, and the parent is not disturbed. */
// RUN: %arcline-cc -O2 %s -o %t -lpthread
// RUN: env ARCLINE_OPTIONS=out=gmon.%%p:_exit=dump:hz=1000 %t > truth
// RUN: ls | grep -c '^gmon\.[0-9]*$' | grep -x 1
// RUN: %check-truth %t %s truth gmon.*[0-9]
#define _GNU_SOURCE
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_ROUNDS = 100, N_CALLS = 100, STACK_BYTES = 1 << 16 };

extern char **environ;
static int line;
static unsigned long n_calls;

__attribute__((noinline)) static void leaf(void) {
  __asm__ volatile("");
  line = __LINE__ - 1;
}

__attribute__((noinline)) static void call(void) {
  for (int i = 0; i < N_CALLS; i++)
    leaf();
  n_calls += N_CALLS;
}

static int in_clone(void *arg) {
  (void)arg;
  call();
  _exit(3);
}

static void check(pid_t pid, int expected) {
  int status;

  if (pid <= 0 || waitpid(pid, &status, __WALL) != pid || !WIFEXITED(status) ||
      WEXITSTATUS(status) != expected)
    abort();
}

int main(void) {
  static char stack[STACK_BYTES] __attribute__((aligned(16)));
  char *const arguments[] = {"true", NULL};
  pid_t pid;

  for (int i = 0; i < N_ROUNDS; i++) {
    if ((pid = vfork()) == 0) {
      call();
      if (i & 1)
        execvp("true", arguments);
      _exit(0);
    }
    check(pid, 0);
    if (posix_spawnp(&pid, "true", NULL, NULL, arguments, environ))
      abort();
    check(pid, 0);
    check(clone(in_clone, stack + STACK_BYTES, CLONE_VM | SIGCHLD, NULL), 3);
    check(clone(in_clone, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD,
                NULL),
          3);
    call();
  }
  printf("calls leaf %lu\nline %d %lu\n", n_calls, line, n_calls);
  return 0;
}
