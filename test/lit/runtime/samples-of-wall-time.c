/* With clock=wall a thread that sleeps is sampled, too: in the kernel. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t -lpthread
// RUN: %python %S/Inputs/samples.py wall_time %t
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "burn.h"

BURN

    static void *
    sleeper(void *arg) {
  struct timespec left = {.tv_nsec = 400000000};

  burn(1);
  while (nanosleep(&left, &left) && errno == EINTR)
    continue;
  printf("%ld 0.4\n", thread_id());
  return arg;
}

int main(void) {
  pthread_t thread;

  pthread_create(&thread, NULL, sleeper, NULL);
  burn_seconds(0.1);
  pthread_join(thread, NULL);
  return 0;
}
