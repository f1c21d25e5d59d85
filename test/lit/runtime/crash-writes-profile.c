/* crash=dump: when a signal ends the program a profile is written, and the
   status is the same as without. Signals that the program ignores or handles
   are not changed; a vfork()ed child writes no profile. */
// RUN: %cc -O1 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: %cc -O1 -static -I%include -I%S/Inputs %s -L%libdir -larcline \
// RUN:   -lpthread -o %t.static
// RUN: ulimit -c 0; for prog in %t %t.static; do \
// RUN:   run="env --default-signal $prog"; \
// RUN:   for how in fault overflow overflow-in-thread many-threads abort heap \
// RUN:     1 2 3 4 5 6 7 8 10 11 12 13 14 15 16 24 25 26 27 29 30 31 40 64; do \
// RUN:     $run $how 2>/dev/null; plain=$?; \
// RUN:     test $plain -gt 128 -a ! -e gmon.out || exit 1; \
// RUN:     ARCLINE_OPTIONS=crash=dump $run $how 2> text; \
// RUN:     test $? = $plain || { echo $how; exit 1; }; \
// RUN:     grep -q arcline: text && exit 1; \
// RUN:     %arcline dump gmon.out > text || exit 1; \
// RUN:     grep -q '^arc .* count=10$' text || { echo $how; exit 1; }; \
// RUN:     rm gmon.out gmon.out.arcline; \
// RUN:   done; \
// RUN: done
// RUN: ls -A | grep -x text
// RUN: env ARCLINE_OPTIONS=crash=dump:out=%%p.gmon bash -c \
// RUN:   'trap "" HUP; exec %t survive' > text
// RUN: FileCheck --input-file=text %s
// CHECK: hangup ignored
// CHECK-NEXT: child 15
// CHECK-NEXT: own handler
// CHECK-NEXT: own stack
// CHECK-NEXT: [[PID:[0-9]+]]
// RUN: ls *.gmon | count 1
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrument.h"

static NOINLINE void leaf(void) { CALLED(leaf); }

static NOINLINE int descend(volatile char *caller, int depth) {
  volatile char frame[4096];

  CALLED(descend);
  frame[depth % 4096] = caller ? caller[0] : 0;
  return descend(frame, depth + 1) + frame[0];
}

static void *overflow(void *arg) {
  leaf();
  descend(NULL, 0);
  return arg;
}

static void *fault(void *arg) {
  leaf();
  *(volatile int *)16 = 1;
  return arg;
}

static void handler(int number) {
  (void)number;
  puts("own handler");
}

static int survive(void) {
  static char memory[65536];
  const stack_t mine = {.ss_sp = memory, .ss_size = sizeof(memory)};
  stack_t now;
  int status;

  raise(SIGHUP);
  puts("hangup ignored");
  fflush(stdout);
  if (vfork() == 0) {
    leaf();
    raise(SIGTERM);
  }
  wait(&status);
  printf("child %d\n", status);
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  sigaltstack(&mine, NULL);
  leaf();
  sigaltstack(NULL, &now);
  puts(now.ss_sp == memory ? "own stack" : "lost");
  printf("%d\n", (int)getpid());
  return 0;
}

static void in_thread(void *(*function)(void *), int n) {
  pthread_t threads[8];

  for (int i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, function, NULL);
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];
  char *volatile block;

  for (int i = 0; i < 10; i++)
    leaf();
  if (!strcmp(how, "survive"))
    return survive();
  if (!strcmp(how, "fault"))
    fault(NULL);
  if (!strcmp(how, "overflow"))
    overflow(NULL);
  if (!strcmp(how, "overflow-in-thread"))
    in_thread(overflow, 1);
  if (!strcmp(how, "many-threads"))
    in_thread(fault, 8);
  if (!strcmp(how, "abort"))
    abort();
  if (!strcmp(how, "heap")) {
    block = malloc(24);
    ((volatile size_t *)block)[-1] = (size_t)-16; // too large for any glibc
    free(block);
  }
  raise(atoi(how));
  return 0;
}
