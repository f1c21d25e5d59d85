/* A program that looks for another handler of SIGPROF before it sets its own,
   as sampling profilers do, finds none. Its handler gets its own ticks and none
   of the runtime, in new threads, too. The default action, set again, ends the
   program by a signal from elsewhere, but not by a late sample. */
// RUN: for way in -DBY_SIGNAL -DBY_SIGACTION; do \
// RUN:   %clang -O1 -pthread $way %s -o plain && ./plain > expected || exit 1; \
// RUN:   %arcline-cc -O1 -pthread $way %s -o prog || exit 1; \
// RUN:   env ARCLINE_OPTIONS=hz=10000 ./prog > got 2> messages || exit 1; \
// RUN:   diff expected got && FileCheck %s < messages || exit 1; \
// RUN: done
// CHECK: {{^}}arcline: program replaced the SIGPROF handler; samples are
// missing
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BURN_MS = 50, MOST_BURNS = 200, N_THREADS = 4 };

static volatile int n_ticks;

static void handler(int number) {
  (void)number;
  n_ticks++;
}

static void burn(void) {
  struct timespec now;
  double end = 0, ms;

  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    ms = now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
    end = end ? end : ms + BURN_MS;
  } while (ms < end);
}

static void *run(void *unused) {
  burn();
  return unused;
}

static void (*set(void (*next)(int)))(int) {
#ifdef BY_SIGNAL
  return signal(SIGPROF, next);
#else
  const struct sigaction action = {.sa_handler = next, .sa_flags = SA_RESTART};
  struct sigaction old;
  sigaction(SIGPROF, &action, &old);
  return old.sa_handler;
#endif
}

static const char *name(void (*action)(int)) {
  return action == SIG_DFL   ? "default"
         : action == SIG_IGN ? "ignored"
         : action == handler ? "handler"
                             : "unknown";
}

static void show(const char *when) {
  struct sigaction now;

  sigaction(SIGPROF, NULL, &now);
  printf("%s: %s, flags %x, blocks SIGTERM %d\n", when, name(now.sa_handler),
         (unsigned)now.sa_flags & ~0x04000000u,
         sigismember(&now.sa_mask, SIGTERM));
}

static void burn_in_threads(void) {
  pthread_t threads[N_THREADS];

  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  burn();
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
}

static int status_of_raise(void) {
  const pid_t child = fork();
  int status;

  if (child == 0) {
    burn();
    raise(SIGPROF);
    _exit(0);
  }
  waitpid(child, &status, 0);
  return status;
}

int main(void) {
  const struct itimerval every = {{0, 1000}, {0, 1000}};
  const struct itimerval never = {{0, 0}, {0, 0}};

  setvbuf(stdout, NULL, _IONBF, 0);
  burn();
  show("first");
  printf("default before: %s\n", name(set(SIG_DFL)));
  burn();
  printf("handler before: %s\n", name(set(handler)));
  n_ticks = 0; // a sample may have been on its way
  show("with the handler");
  burn_in_threads();
  printf("without a timer: %d\n", n_ticks);
  setitimer(ITIMER_PROF, &every, NULL);
  // Some kernels need more than BURN_MS for the first one.
  for (int i = 0; i < MOST_BURNS && !n_ticks; i++)
    burn();
  setitimer(ITIMER_PROF, &never, NULL);
  printf("with a timer: %d\n", n_ticks > 0);
  printf("default again: %s\n", name(set(SIG_DFL)));
  show("with the default");
  burn_in_threads();
  printf("raised: %x\n", status_of_raise());
  printf("ignored before: %s\n", name(set(SIG_IGN)));
  show("ignored");
  printf("raised: %x\n", status_of_raise());
  return 0;
}
