/* A child of fork() that ends by _exit() or executes a program writes no file
   if its parent is still running and would write one with the same name, even
   in another folder. It does if it has its own file name, or if its parent has
   ended, as for a daemon. exit() always writes. */
// RUN: %arcline-cc -O2 %s -o %t
// RUN: mkdir there
// RUN: for how in _exit exec; do \
// RUN:   rm -f gmon.out*; %t $how there > truth && ls there | count 0 || exit 1; \
// RUN:   %check-truth %t %s truth gmon.out || exit 1; \
// RUN: done
// RUN: %t exit there && ls there | count 2
// RUN: rm there/*; env GMON_OUT_PREFIX=own %t _exit there
// RUN: ls there | grep -c '^own.[0-9]*$' | grep -x 1
//
// The child's file is the one that stays; the pipe is open until it ends.
// RUN: rm gmon.out*; %t daemon | cat > truth
// RUN: %check-truth %t %s truth gmon.out
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int n_called;

enum { LINE = __LINE__ + 1 };
__attribute__((noinline)) static void called(void) { n_called++; }

static void tell(int n) {
  printf("calls called %d\nline %d %d\n", n, LINE, n);
  fflush(stdout);
}

static void end(const char *how) {
  if (!strcmp(how, "_exit"))
    _exit(0);
  if (!strcmp(how, "exec"))
    execl("/bin/true", "true", (char *)NULL);
  exit(0);
}

static void become_daemon(void) {
  const pid_t parent = getpid();

  if (fork())
    _exit(0);
  while (getppid() == parent)
    sched_yield();
}

int main(int argc, char **argv) {
  const char *how = argv[1];

  called();
  if (strcmp(how, "daemon") == 0) {
    tell(2);
    become_daemon();
    called();
    called();
    _exit(0);
  }
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(argv[argc - 1]))
      return 1;
    called();
    end(how);
  }
  wait(NULL);
  tell(1);
  return 0;
}
