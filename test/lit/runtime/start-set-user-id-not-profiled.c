/* Under AT_SECURE no timer is armed and no file is written, whatever the
   environment is; the same program without the bit writes its file. */
// REQUIRES: root
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o prog
// RUN: open=$(mktemp -d) && cp prog $open && cd $open
// RUN: chmod 4755 prog && chmod 777 .
// RUN: setpriv --reuid 65534 --regid 65534 --clear-groups \
// RUN:   env ARCLINE_OPTIONS=verbose=1:bad=1 ./prog 2>&1 | count 0
// RUN: test "$(ls)" = prog
// RUN: echo secret > secret && chmod 600 secret && ln secret gmon.out
// RUN: chmod 2755 prog && setpriv --reuid 65534 --regid 65534 --clear-groups \
// RUN:   env ARCLINE_OPTIONS=persist=mmap:crash=dump:verbose=1 \
// RUN:   GMON_OUT_PREFIX=x ./prog 2>&1 | count 0
// RUN: chmod 4755 prog && setpriv --reuid 65534 --regid 65534 --clear-groups \
// RUN:   ./prog 2>&1 | count 0
// RUN: echo secret | cmp - secret && rm secret gmon.out && test "$(ls)" = prog
// RUN: chmod 755 prog
// RUN: setpriv --reuid 65534 --regid 65534 --clear-groups ./prog
// RUN: test -f gmon.out && rm -r $open
#include <signal.h>
#include <stdio.h>
#include <sys/auxv.h>

#include "instrument.h"

PICK_DATA

static NOINLINE void leaf(void) { CALLED(leaf); }

/* There is neither a timer nor a handler. */
static int is_armed(void) {
  struct sigaction action;
  FILE *timers = fopen("/proc/self/timers", "r");
  const int has_timer = timers && getc(timers) != EOF;

  return sigaction(SIGPROF, NULL, &action) || action.sa_handler != SIG_DFL ||
         has_timer;
}

int main(void) {
  for (int i = 0; i < 1000; i++) {
    leaf();
    pick(i);
  }
  return getauxval(AT_SECURE) && is_armed();
}
