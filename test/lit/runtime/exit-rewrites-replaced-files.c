/* A process that has dumped all its counts writes again when it ends, if a
   child, forked or executed, has replaced its files since, or if it has later
   samples. */
// RUN: echo '%arcline-cc -g -O1 -I%include %s -o %t' > cc
// RUN: sh cc && %t fork && %arcline gprof -b -p %t gmon.out | FileCheck %s
// RUN: %t start && %arcline gprof -b -p %t gmon.out | FileCheck %s
// RUN: %arcline gprof -b -p gmon.out.arcline | FileCheck --check-prefix=SIDE %s
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off sh cc
// RUN: %t fork && %arcline gprof -b -p %t gmon.out | FileCheck %s
// RUN: %t start && %arcline gprof -b -p %t gmon.out | FileCheck %s
// RUN: %t in-destructor && %arcline gprof -b -p %t gmon.out | FileCheck %s
// RUN: %t compute && %arcline gprof -b -p %t gmon.out \
// RUN:   | FileCheck --check-prefix=SAMPLES %s
// CHECK: {{ }}1000 {{.*}} of_parent
// SIDE: {{ }}1000 {{.*}} of_parent
// SAMPLES: {{[1-9].* 1 .*}} compute
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arcline/arcline.h"

#define NOT_COUNTED __attribute__((no_instrument_function, noinline))

extern char **environ;

__attribute__((noinline)) static void of_parent(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void of_child(void) { __asm__ volatile(""); }

/* Dumps by itself, so that no call is counted afterwards. */
__attribute__((noinline)) static int compute(void) {
  struct timespec now;

  if (arcline_dump())
    abort();
  do {
    for (volatile int i = 0; i < 1000000; i++)
      ;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  } while (now.tv_nsec < 400000000);
  return 0;
}

static int is_forked_at_end;

NOT_COUNTED static void one_child(void) {
  const pid_t child = fork();

  is_forked_at_end = 0;
  if (child == 0) {
    of_child();
    exit(0);
  }
  if (waitpid(child, NULL, 0) != child)
    abort();
}

NOT_COUNTED __attribute__((destructor)) static void at_end(void) {
  if (is_forked_at_end)
    one_child();
}

int main(int argc, char **argv) {
  char *const arguments[] = {argv[0], NULL};
  pid_t child;

  if (argc < 2) {
    of_child();
    return 0;
  }
  if (!strcmp(argv[1], "compute"))
    return compute();
  is_forked_at_end = !strcmp(argv[1], "in-destructor");
  for (int i = 0; i < 1000; i++)
    of_parent();
  if (arcline_dump())
    abort();
  if (!strcmp(argv[1], "fork"))
    one_child();
  else if (!strcmp(argv[1], "start") &&
           (posix_spawn(&child, argv[0], NULL, NULL, arguments, environ) ||
            waitpid(child, NULL, 0) != child))
    abort();
  return 0;
}
