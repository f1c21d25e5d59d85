/* With memory=N threads have their own counters as long as these fit into N
   MiB; the others share some, which is reported in one line. Threads that do
   not run at the same time lose no counts. */
// RUN: env ARCLINE_PASS_OPTIONS=segment=off %clang -O1 -g -fpass-plugin=%plugin %s -L%libdir -larcline -lpthread \
// RUN:   -o %t
// RUN: env ARCLINE_OPTIONS=hz=0 %t 2>&1 | count 0
// RUN: %arcline dump gmon.out > unlimited
// RUN: not grep lost gmon.out.arcline
// RUN: env ARCLINE_OPTIONS=memory=1:hz=0 %t 2> messages
// RUN: FileCheck %s < messages
// RUN: count 1 < messages
// RUN: %arcline dump gmon.out | diff unlimited -
// RUN: FileCheck %s --check-prefix=SIDE < gmon.out.arcline
// RUN: env ARCLINE_OPTIONS=memory=x %t 2>&1 | FileCheck %s --check-prefix=WRONG
// CHECK: arcline: threads share counters {{.*}} for lack of memory or of a segment base: 2{{$}}

// SIDE: {{^}}lost cells 2{{$}}

// WRONG: arcline: ARCLINE_OPTIONS: memory=x: bad value, ignored

#include <pthread.h>

#include <semaphore.h>
#include <stdint.h>

enum { N_THREADS = 4 };

/* Three copies of these fit into 1 MiB. */
__attribute__((section("__arcline_cnts"), used)) uint64_t room[40000];

static sem_t done, end;

__attribute__((noinline)) static int odd(int value) { return value & 1; }

static void *work(void *arg) {
  int n_odd = 0;

  for (int i = 0; i < 1000; i++)
    n_odd += odd(i);
  sem_post(&done);
  sem_wait(&end);
  return n_odd == 500 ? arg : &done;
}

int main(void) {
  pthread_t threads[N_THREADS];
  int status = 0;

  sem_init(&done, 0, 0);
  sem_init(&end, 0, 0);
  for (int i = 0; i < N_THREADS; i++) {
    pthread_create(&threads[i], NULL, work, NULL);
    sem_wait(&done);
  }
  for (int i = 0; i < N_THREADS; i++)
    sem_post(&end);
  for (int i = 0; i < N_THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    status |= result != NULL;
  }
  return status;
}
