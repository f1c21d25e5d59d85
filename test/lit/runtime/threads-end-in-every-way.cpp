/* Threads that return, call pthread_exit(), are cancelled (deferred,
   asynchronously), detached, or still run at exit; cleanup handlers,
   thread-specific and thread_local destructors call counted code. */
// RUN: echo '%t > truth && %check-truth "$@" %t %s truth gmon.out' > check
// RUN: %arcline-c++ -O2 %s -o %t -lpthread
// RUN: sh check
// RUN: %arcline-c++ -O0 %s -o %t -lpthread
// RUN: sh check
// RUN: %arcline-c++ -O2 -static %s -o %t -lpthread
// RUN: sh check
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-c++ -O2 %s \
// RUN:   -o %t -lpthread
// RUN: sh check --no-blocks
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { N_ROUNDS = 40, N_CALLS = 1000 };

static pthread_key_t key;
static pthread_barrier_t barrier;
static sem_t n_detached, n_running;
static int line;
static unsigned long n_cancelled; /* calls by threads that are cancelled */

#define NOINLINE __attribute__((noinline))

extern "C" {
NOINLINE void leaf(void) { __asm__ volatile(""); }
NOINLINE void from_destructor(void) { __asm__ volatile(""); }
NOINLINE void from_key(void) { __asm__ volatile(""); }
NOINLINE void from_cleanup(void) { __asm__ volatile(""); }
/* Cancelled anywhere: between its two counters, too. */
NOINLINE void interrupted(void) {
#ifdef __x86_64__
  __asm__ volatile("lock incq %0" : "+m"(n_cancelled));
#else
  __atomic_fetch_add(&n_cancelled, 1, __ATOMIC_RELAXED);
#endif
}
}

struct Local {
  int n = 0;
  ~Local() {
    for (int i = 0; i < N_CALLS; i++)
      from_destructor();
  }
};

static thread_local Local local;

static void on_key(void *) {
  for (int i = 0; i < N_CALLS; i++)
    from_key();
}

static void cleanup(void *) { from_cleanup(); }

static void calls() {
  local.n = 1;
  pthread_setspecific(key, &key);
  for (int i = 0; i < N_CALLS; i++) {
    leaf();
    line = __LINE__ - 1;
  }
}

static void *returns(void *arg) {
  calls();
  return arg;
}

static void *exits(void *arg) {
  pthread_cleanup_push(cleanup, nullptr);
  calls();
  pthread_exit(arg);
  pthread_cleanup_pop(0);
  return arg;
}

static void *is_cancelled(void *arg) {
  pthread_cleanup_push(cleanup, nullptr);
  calls();
  pthread_barrier_wait(&barrier);
  for (;;)
    pause();
  pthread_cleanup_pop(0);
  return arg;
}

static void *is_cancelled_anywhere(void *arg) {
  int old;

  calls();
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  pthread_barrier_wait(&barrier);
  for (;;)
    interrupted();
  return arg;
}

static void *is_detached(void *arg) {
  calls();
  sem_post(&n_detached);
  return arg;
}

static void *runs_on(void *arg) {
  calls();
  sem_post(&n_running);
  for (;;)
    pause();
  return arg;
}

int main() {
  static void *(*const ways[])(void *) = {returns, exits, is_cancelled,
                                          is_cancelled_anywhere};
  pthread_t threads[4], other;

  pthread_key_create(&key, on_key);
  pthread_barrier_init(&barrier, nullptr, 3);
  for (int round = 0; round < N_ROUNDS; round++) {
    for (int i = 0; i < 4; i++)
      pthread_create(&threads[i], nullptr, ways[i], nullptr);
    pthread_create(&other, nullptr, is_detached, nullptr);
    pthread_detach(other);
    pthread_create(&other, nullptr, runs_on, nullptr);
    pthread_barrier_wait(&barrier);
    pthread_cancel(threads[2]);
    pthread_cancel(threads[3]);
    for (int i = 0; i < 4; i++)
      pthread_join(threads[i], nullptr);
    sem_wait(&n_detached);
    sem_wait(&n_running);
  }
  printf("calls leaf %d\nline %d %d\n", 6 * N_ROUNDS * N_CALLS, line,
         6 * N_ROUNDS * N_CALLS);
  // The detached ones may still be ending.
  printf("calls from_destructor %d %d\n", 4 * N_ROUNDS * N_CALLS,
         5 * N_ROUNDS * N_CALLS);
  printf("calls from_key %d %d\n", 4 * N_ROUNDS * N_CALLS,
         5 * N_ROUNDS * N_CALLS);
  printf("calls from_cleanup %d\n", 2 * N_ROUNDS);
  printf("calls interrupted %lu %lu\n", n_cancelled - N_ROUNDS,
         n_cancelled + N_ROUNDS);
  return 0;
}
