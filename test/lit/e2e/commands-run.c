// `arcline run`: a folder for all processes of a program, signals and exit status passed on,
// the report on standard error.
// RUN: %arcline-cc -g %s -o prog
// RUN: not %arcline run -- ./prog -x 3 > out 2> err
// RUN: (%arcline run ./prog -x 3 > out 2> err; test $? = 3)
// RUN: printf 'done -x\n' | cmp - out
// RUN: FileCheck %s < err
// CHECK: calls
// CHECK: work
// CHECK: The profiles are in arcline.prog.2.
// The child's calls are in it: one file for both.
// RUN: ls arcline.prog.2 | grep -c '^prog\.[0-9a-f]*$' | grep -qx 1
// RUN: %arcline gprof -b -p ./prog arcline.prog.2 | FileCheck %s --check-prefix=CALLS
// CALLS: 20 {{.*}}work

// Profiles are added to those of a given folder; settings of the user are kept.
// RUN: env ARCLINE_OPTIONS=stacks=off %arcline run -q -o all ./prog a 0 > out 2> err
// RUN: %arcline run -q -o all ./prog a 0 > out 2>> err
// RUN: test ! -s err && %arcline gprof -b -p ./prog all | FileCheck %s --check-prefix=TWICE
// TWICE: 40 {{.*}}work
// RUN: test ! -e gmon.out

// Signals: one that the program handles, and one that ends it. --hz is an option.
// RUN: (%arcline run -q --hz=50 ./prog wait 0 > pid & runner=$!; until grep -q ready pid; do sleep 0.05; done; kill -TERM $runner; wait $runner; test $? = 42)
// RUN: (%arcline run -q ./prog kill 0; test $? = 137)

// Programs that cannot be run or leave no profile.
// RUN: (%arcline run ./nothing 2> err; test $? = 2) && FileCheck %s --check-prefix=NOTHING < err
// NOTHING: arcline: ./nothing: cannot execute: No such file or directory
// RUN: (%arcline run sh -c 'exit 7' 2> err; test $? = 7) && FileCheck %s --check-prefix=NONE < err
// NONE: arcline: warning: sh: no profile was written; run `arcline doctor sh' to find out why
// RUN: test ! -e arcline.sh && test ! -e arcline.nothing
// RUN: (%arcline run 2>&1; test $? = 2) | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: arcline: no program given; try arcline run --help
// RUN: (%arcline run -o no/such/folder ./prog a 0 2>&1; test $? = 2) | FileCheck %s --check-prefix=FOLDER
// FOLDER: arcline: no/such/folder: cannot create folder: No such file or directory; use -o to write elsewhere
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void work(void) { __asm__ volatile(""); }

static void on_term(int number) {
  (void)number;
  exit(42);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  if (strcmp(argv[1], "kill") == 0)
    raise(SIGKILL);
  if (strcmp(argv[1], "wait") == 0) {
    signal(SIGTERM, on_term);
    puts("ready");
    fflush(stdout);
    for (;;)
      pause();
  }
  for (int i = 0; i < 10; i++)
    work();
  if (fork() == 0) {
    for (int i = 0; i < 10; i++)
      work();
    exit(0);
  }
  wait(NULL);
  printf("done %s\n", argv[1]);
  return atoi(argv[2]);
}
