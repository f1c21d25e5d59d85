/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A thousand signals, nested five deep, whose handlers make calls, while the
   interrupted code makes calls for the first time. */
#include <signal.h>
#include <sys/time.h>

enum { N_SIGNALS = 1000, N_LEVELS = 5 };

static const int signals[N_LEVELS] = {SIGALRM, SIGVTALRM, SIGUSR1, SIGUSR2,
                                      SIGURG};
static volatile unsigned n_signals;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void in_handler(void) {
  __asm__ volatile("# in_handler");
}

#define CALL_8 leaf(), leaf(), leaf(), leaf(), leaf(), leaf(), leaf(), leaf()
#define CALL_64 CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8

static void handler(int number) {
  if (n_signals == N_SIGNALS)
    return;
  in_handler();
  for (int i = 0; i + 1 < N_LEVELS; i++)
    if (number == signals[i])
      raise(signals[i + 1]);
  if (number == SIGALRM)
    n_signals++;
}

int main(void) {
  const struct itimerval every = {{0, 100}, {0, 100}};

  for (int i = 0; i < N_LEVELS; i++) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(signals[i], &action, 0);
  }
  setitimer(ITIMER_REAL, &every, 0);
  while (n_signals < N_SIGNALS)
    CALL_64, CALL_64, CALL_64, CALL_64;
  return 0;
}
