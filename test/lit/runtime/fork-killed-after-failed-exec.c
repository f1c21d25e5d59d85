/* A child that is killed after its parent has executed another program loses no
   counts, even if its own exec has failed: its sibling writes them. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: echo text > no-program && chmod +x no-program
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog
// RUN: %arcline export --format=lcov pool | FileCheck %s
// CHECK-DAG: FNDA:3,in_killed
// CHECK-DAG: FNDA:2,in_brother
// CHECK-DAG: FNDA:1,main
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors of pipes. The end of file at START lets the sibling end, and at
   GO lets the other child try. */
enum { COUNTED = 3, START = 5, CONTINUE, END, HAS_ENDED, RELEASE };
enum { GO = 20, HAS_COUNTED };

static volatile int sum;

__attribute__((noinline)) static int in_killed(int x) { return x + 1; }

__attribute__((noinline)) static int in_brother(int x) { return x + 2; }

static void make_pipe(int from, int to) {
  int ends[2];

  if (pipe(ends) || dup2(ends[0], 30) < 0 || dup2(ends[1], 31) < 0)
    exit(1);
  close(ends[0]);
  close(ends[1]);
  if (dup2(30, from) < 0 || dup2(31, to) < 0)
    exit(1);
  close(30);
  close(31);
}

static void be_brother(void) {
  char byte;

  close(CONTINUE);
  close(RELEASE);
  for (int i = 0; i < 2; i++)
    sum += in_brother(i);
  if (read(START, &byte, 1))
    exit(1);
  exit(0);
}

static void be_killed(void) {
  char byte;

  close(RELEASE);
  if (read(GO, &byte, 1))
    exit(1);
  execl("./no-program", "no-program", (char *)NULL);
  if (errno != ENOEXEC)
    exit(1);
  const pid_t pid = fork(); // writes for relatives
  if (pid == 0)
    _exit(0);
  if (waitpid(pid, NULL, 0) != pid)
    exit(1);
  for (int i = 0; i < 3; i++)
    sum += in_killed(i);
  if (write(HAS_COUNTED, "\n", 1) == 1)
    pause();
  exit(1);
}

int main(void) {
  char number[16];

  make_pipe(START, CONTINUE);
  make_pipe(HAS_ENDED, END);
  make_pipe(GO, RELEASE);
  if (fork() == 0)
    be_brother();
  close(END);
  make_pipe(COUNTED, HAS_COUNTED);
  const pid_t pid = fork();
  if (pid == 0)
    be_killed();
  close(HAS_COUNTED);
  snprintf(number, sizeof(number), "%d", (int)pid);
  execl("/bin/sh", "sh", "-c",
        "exec 9>&-; read line <&3; "
        "kill -9 $1; while grep -q 'State:.[^Z]' /proc/$1/status; do :; done; "
        "exec 6>&-; read line <&8; exit 0",
        "sh", number, (char *)NULL);
  return 1;
}
