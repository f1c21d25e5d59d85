/* A program that handles SIGPROF before the runtime starts keeps it; one that
   handles it later keeps its handler and gets its own ticks, and at most one of
   the runtime; for one that restores the action, one line reports that samples
   are missing; a SIGPROF from elsewhere still kills. One line reports missing
   samples. */
// RUN: %cc -O2 -DEARLY -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: %t early 2>&1 | FileCheck --check-prefix=EARLY %s
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: %t late 2>&1 | FileCheck --check-prefix=LATE %s
// RUN: env ARCLINE_OPTIONS=hz=10000 %t late 2>&1 \
// RUN:   | FileCheck --check-prefix=LATE %s
// RUN: %t back 2>&1 | FileCheck --check-prefix=LATE %s
// RUN: %t own-timer 2>&1 | FileCheck --check-prefix=LATE %s
// RUN: env ARCLINE_OPTIONS=hz=0 %t late 2>&1 | count 0
// RUN: %t nothing 2>&1 | count 0
// RUN: %python -c "import subprocess, sys; \
// RUN:   sys.exit(subprocess.run([r'%t', 'killed']).returncode != -27)"
// EARLY: {{^}}arcline: program handles SIGPROF itself; no samples are taken{{$}}
// EARLY-NOT: {{.}}
// LATE: {{^}}arcline: program replaced the SIGPROF handler; samples are
// LATE-SAME: missing{{$}}
// LATE-NOT: {{.}}
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "instrument.h"

enum { TICK_US = 20000, BURN_US = 400000 };

static volatile int n_raised, n_of_itimer, n_of_own_timer, n_of_others;
static int own_timer;

static NOINLINE void leaf(void) { CALLED(leaf); }

static void handler(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)context;
  if (info->si_code == SI_TKILL)
    n_raised++;
  else if (info->si_code == SI_KERNEL)
    n_of_itimer++;
  else if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &own_timer)
    n_of_own_timer++;
  else
    n_of_others++;
}

static const struct sigaction action = {.sa_sigaction = handler,
                                        .sa_flags = SA_SIGINFO | SA_RESTART};

#ifdef EARLY
static void take(void) { sigaction(SIGPROF, &action, NULL); }
__attribute__((section(".preinit_array"),
               used)) static void (*early)(void) = take;
#endif

static void burn(void) {
  const clock_t end = clock() + BURN_US * (CLOCKS_PER_SEC / 1000000);

  while (clock() < end)
    leaf();
}

/* Ticks of the program come at its own rate. */
static void burn_with_timers(int is_own_timer) {
  const struct itimerval every = {{0, TICK_US}, {0, TICK_US}};
  const struct itimerval never = {{0, 0}, {0, 0}};

  if (is_own_timer) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = SIGPROF,
                             .sigev_value.sival_ptr = &own_timer};
    const struct itimerspec spec = {{0, TICK_US * 1000}, {0, TICK_US * 1000}};
    timer_t timer;
    timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer);
    timer_settime(timer, 0, &spec, NULL);
    burn();
    timer_delete(timer);
  } else {
    setitimer(ITIMER_PROF, &every, NULL);
    burn();
    setitimer(ITIMER_PROF, &never, NULL);
  }
}

static void check(int is_own_timer, int max_others) {
  const int n = is_own_timer ? n_of_own_timer : n_of_itimer;

  if (n < BURN_US / TICK_US / 4 || n > 2 * BURN_US / TICK_US ||
      n_of_others > max_others)
    abort();
}

int main(int argc, char **argv) {
  const char *what = argv[argc - 1];
  const int is_own_timer = strcmp(what, "own-timer") == 0;
  struct sigaction old, now;

  leaf();
  if (strcmp(what, "killed") == 0)
    raise(SIGPROF);
  if (strcmp(what, "nothing") == 0)
    return 0;
  if (strcmp(what, "early") != 0)
    sigaction(SIGPROF, &action, &old);
  raise(SIGPROF);
  burn_with_timers(is_own_timer);
  check(is_own_timer, strcmp(what, "early") != 0);
  sigaction(SIGPROF, NULL, &now);
  if (n_raised != 1 || now.sa_sigaction != handler)
    abort();
  if (strcmp(what, "back") == 0)
    sigaction(SIGPROF, &old, NULL);
  return 0;
}
