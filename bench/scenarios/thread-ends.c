/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads that return, call pthread_exit(), are cancelled, are detached or
   still run at exit, with thread-specific destructors; each calls 1,000 times.
 */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

enum { N_CALLS = 1000 };

static pthread_key_t key;
static sem_t done;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void at_end(void) {
  __asm__ volatile("# at_end");
}

static void on_key(void *value) {
  (void)value;
  at_end();
  __asm__ volatile("");
}

static void calls(void) {
  for (int i = 0; i < N_CALLS; i++)
    leaf();
}

static void *returns(void *arg) {
  pthread_setspecific(key, &key);
  calls();
  return arg;
}

static void *exits(void *arg) {
  pthread_setspecific(key, &key);
  calls();
  pthread_exit(arg);
}

static void *waits(void *arg) {
  calls();
  sem_post(&done);
  for (;;)
    pause();
  return arg;
}

int main(void) {
  pthread_t threads[4];

  pthread_key_create(&key, on_key);
  pthread_create(&threads[0], 0, returns, 0);
  pthread_create(&threads[1], 0, exits, 0);
  pthread_create(&threads[2], 0, waits, 0);
  pthread_create(&threads[3], 0, waits, 0);
  sem_wait(&done);
  sem_wait(&done);
  pthread_cancel(threads[2]);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  pthread_detach(threads[3]);
  return 0;
}
