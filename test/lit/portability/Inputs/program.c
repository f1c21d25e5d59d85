/* Calls in all places, whose numbers the tests of this folder expect. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

enum { N_THREADS = 16, N_CALLS = 10000, N_JUMPS = 10 };

static sigjmp_buf again;

static NOINLINE void leaf(void) { __asm__ volatile(""); }
static NOINLINE void other(void) { __asm__ volatile(""); }

static NOINLINE int down(int n) {
  const int below = n ? down(n - 1) : 0;

  __asm__ volatile("");
  return below + 1;
}

static NOINLINE void *work(void *arg) {
  void (*volatile callees[])(void) = {leaf, other};

#pragma GCC unroll 1
  for (int i = 0; i < N_CALLS; i++)
    callees[i % 10 == 0]();
  return arg;
}

__attribute__((constructor)) static void first(void) {
  leaf();
  __asm__ volatile("");
}

static void at_exit(void) {
  leaf();
  __asm__ volatile("");
}

static void handle(int number) {
  leaf();
  siglongjmp(again, number);
}

int main(void) {
  pthread_t threads[N_THREADS];
  static volatile int n_jumps;
  int status;

  atexit(at_exit);
  signal(SIGUSR1, handle);
  sigsetjmp(again, 1);
  if (n_jumps++ < N_JUMPS)
    raise(SIGUSR1);
  down(1000);
  for (int i = 0; i < N_THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, NULL))
      return 2;
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  const pid_t child = fork();
  if (child == 0) {
    if (chdir("child"))
      return 2;
    work(NULL);
    exit(0);
  }
  return waitpid(child, &status, 0) != child || status;
}
