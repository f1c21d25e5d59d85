/* ThreadSanitizer checks the runtime itself, while threads start, count in
   reused and in new memory, and end; while others dump, reset, stop and start;
   in handlers, in a forked child and while threads continue at exit. Counters
   that others read while threads count are relaxed atomics. */
// REQUIRES: sanitizers
// RUN: %clang -w -g -O1 -fsanitize=thread -D_GNU_SOURCE -DRT_NO_ASSEMBLY \
// RUN:   -include %S/Inputs/thread_sanitizer.h -I%include -I%root/runtime \
// RUN:   -I%root/core -I%S/Inputs %root/runtime/cpu/$(uname -m).c %root/runtime/os/*.c %root/runtime/timers/*.c %root/runtime/settings/*.c %root/runtime/counting/*.c %root/runtime/objects/*.c %root/runtime/unwind/*.c %root/runtime/live/*.c %root/runtime/threads/*.c %root/runtime/sample/*.c %root/core/solve/*.c %root/core/sum/*.c %root/core/write/*.c %root/runtime/dump/*.c %root/runtime/life/*.c %root/runtime/hooks/*.c %s -o %t -lpthread
// RUN: %t 2>&1 | FileCheck %s
// RUN: env ARCLINE_OPTIONS=hz=10000 %t 2>&1 | FileCheck %s
// RUN: env ARCLINE_OPTIONS=hz=10000:stacks=on %t 2>&1 | FileCheck %s
// CHECK-NOT: Sanitizer
// CHECK: done
// CHECK-NOT: Sanitizer
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcline/arcline.h"
#include "instrument.h"

enum { N_THREADS = 8, N_ROUNDS = 4, N_CALLS = 5000 };

PICK_DATA

/* Room for made-up addresses of calls. */
static const char places[N_CALLS];
static int should_end;

static NOINLINE void leaf(void) { CALLED(leaf); }

static void handler(int number) {
  (void)number;
  leaf();
  pick(1);
}

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++) {
    leaf();
    pick(i & 1);
    __arcline_mcount(places + i, (const void *)(uintptr_t)leaf);
  }
  return arg;
}

static void *work_on(void *arg) {
  for (;;)
    leaf();
  return arg;
}

static void *control(void *arg) {
  while (!__atomic_load_n(&should_end, __ATOMIC_RELAXED)) {
    arcline_dump();
    arcline_stop();
    arcline_start();
    arcline_reset();
  }
  return arg;
}

int main(void) {
  const struct itimerval every = {{0, 1000}, {0, 1000}};
  const struct sigaction action = {.sa_handler = handler,
                                   .sa_flags = SA_RESTART};
  pthread_t threads[N_THREADS], others[2];

  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &every, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&others[i], NULL, control, NULL);
  for (int round = 0; round < N_ROUNDS; round++) {
    for (int i = 0; i < N_THREADS; i++)
      pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < N_THREADS; i++)
      pthread_join(threads[i], NULL);
  }
  __atomic_store_n(&should_end, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++)
    pthread_join(others[i], NULL);
  const pid_t child = fork();
  if (child == 0) {
    work(NULL);
    exit(0);
  }
  waitpid(child, NULL, 0);
  pthread_create(&threads[0], NULL, work_on, NULL);
  puts("done");
  fflush(stdout);
  return 0;
}
