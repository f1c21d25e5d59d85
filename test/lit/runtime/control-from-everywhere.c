/* Dumps, resets, starts and stops from several threads and from a handler at
   once, round after round. Between rounds, when no thread calls, a dump and a
   reset divide the counts: all dumps together have each call once. */
// RUN: echo 'rm -f *.gmon; %t > truth && ls *.gmon | count 5' > check
// RUN: echo '%check-truth "$@" %t %s truth *.gmon' >> check
// RUN: %arcline-cc -O2 -I%include %s -o %t -lpthread
// RUN: sh -e check
// RUN: %arcline-cc -O2 -static -I%include %s -o %t -lpthread
// RUN: sh -e check
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-cc -O2 \
// RUN:   -I%include %s -o %t -lpthread
// RUN: sh -e check --no-blocks
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "arcline/arcline.h"

enum { N_ROUNDS = 5, N_THREADS = 4, N_CALLS = 20000 };

static int line;
static int should_end;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void other(void) { __asm__ volatile(""); }
static void (*volatile const by_pointer[])(void) = {leaf, other};

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++) {
    leaf(), by_pointer[1](), line = __LINE__;
  }
  return arg;
}

static void handler(int number) {
  (void)number;
  arcline_stop();
  if (arcline_dump())
    abort();
  arcline_start();
}

static void *dump(void *arg) {
  while (!__atomic_load_n(&should_end, __ATOMIC_RELAXED)) {
    if (arcline_dump())
      abort();
    moncontrol(0);
    moncontrol(1);
  }
  return arg;
}

static void *reset(void *arg) {
  for (int i = 0; i < 10; i++)
    arcline_reset();
  return arg;
}

static void run(void *(*body)(void *), int n_threads) {
  pthread_t threads[N_THREADS];

  for (int i = 0; i < n_threads; i++)
    pthread_create(&threads[i], NULL, body, NULL);
  for (int i = 0; i < n_threads; i++)
    pthread_join(threads[i], NULL);
}

static void one_round(int round) {
  const struct itimerval every = {{0, 10000}, {0, 10000}};
  char name[20];
  pthread_t others[2];

  __atomic_store_n(&should_end, 0, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++)
    pthread_create(&others[i], NULL, dump, NULL);
  setitimer(ITIMER_REAL, &every, NULL);
  run(work, N_THREADS);
  setitimer(ITIMER_REAL, &(const struct itimerval){0}, NULL);
  __atomic_store_n(&should_end, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++)
    pthread_join(others[i], NULL);
  if (arcline_dump())
    abort();
  snprintf(name, sizeof(name), "%d.gmon", round);
  if (rename("gmon.out", name))
    abort();
  run(reset, N_THREADS);
}

int main(void) {
  const struct sigaction action = {.sa_handler = handler,
                                   .sa_flags = SA_RESTART};

  sigaction(SIGALRM, &action, NULL);
  for (int i = 0; i < N_ROUNDS; i++)
    one_round(i);
  printf("calls leaf %d\n", N_ROUNDS * N_THREADS * N_CALLS);
  printf("calls other %d\n", N_ROUNDS * N_THREADS * N_CALLS);
  printf("line %d %d\n", line, N_ROUNDS * N_THREADS * N_CALLS);
  return 0;
}
