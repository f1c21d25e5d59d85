/* A thread that blocks all signals gets its samples when it unblocks them; the
   time of a thread that never does is listed as unknown. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t -lpthread
// RUN: %python %S/Inputs/samples.py blocked_signals %t
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#include "burn.h"

BURN

    static void *
    work(void *arg) {
  sigset_t all, old;
  double seconds;

  sigfillset(&all);
  burn(1);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  seconds = burn_seconds(0.3);
  if (arg) {
    printf("%.6f\n", seconds);
    return NULL;
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  seconds += burn_seconds(0.1);
  printf("%ld %.6f\n", thread_id(), seconds);
  return NULL;
}

int main(void) {
  pthread_t thread;

  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, work, &thread);
  pthread_join(thread, NULL);
  return 0;
}
