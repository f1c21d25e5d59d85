/* However the program ends, its status and output are unchanged, and it writes
   a profile exactly if it ends by exit(), quick_exit() or _exit(). */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: bash -c '%t return 2>&1; echo $?' | FileCheck %s --check-prefix=SEVEN
// RUN: rm gmon.out gmon.out.arcline
// RUN: bash -c '%t exit 2>&1; echo $?' | FileCheck %s --check-prefix=SEVEN
// RUN: rm gmon.out gmon.out.arcline
// RUN: bash -c '%t exit-in-thread 2>&1; echo $?' \
// RUN:   | FileCheck %s --check-prefix=SEVEN
// RUN: rm gmon.out gmon.out.arcline
// RUN: bash -c '%t exit-in-atexit 2>&1; echo $?' \
// RUN:   | FileCheck %s --check-prefix=SEVEN
// RUN: rm gmon.out gmon.out.arcline
// RUN: bash -c '%t exit-in-handler 2>&1; echo $?' \
// RUN:   | FileCheck %s --check-prefix=SEVEN
// RUN: rm gmon.out gmon.out.arcline
// RUN: bash -c '%t quick_exit 2>&1; echo $?' | FileCheck %s --check-prefix=SEVEN
// RUN: rm gmon.out gmon.out.arcline
// RUN: bash -c '%t _exit 2>&1; echo $?' | FileCheck %s --check-prefix=SEVEN
// RUN: rm gmon.out gmon.out.arcline
// RUN: bash -c '%t abort 2>/dev/null; echo $?' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=ABORT
// RUN: bash -c '%t term 2>/dev/null; echo $?' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=TERM
// RUN: bash -c '%t prof 2>/dev/null; echo $?' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=PROF
// RUN: bash -c '%t segv 2>/dev/null; echo $?' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=SEGV
// RUN: not ls gmon.out
// RUN: ls -A | count 0
// SEVEN: {{^}}hello
// SEVEN-NEXT: {{^}}7
// ABORT: {{^}}134
// TERM: {{^}}143
// PROF: {{^}}155
// SEGV: {{^}}139
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "instrument.h"

static NOINLINE void leaf(void) { CALLED(leaf); }

static void *in_thread(void *arg) {
  leaf();
  exit(7);
  return arg;
}

static void at_exit(void) {
  leaf();
  exit(7);
}

static void handler(int number) {
  (void)number;
  leaf();
  exit(7);
}

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];
  pthread_t thread;

  leaf();
  puts("hello");
  fflush(stdout);
  if (!strcmp(how, "exit"))
    exit(7);
  if (!strcmp(how, "exit-in-thread")) {
    pthread_create(&thread, NULL, in_thread, NULL);
    pause();
  }
  if (!strcmp(how, "exit-in-atexit")) {
    atexit(at_exit);
    exit(1);
  }
  if (!strcmp(how, "exit-in-handler")) {
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
  }
  if (!strcmp(how, "quick_exit"))
    quick_exit(7);
  if (!strcmp(how, "_exit"))
    _exit(7);
  if (!strcmp(how, "abort"))
    abort();
  if (!strcmp(how, "term"))
    raise(SIGTERM);
  if (!strcmp(how, "prof"))
    raise(SIGPROF);
  if (!strcmp(how, "segv"))
    raise(SIGSEGV);
  return 7;
}
