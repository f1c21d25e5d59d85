/* Threads whose first instrumented call is made by a signal handler, perhaps in
   the middle of the first call of the thread itself. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: %t > truth
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out > seen
// RUN: awk '$3 == "leaf" { n += $4 } END { print n }' seen | diff truth -
// RUN: awk '$2 == "pick_counters+8" { print $3 }' seen | diff truth -
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "instrument.h"

enum { N_ROUNDS = 100, N_AT_ONCE = 8, N_CALLS = 50 };

static unsigned long n_calls;
static volatile int is_over;

PICK_DATA

static NOINLINE void leaf(void) { CALLED(leaf); }

static void call(void) {
  leaf();
  pick(0);
  __atomic_fetch_add(&n_calls, 1, __ATOMIC_RELAXED);
}

static void handler(int number) {
  (void)number;
  call();
}

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++)
    call();
  return arg;
}

/* It has calls by handlers only. */
static void *spin(void *arg) {
  for (volatile int i = 0; i < 1000; i++)
    continue;
  return arg;
}

static void *disturb(void *arg) {
  while (!is_over)
    kill(getpid(), SIGUSR1);
  return arg;
}

int main(void) {
  const struct sigaction action = {.sa_handler = handler,
                                   .sa_flags = SA_RESTART};
  sigset_t set;
  pthread_t disturber;

  // Only the threads under test take the signal.
  sigaction(SIGUSR1, &action, NULL);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&disturber, NULL, disturb, NULL);
  for (int round = 0; round < N_ROUNDS; round++) {
    pthread_t threads[N_AT_ONCE];
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    for (int i = 0; i < N_AT_ONCE; i++)
      pthread_create(&threads[i], NULL, i & 1 ? work : spin, NULL);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    for (int i = 0; i < N_AT_ONCE; i++)
      pthread_join(threads[i], NULL);
  }
  is_over = 1;
  pthread_join(disturber, NULL);
  printf("%lu\n", n_calls);
  return 0;
}
