/* A signal that arrives together with that of a sample is handled on the
   thread's own stack, not above the runtime's handler on the alternate stack
   that the runtime has set; if its handler requests an alternate stack, it has
   room on that one, for samples, too. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t
// RUN: env ARCLINE_OPTIONS=hz=1000 %t
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "burn.h"

/* USED is more than SIGSTKSZ ever was. */
enum { MANY = 100, MAX_SECONDS = 20, MS = 1000000, USED = 32768 };

static uintptr_t here;
static volatile sig_atomic_t n_calls, n_elsewhere, n_of_roomy;

BURN

    static uintptr_t
    distance(uintptr_t a, uintptr_t b) {
  return a < b ? b - a : a - b;
}

/* Burns, for samples to come on top of it. */
static void handle(int number) {
  const uintptr_t mine = (uintptr_t)__builtin_frame_address(0);

  n_elsewhere += distance(mine, here) > (1 << 20);
  n_calls++;
  if (number == SIGRTMIN)
    return;
  char used[USED];
  memset(used, number, sizeof(used));
  __asm__ volatile("" : : "r"(used) : "memory");
  burn_seconds(0.1);
  n_of_roomy++;
}

int main(void) {
  struct sigaction action = {.sa_handler = handle};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                           .sigev_signo = SIGRTMIN};
  const struct itimerspec each = {{0, MS}, {0, MS}}, never = {{0, 0}, {0, 0}};
  timer_t timer;

  here = (uintptr_t)__builtin_frame_address(0);
  burn(1);
  // The same clock and period as the samples', so the same tick of the kernel.
  sigaction(SIGRTMIN, &action, NULL);
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) ||
      timer_settime(timer, 0, &each, NULL))
    return 2;
  for (const double end = cpu_seconds() + MAX_SECONDS;
       n_calls < MANY && cpu_seconds() < end;)
    burn(20000);
  timer_settime(timer, 0, &never, NULL);
  if (n_calls < MANY || n_elsewhere)
    return 3;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  return n_of_roomy != 1 || n_elsewhere != 1;
}
