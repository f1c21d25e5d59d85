/* Grandchildren that are killed together with their parent lose no counts,
   although so many relatives run at once that a second block of shared memory
   is needed, and although the oldest children, which have mapped only the first
   block, fork last. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog
// RUN: %arcline export --format=lcov pool | FileCheck %s
// RUN: %arcline merge -o sum pool && grep -x 'processes 121' sum.arcline
// CHECK-DAG: FNDA:60,in_child
// CHECK-DAG: FNDA:60,in_grandchild
// RUN: env ARCLINE_OPTIONS=out=below/%%m ./prog fork | cat
// RUN: %arcline export --format=lcov below | FileCheck %s
// RUN: env ARCLINE_OPTIONS=out=raw/%%m ./prog clone | cat
// RUN: %arcline export --format=lcov raw | FileCheck %s
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_ELDER = 32, N_YOUNGER = 28 };

static volatile int sum;
static int start[2]; /* read from, it ends when all may continue */
static int there[2]; /* a byte from each younger grandchild */

__attribute__((noinline)) static int in_child(int x) { return x + 1; }

__attribute__((noinline)) static int in_grandchild(int x) { return x + 2; }

static void await_start(void) {
  char byte;

  close(start[1]);
  if (read(start[0], &byte, 1))
    exit(1);
}

static void be_grandchild(int is_elder) {
  sum += in_grandchild(1);
  if (!is_elder) {
    if (write(there[1], "", 1) != 1)
      exit(1);
    await_start();
  }
  raise(SIGKILL);
}

static void be_child(int is_elder) {
  siginfo_t info;

  if (is_elder)
    await_start();
  const pid_t pid = fork();
  if (pid == 0)
    be_grandchild(is_elder);
  close(start[1]);
  sum += in_child(1);
  waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
  raise(SIGKILL);
}

static void make_children(int n, int is_elder) {
  for (int i = 0; i < n; i++) {
    const pid_t pid = fork();
    if (pid == 0)
      be_child(is_elder);
    if (pid == -1)
      exit(1);
  }
}

/* The reader of standard output waits for the daemon. */
static void be_daemon(int is_raw) {
  const pid_t parent = getpid();
  const long pid = is_raw ? syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();

  if (pid)
    exit(pid < 0);
  while (getppid() == parent)
    usleep(1000);
}

int main(int argc, char **argv) {
  char byte;

  if (argc == 2)
    be_daemon(!strcmp(argv[1], "clone"));
  if (pipe(start) || pipe(there))
    return 1;
  make_children(N_ELDER, 1);
  make_children(N_YOUNGER, 0);
  close(there[1]);
  for (int i = 0; i < N_YOUNGER; i++)
    if (read(there[0], &byte, 1) != 1)
      return 1;
  close(start[1]);
  while (wait(NULL) > 0)
    continue;
  return 0;
}
