/* Children that are killed, or end by the system call, lose no counts: a
   relative writes them. This includes their threads, and children of theirs
   that are killed before them; indirect calls are distinguished. The program
   gets its children's statuses as usual, and uses no more memory for a hundred
   children than for some. */
// RUN: %arcline-cc -O1 -I%S/Inputs -g %s -o prog -lpthread
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog
// RUN: %arcline export --format=lcov pool | FileCheck %s
// RUN: %arcline merge -o sum pool && grep -x 'processes 241' sum.arcline
// CHECK-DAG: FNDA:5,before
// CHECK-DAG: FNDA:2700,in_child
// CHECK-DAG: FNDA:1350,one
// CHECK-DAG: FNDA:1350,other
// CHECK-DAG: FNDA:840,in_thread
// CHECK-DAG: FNDA:1,main
// RUN: %arcline gprof -b -q prog pool/prog.???????????????? > calls
// RUN: grep -c '1350/1350 *work' calls | grep -x 2
// Files of their own, too, where they have none yet.
// RUN: env ARCLINE_OPTIONS=out=each/gmon.%%p ./prog
// RUN: %arcline export --format=lcov each | FileCheck %s
// Where address space is limited, none of it is taken.
// RUN: sh -c 'ulimit -v 4000000; ARCLINE_OPTIONS=out=small/%%m ./prog'
// RUN: %arcline export --format=lcov small | FileCheck %s --check-prefix=OWN
// OWN-DAG: FNDA:5,before
// RUN: env ARCLINE_OPTIONS=out=off/%%m:fork=off ./prog
// RUN: %arcline export --format=lcov off | FileCheck %s --check-prefix=OFF
// OFF-DAG: FNDA:0,in_child
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pages.h"

enum { N_ROUNDS = 20, N_WAYS = 6 };

typedef int function(int);

static volatile int sum;

__attribute__((noinline)) static int before(int x) { return x + 1; }

__attribute__((noinline)) static int in_child(int x) { return x + 2; }

__attribute__((noinline)) static int in_thread(int x) { return x + 3; }

__attribute__((noinline)) static int one(int x) { return x + 4; }

__attribute__((noinline)) static int other(int x) { return x + 5; }

/* In some children, the first callee of the site is another one. */
__attribute__((noinline)) static void work(int n, int first) {
  function *const volatile callees[] = {one, other};

  for (int i = 0; i < n; i++) {
    sum += in_child(i);
    sum += callees[(i + first) % 2](i);
  }
}

static void *run(void *argument) {
  for (int i = 0; i < 7; i++)
    sum += in_thread(i);
  return argument;
}

static void end(int way) {
  pthread_t thread;

  for (int i = 0; i < 2 && way % 2; i++)
    if (!pthread_create(&thread, NULL, run, NULL))
      pthread_join(thread, NULL);
  if (way == 0)
    raise(SIGKILL);
  if (way == 1)
    syscall(SYS_exit_group, 7);
  if (way == 2)
    raise(SIGTERM);
  if (way == 3)
    exit(8);
  if (way == 4)
    _exit(9);
  abort();
}

static void check(int status, int way) {
  const int signals[] = {SIGKILL, 0, SIGTERM, 0, 0, SIGABRT};
  const int codes[] = {0, 7, 0, 8, 9, 0};

  if (signals[way] ? !WIFSIGNALED(status) || WTERMSIG(status) != signals[way]
                   : !WIFEXITED(status) || WEXITSTATUS(status) != codes[way])
    exit(1);
}

static void run_child(int way) {
  const pid_t pid = fork();
  int status;

  if (pid == 0) {
    work(10, way & 1);
    end(way);
  }
  if (waitpid(pid, &status, 0) != pid)
    exit(1);
  check(status, way);
}

static void run_family(int i) {
  siginfo_t info;
  const pid_t pid = fork();

  work(10, i & 1);
  if (pid != 0)
    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
  else
    work(10 * (i & 1), 1);
  raise(SIGKILL);
}

int main(void) {
  unsigned long n_pages = 0;

  for (int i = 0; i < 5; i++)
    sum += before(i);
  for (int round = 0; round < N_ROUNDS; round++) {
    for (int way = 0; way < N_WAYS; way++)
      run_child(way);
    if (round == 3)
      n_pages = pages();
  }
  if (pages() != n_pages)
    return 1;
  // All at once, and their children, whose statuses no process reads.
  for (int i = 0; i < 3 * N_ROUNDS; i++)
    if (fork() == 0)
      run_family(i);
  while (wait(NULL) > 0)
    continue;
  return wait(NULL) != -1;
}
