/* Signal handlers, nested five deep, call instrumented code while the code
   that they interrupt enters new arcs and makes the table grow. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: %t > truth
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out > seen
// RUN: grep '^arc' seen | awk '$2 == "places" { n += $4; next } { m += $4 } \
// RUN:      END { print n, m }' | diff truth -
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "instrument.h"

enum { N_PLACES = 100000, N_HANDLERS = 5 };

/* Room for made-up addresses of calls. */
__asm__(".text\nplaces: .skip 100000\nafter_places:\n");
extern const char places[] __attribute__((visibility("hidden")));

static const int signals[N_HANDLERS] = {SIGALRM, SIGVTALRM, SIGUSR1, SIGUSR2,
                                        SIGURG};
static volatile unsigned long n_handled;
static volatile unsigned long n_nested;

static NOINLINE void callee(void) {
  CALLED(callee);
  n_handled++;
}

static NOINLINE void from(unsigned long i) {
  __arcline_mcount(places + 1 + i % N_PLACES, (const void *)callee);
}

static void handler(int number) {
  static volatile unsigned long next;

  callee();
  from(next++ * 7919);
  n_nested++;
  for (int i = 0; i + 1 < N_HANDLERS; i++)
    if (number == signals[i])
      raise(signals[i + 1]);
  callee();
}

int main(void) {
  const struct itimerval every = {{0, 100}, {0, 100}};
  unsigned long n = 0;

  for (int i = 0; i < N_HANDLERS; i++) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(signals[i], &action, NULL);
  }
  setitimer(ITIMER_REAL, &every, NULL);
  while (n < 5000000 || n_nested < 1000)
    from(n++);
  setitimer(ITIMER_REAL, &(const struct itimerval){0}, NULL);
  printf("%lu %lu\n", n + n_nested, n_handled);
  return 0;
}
