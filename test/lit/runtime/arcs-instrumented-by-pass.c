/* Pass and runtime together, in every link mode and at every level: calls and
   blocks of four threads, a signal handler and a fork()ed child are exact. */
// RUN: for mode in '-O0' '-O1 -no-pie -fno-pie' '-O2' '-O2 -static' \
// RUN:   '-O3 -static-pie -fPIE' '-O2 -fuse-ld=gold' '-Os -Wl,--gc-sections'; do \
// RUN:   %clang -fpass-plugin=%plugin -g $mode %s -L%libdir -larcline \
// RUN:     -lpthread -o prog || exit 1; \
// RUN:   ARCLINE_OPTIONS=out=gmon.%%p:hz=5000 ./prog > pids || exit 1; \
// RUN:   for pid in $(cat pids); do \
// RUN:     %python %S/Inputs/gmon.py llvm-nm prog gmon.$pid > text || exit 1; \
// RUN:     awk '$1 == "arc" && $3 == "square" { n += $4 } END { print n }' text; \
// RUN:   done > calls; \
// RUN:   printf '1000\n4000010\n' | diff - calls || { echo "$mode"; exit 1; }; \
// RUN: done
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_THREADS = 4, N_CALLS = 1000000 };

static volatile int sink;

__attribute__((noinline)) void square(int n) {
  if (n & 1)
    sink = n * n;
}

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++)
    square(i);
  return arg;
}

static void handler(int number) { square(number); }

int main(void) {
  pthread_t threads[N_THREADS];
  pid_t child;

  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  child = fork();
  if (child == 0) {
    for (int i = 0; i < 1000; i++)
      square(i);
    return 0;
  }
  waitpid(child, NULL, 0);
  signal(SIGUSR1, handler);
  for (int i = 0; i < 10; i++)
    raise(SIGUSR1);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("%d\n%d\n", (int)child, (int)getpid());
  return 0;
}
