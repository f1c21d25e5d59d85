/* fork() after 100 calls, while 8 threads count: nine children with calls of
   their own, of which two fork again. No call is in two files: all files
   together have each call once. */
// RUN: echo 'cd $1 && shift && ARCLINE_OPTIONS=out=%%p.gmon %t > truth' > check
// RUN: echo 'ls *.gmon | count 12' >> check
// RUN: echo '%check-truth "$@" %t %s truth *.gmon' >> check
// RUN: mkdir blocks calls mcount static
// RUN: %arcline-cc -O2 %s -o %t -lpthread
// RUN: sh -e check blocks
// RUN: %arcline-cc -O2 --arcline-calls-only %s -o %t -lpthread
// RUN: sh -e check calls --no-blocks
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-cc -O2 %s \
// RUN:   -o %t -lpthread
// RUN: sh -e check mcount --no-blocks
// RUN: %arcline-cc -O2 -static %s -o %t -lpthread
// RUN: sh -e check static
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_THREADS = 8, N_CHILDREN = 9, N_CALLS = 10000 };

static unsigned n_in_threads[N_THREADS];
static unsigned should_end;

__attribute__((noinline)) static void before(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void in_child(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void in_grandchild(void) {
  __asm__ volatile("");
}
__attribute__((noinline)) static void in_thread(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void of_child_thread(void) {
  __asm__ volatile("");
}
static void (*volatile by_pointer[])(void) = {in_child, of_child_thread};

static void *work(void *arg) {
  unsigned *n = arg;

  while (!__atomic_load_n(&should_end, __ATOMIC_RELAXED)) {
    in_thread();
    ++*n;
  }
  return NULL;
}

static void *child_thread(void *arg) {
  for (int i = 0; i < N_CALLS; i++)
    by_pointer[1]();
  return arg;
}

static void child(int i) {
  pthread_t thread;

  for (int k = 0; k < 1000 * i; k++)
    in_child(), by_pointer[0]();
  pthread_create(&thread, NULL, child_thread, NULL);
  pthread_join(thread, NULL);
  if (i <= 2) {
    const pid_t pid = fork();
    if (pid == 0) {
      for (int k = 0; k < N_CALLS; k++)
        in_grandchild();
      exit(0);
    }
    waitpid(pid, NULL, 0);
  }
  exit(0);
}

int main(void) {
  pthread_t threads[N_THREADS];
  unsigned long n = 0;

  for (int i = 0; i < 100; i++)
    before();
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, &n_in_threads[i]);
  for (int i = 1; i <= N_CHILDREN; i++) {
    if (fork() == 0)
      child(i);
  }
  while (wait(NULL) > 0)
    continue;
  __atomic_store_n(&should_end, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < N_THREADS; i++)
    n += n_in_threads[i];
  printf("calls before 100\ncalls in_thread %lu\n", n);
  printf("calls in_child %d\n", 2 * 45 * 1000);
  printf("calls of_child_thread %d\n", N_CHILDREN * N_CALLS);
  printf("calls in_grandchild %d\n", 2 * N_CALLS);
  printf("line %d %d\n", __LINE__ - 38, 45 * 1000);
  return 0;
}
