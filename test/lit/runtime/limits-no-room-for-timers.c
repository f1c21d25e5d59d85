/* If the limit of pending signals is too low for a timer per thread, one timer
   serves all threads; if it is 0, one line reports that samples are missing.
   Calls are counted as usual. */
// RUN: %cc -O2 -fno-unroll-loops -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: %t 0 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out \
// RUN:   | FileCheck --check-prefix=COUNTS %s
// RUN: %t 10 2>&1 | FileCheck --check-prefix=FEW --allow-empty %s
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out \
// RUN:   | FileCheck --check-prefix=COUNTS %s
// NONE: {{^}}arcline: cannot create timers for all threads; samples are
// NONE-SAME: missing{{$}}
// NONE-NOT: {{.}}
// FEW-NOT: {{^[^a]|^arcline: [^c]}}
// COUNTS: arc work leaf 200000
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "instrument.h"

enum { N_THREADS = 200, N_CALLS = 1000 };

static NOINLINE void leaf(void) { CALLED(leaf); }

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++)
    leaf();
  return arg;
}

int main(int argc, char **argv) {
  const rlim_t max = (rlim_t)atoi(argv[1]);
  pthread_t threads[N_THREADS];
  struct rlimit limit;

  getrlimit(RLIMIT_SIGPENDING, &limit);
  if (limit.rlim_cur != max) { // the limit must be set at the start
    limit.rlim_cur = limit.rlim_max = max;
    setrlimit(RLIMIT_SIGPENDING, &limit);
    execv(argv[0], argv);
    return 1;
  }
  for (int i = 0; i < N_THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, NULL))
      abort();
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  return argc != 2;
}
