/* Processes that are made by system calls, by clone() with its own memory, and
   by _Fork(), run no handlers of fork(): the counts before are in the pool
   once, and so are those of each process. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog
// RUN: %arcline export --format=lcov pool | FileCheck %s
// RUN: env ARCLINE_OPTIONS=out=each/gmon.%%p ./prog
// RUN: env ARCLINE_OPTIONS=out=killed/%%m ./prog killed
// RUN: %arcline export --format=lcov killed | FileCheck %s
// RUN: ls each | grep -c '^gmon\.[0-9]*$' | grep -x 6
// RUN: %arcline export --format=lcov each | FileCheck %s
// As code of libraries, which counts in another way.
// RUN: %arcline-cc -O1 -g -fPIC -shared -DIS_LIBRARY %s -o libprog.so
// RUN: %clang %s -DIS_HOST -o host ./libprog.so
// RUN: env ARCLINE_OPTIONS=out=library/%%m ./host
// RUN: %arcline export --format=lcov library | FileCheck %s
// CHECK-DAG: FNDA:5,before
// CHECK-DAG: FNDA:15,in_child
// CHECK-DAG: FNDA:2,after
// CHECK-DAG: FNDA:1,run
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int run(int is_killed);

#ifndef IS_HOST
static volatile int n;

__attribute__((noinline)) static void before(void) { n++; }

__attribute__((noinline)) static void in_child(void) { n--; }

__attribute__((noinline)) static void after(void) { n += 2; }

static int must_be_killed;

static int work(void *unused) {
  (void)unused;
  for (int i = 0; i < 3; i++)
    in_child();
  if (must_be_killed)
    raise(SIGKILL);
  exit(0);
}

static long system_call(long number) {
  return syscall(number, SIGCHLD, 0, 0, 0, 0);
}

static pid_t make(int kind) {
  static char stack[1 << 16] __attribute__((aligned(16)));

  switch (kind) {
  case 0:
    return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  case 1:
    return (pid_t)system_call(SYS_clone);
  case 2:
#if __GLIBC_PREREQ(2, 34)
    return _Fork();
#endif
  case 3:
    return fork();
  default:
    return clone(work, stack + sizeof(stack), SIGCHLD, NULL);
  }
}

int run(int is_killed) {
  must_be_killed = is_killed;
  for (int i = 0; i < 5; i++)
    before();
  for (int i = 0; i < 5; i++) {
    const pid_t pid = make(i);
    int status;
    if (pid == 0)
      work(NULL);
    if (waitpid(pid, &status, 0) != pid || status != (is_killed ? SIGKILL : 0))
      return 1;
  }
  after();
  after();
  return 0;
}
#endif

#ifndef IS_LIBRARY
int main(int argc, char **argv) {
  (void)argv;
  return run(argc > 1);
}
#endif
