/* crash=dump, and another event happens while the profile is written: a fault
   in the writer, also after the program's own handler of SIGABRT, a second
   signal, exit() in another thread. The status is that of the first signal;
   files are complete or absent, and no temporary file is left. The linker
   replaces the runtime's function for system calls by one of this test. */
// RUN: %cc -O1 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread \
// RUN:   -Wl,--wrap=__arcline_rt_sys,--wrap=sigaction -o %t
// RUN: ulimit -c 0; export ARCLINE_OPTIONS=crash=dump; \
// RUN: for how in openat pwrite64 rename; do \
// RUN:   %t fault-in-$how; test $? = 143 || { echo $how; exit 1; }; \
// RUN:   %t fault-in-$how-of-dump; test $? = 139 || { echo $how; exit 1; }; \
// RUN:   %t abort-in-$how; test $? = 134 || { echo $how; exit 1; }; \
// RUN: done
// RUN: ls -A | count 0
// RUN: ulimit -c 0; echo old > gmon.out; \
// RUN: ARCLINE_OPTIONS=crash=dump %t fault-in-exchange; test $? = 143
// RUN: ls -A | count 1 && grep -x old gmon.out && rm gmon.out
// RUN: ulimit -c 0; for how in signal exit; do \
// RUN:   ARCLINE_OPTIONS=crash=dump %t $how; test $? = 139 || exit 1; \
// RUN:   %python %S/Inputs/gmon.py llvm-nm %t gmon.out \
// RUN:     | grep -x 'arc main leaf 1' || exit 1; \
// RUN:   rm gmon.out gmon.out.arcline; \
// RUN: done
// RUN: ls -A | count 0
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arcline/arcline.h"
#include "instrument.h"

static const char *how;
static volatile int is_crashing, is_writing;

static int is_asked_for(long number, long flags) {
  return (strstr(how, "openat") && number == SYS_openat) ||
         (strstr(how, "pwrite64") && number == SYS_pwrite64) ||
         (strstr(how, "rename") && number == SYS_renameat2) ||
         (strstr(how, "exchange") && number == SYS_renameat2 &&
          flags == RENAME_EXCHANGE);
}

long __real___arcline_rt_sys(long number, long a, long b, long c, long d,
                             long e);
long __wrap___arcline_rt_sys(long number, long a, long b, long c, long d,
                             long e);

long __wrap___arcline_rt_sys(long number, long a, long b, long c, long d,
                             long e) {
  if (is_crashing && is_asked_for(number, e))
    *(volatile int *)16 = 1;
  if (is_crashing && number == SYS_renameat2 && !is_writing) {
    is_writing = 1;
    if (!strcmp(how, "signal"))
      kill(getpid(), SIGTERM);
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
  }
  return __real___arcline_rt_sys(number, a, b, c, d, e);
}

static NOINLINE void leaf(void) { CALLED(leaf); }

static void ignore(int number) { (void)number; }

static void *fault(void *arg) {
  *(volatile int *)16 = 1;
  return arg;
}

int main(int argc, char **argv) {
  pthread_t thread;

  how = argv[argc - 1];
  leaf();
  is_crashing = 1;
  if (strstr(how, "of-dump"))
    arcline_dump();
  if (strstr(how, "fault"))
    raise(SIGTERM);
  if (strstr(how, "abort")) {
    sigaction(SIGABRT, &(struct sigaction){.sa_handler = ignore}, NULL);
    abort();
  }
  pthread_create(&thread, NULL, fault, NULL);
  if (!strcmp(how, "exit")) {
    while (!is_writing)
      continue;
    exit(0);
  }
  pthread_join(thread, NULL);
  return 0;
}
