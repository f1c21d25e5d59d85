/* A child that is killed after its parent has executed another program loses no
   counts as long as it has a sibling, which writes them. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog
// RUN: %arcline export --format=lcov pool | FileCheck %s
// CHECK-DAG: FNDA:3,in_killed
// CHECK-DAG: FNDA:2,in_brother
// CHECK-DAG: FNDA:1,main
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Descriptors. The end of file at START lets the sibling end; that closes
   END. */
enum { START = 5, CONTINUE, END, HAS_ENDED };

static volatile int sum;

__attribute__((noinline)) static int in_killed(int x) { return x + 1; }

__attribute__((noinline)) static int in_brother(int x) { return x + 2; }

static void make_pipe(int from, int to) {
  int ends[2];

  if (pipe(ends) || dup2(ends[0], from) < 0 || dup2(ends[1], to) < 0)
    exit(1);
  close(ends[0]);
  close(ends[1]);
}

static void be_brother(void) {
  char byte;

  close(CONTINUE);
  for (int i = 0; i < 2; i++)
    sum += in_brother(i);
  if (read(START, &byte, 1))
    exit(1);
  exit(0);
}

static void be_killed(int has_counted) {
  for (int i = 0; i < 3; i++)
    sum += in_killed(i);
  if (write(has_counted, "", 1) == 1)
    pause();
  exit(1);
}

int main(void) {
  int counted[2];
  char number[16], byte;

  // Does not collide with these numbers.
  if (dup2(0, 20) < 0 || dup2(0, 21) < 0 || pipe(counted) ||
      dup2(counted[0], 20) < 0 || dup2(counted[1], 21) < 0)
    return 1;
  close(counted[0]);
  close(counted[1]);
  make_pipe(START, CONTINUE);
  make_pipe(HAS_ENDED, END);
  if (fork() == 0)
    be_brother();
  close(END);
  const pid_t pid = fork();
  if (pid == 0)
    be_killed(21);
  if (read(20, &byte, 1) != 1)
    return 1;
  snprintf(number, sizeof(number), "%d", (int)pid);
  execl("/bin/sh", "sh", "-c",
        "kill -9 $1; while grep -q 'State:.[^Z]' /proc/$1/status; do :; done; "
        "exec 6>&-; read line <&8; exit 0",
        "sh", number, (char *)NULL);
  return 1;
}
