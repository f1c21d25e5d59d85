/* arcline ctl on an unprepared program: dumps with --reset while four threads
   run add up to their calls; simultaneous commands do not disturb one another;
   no descriptor or file is left. Without sampling, too. */
// RUN: %cc -O1 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: %python %S/Inputs/control.py %arcline %t 10
// RUN: env ARCLINE_OPTIONS=hz=0 %python %S/Inputs/control.py %arcline %t 2
// RUN: %cc -O1 -static -I%include -I%S/Inputs %s -L%libdir -larcline \
// RUN:   -lpthread -o %t
// RUN: %python %S/Inputs/control.py %arcline %t 2
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "instrument.h"

enum { N_THREADS = 4 };

static atomic_bool is_ending;

static NOINLINE void leaf(void) { CALLED(leaf); }

static void *work(void *arg) {
  unsigned long n = 0;

  for (; !is_ending; n++)
    leaf();
  *(unsigned long *)arg = n;
  return arg;
}

int main(void) {
  pthread_t threads[N_THREADS];
  unsigned long counts[N_THREADS], sum = 0;
  char byte;

  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, &counts[i]);
  usleep(10000);
  printf("%d\n", (int)getpid());
  fflush(stdout);
  // Restarted after each signal.
  if (read(STDIN_FILENO, &byte, 1) != 0)
    return 1;
  is_ending = 1;
  for (int i = 0; i < N_THREADS; i++) {
    pthread_join(threads[i], NULL);
    sum += counts[i];
  }
  printf("%lu\n", sum);
  return 0;
}
