/* The counts of a child that was killed are written although its process id
   belongs to another process at the end: to a running child or, for a
   grandchild, to a process that is not a relative. The test chooses process ids
   in its own namespace, if the kernel allows it. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: if unshare -rpf --mount-proc sh -c \
// RUN:     'echo 99 > /proc/sys/kernel/ns_last_pid'; then \
// RUN:   env ARCLINE_OPTIONS=out=pool/%%m unshare -rpf --mount-proc \
// RUN:     sh -c './prog && exit 0' && \
// RUN:   %arcline export --format=lcov pool | FileCheck %s; fi
// CHECK-DAG: FNDA:3,in_child
// CHECK-DAG: FNDA:4,in_grandchild
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sum;

__attribute__((noinline)) static int in_child(int x) { return x + 1; }

__attribute__((noinline)) static int in_grandchild(int x) { return x + 2; }

/* The next process gets this number. */
static void want(pid_t pid) {
  FILE *file = fopen("/proc/sys/kernel/ns_last_pid", "w");

  if (!file || fprintf(file, "%d", (int)pid - 1) < 0 || fclose(file))
    exit(1);
}

static pid_t lose_child(void) {
  const pid_t pid = fork();

  if (pid == 0) {
    for (int i = 0; i < 3; i++)
      sum += in_child(i);
    raise(SIGKILL);
  }
  if (waitpid(pid, NULL, 0) != pid)
    exit(1);
  return pid;
}

/* Its parent is killed, too. */
static pid_t lose_grandchild(void) {
  int numbers[2];
  pid_t pid;

  if (pipe(numbers))
    exit(1);
  const pid_t parent = fork();
  if (parent == 0) {
    pid = fork();
    if (pid == 0) {
      for (int i = 0; i < 4; i++)
        sum += in_grandchild(i);
      raise(SIGKILL);
    }
    waitpid(pid, NULL, 0);
    raise(write(numbers[1], &pid, sizeof(pid)) == sizeof(pid) ? SIGKILL
                                                            : SIGTERM);
  }
  if (read(numbers[0], &pid, sizeof(pid)) != sizeof(pid) ||
      waitpid(parent, NULL, 0) != parent)
    exit(1);
  return pid;
}

int main(void) {
  char *const sleeper[] = {"sleep", "100", NULL};
  char *const no_variables[] = {NULL};
  char byte;
  int there[2];

  const pid_t child = lose_child();
  const pid_t grandchild = lose_grandchild();
  pid_t pid;

  // The kernel records start times of processes in hundredths of a second.
  usleep(30000);
  // Both end with this process, at the latest with the namespace.
  want(grandchild);
  if (posix_spawnp(&pid, "sleep", NULL, NULL, sleeper, no_variables) ||
      pid != grandchild || pipe(there))
    return 1;
  want(child);
  pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (write(there[1], "", 1) == 1)
      pause();
    _exit(1);
  }
  if (pid != child || read(there[0], &byte, 1) != 1)
    return 1;
  return 0;
}
