// 1 to 32 threads: no call and no line is lost, whatever the threads share.
// RUN: for level in -O0 -O2; do %arcline-cc -g $level -I %S/Inputs %s -o %t -lpthread || exit 1; for threads in 1 2 4 8 32; do rm -f gmon.out && %t $threads > %t.truth && %python %S/Inputs/check_truth.py --arcline %arcline --gprof "%gprof" %t %s %t.truth gmon.out || exit 1; done; done
// RUN: %arcline-cc --arcline-calls-only -g -O2 -I %S/Inputs %s -o %t -lpthread && %t 8 > %t.truth
// RUN: %python %S/Inputs/check_truth.py --no-blocks --arcline %arcline --gprof "%gprof" %t %s %t.truth gmon.out
// RUN: %arcline-cc --arcline-blocks-only -g -O2 -I %S/Inputs %s -o %t -lpthread && %t 8 > %t.truth
// RUN: %python %S/Inputs/check_truth.py --no-calls --arcline %arcline %t %s %t.truth gmon.out
#include "truth.h"
#include <pthread.h>
#include <stdlib.h>

NEVER_INLINED static unsigned hot(unsigned x) {
  CALLED(0);
  if (x & 1)
    MARK(1);
  return x * 2654435761u;
}

NEVER_INLINED static unsigned pass_on(unsigned x) {
  CALLED(2);
  return hot(x) + hot(x + 1);
}

static void *work(void *argument) {
  unsigned sum = 0;

  for (unsigned i = 0; i < 20000; i++) {
    MARK(3);
    sum += i % 3 ? hot(i) : pass_on(i);
  }
  *(unsigned *)argument = sum;
  MARK(4);
  return NULL;
}

int main(int argc, char **argv) {
  const int n_threads = argc > 1 ? atoi(argv[1]) : 1;
  pthread_t threads[64];
  unsigned sums[64];

  for (int i = 0; i < n_threads; i++)
    pthread_create(&threads[i], NULL, work, &sums[i]);
  for (int i = 0; i < n_threads; i++)
    pthread_join(threads[i], NULL);
  tell_truth();
  return 0;
}
