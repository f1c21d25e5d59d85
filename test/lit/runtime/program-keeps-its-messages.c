/* Standard error of a program of a suite has only the program's output:
   messages of the runtime are in a file beside the pool, once for all
   processes, and `arcline doctor` prints them. The program resets all signals,
   handles SIGPROF, changes folders and closes all files, as daemons do, with
   the same results as in the plain build. */
// RUN: %clang -O1 %s -o plain && %arcline-cc -O1 %s -o prog && mkdir plain.d prog.d
// RUN: (cd plain.d && ../plain > ../plain.out 2> ../plain.err)
// RUN: echo 'cd prog.d && ../prog > ../$1.out 2> ../$1.err && ../prog > /dev/null 2>&1' > twice
// RUN: for out in pool/%%m own/%%p/x; do \
// RUN:   env ARCLINE_OPTIONS=bogus:fork=inherit:out=$out:hz=1000 sh twice prog && \
// RUN:   cmp plain.out prog.out && cmp plain.err prog.err || exit 1; done
//
// RUN: FileCheck %s < prog.d/pool/arcline.log
// CHECK: {{^}}prog: ARCLINE_OPTIONS: bogus: unknown option, ignored; arcline(1) describes all options{{$}}
// CHECK-NEXT: {{^}}prog: ARCLINE_OPTIONS: fork=inherit: ignored, since %m, %n or %t in out= adds up counts of all processes{{$}}
// CHECK-NOT: ignored
// RUN: not %arcline doctor prog.d/pool > found && grep '^prog.d/pool/arcline.log: prog: ARCLINE_OPTIONS: bogus: unknown option, ignored; ' found
// RUN: not %arcline doctor prog prog.d/pool/prog.*[!e] > found && grep 'fork=inherit: ignored' found
// RUN: find prog.d/own -name arcline.log | count 2
//
// A place of the user's own; relative to the folder where the process started.
// RUN: env ARCLINE_OPTIONS=log=logs/%%e.%%%%:out=pool/%%m:bogus sh twice other
// RUN: cmp plain.err other.err && grep bogus prog.d/logs/prog.%
// RUN: env ARCLINE_OPTIONS=log=log:out=x:verbose=1 sh twice other
// RUN: cmp plain.err other.err && grep -c '^prog: wrote ' prog.d/log | grep -x 2
//
// It cannot be written to; and what the user asks for goes where a user looks.
// RUN: env ARCLINE_OPTIONS=log=plain.d:out=x:bogus ./prog 2>&1 | grep '^arcline: .*bogus'
// RUN: cp plain.err theirs && ln theirs linked && ln -s theirs symbolic && mkfifo fifo
// RUN: for log in linked symbolic fifo; do \
// RUN:   env ARCLINE_OPTIONS=log=$log:out=x:bogus ./prog 2>&1 | grep '^arcline: .*bogus' && \
// RUN:   cmp plain.err theirs || exit 1; done
// RUN: env ARCLINE_OPTIONS=verbose=0:log=none:out=x:bogus ./prog 2>&1 > /dev/null | count 1
// RUN: test ! -e none
// RUN: env ARCLINE_OPTIONS=verbose=1:out=pool/%%m:bogus ./prog 2>&1 | grep '^arcline: .*bogus'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t n_ticks;

static void on_tick(int number) {
  (void)number;
  n_ticks++;
}

static int work(int n) {
  for (int i = 0; i < n; i++)
    __asm__ volatile("");
  return n;
}

int main(void) {
  struct sigaction old;
  int n_odd = 0;

  fputs("a message that a test compares\n", stderr);
  for (int number = 1; number < NSIG; number++)
    if (signal(number, SIG_DFL) == SIG_ERR)
      n_odd += number != SIGKILL && number != SIGSTOP && number < SIGRTMIN;
  signal(SIGPROF, on_tick);
  if (sigaction(SIGPROF, NULL, &old) || old.sa_handler != on_tick)
    n_odd += 1000;
  printf("%d\n", n_odd + work(1000));
  fflush(stdout);
  if (chdir("/"))
    return 1;
  for (int fd = 0; fd < 256; fd++)
    close(fd);
  const int next = open("/dev/null", O_RDWR);
  return next != 0;
}
