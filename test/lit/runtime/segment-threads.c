/* Threads that count through GS, for each way of starting them: by
   pthread_create() and thrd_create(), in the executable and in a library
   without the runtime, in an object that is not instrumented, by a timer of
   libc, by std::thread. Their code is called through a table, so that their own
   code does not announce them to the runtime, unless libc made them. Each
   counts in the same loops at the same time, and no count is lost. */
// REQUIRES: x86_64
// RUN: echo './prog > truth && %check-truth ./prog %s truth gmon.out' > check
// RUN: %cc -O2 -fPIC -shared -DLIBRARY %s -o libplain.so
// RUN: %cc -O2 -DPLAIN -c %s -o plain.o
// RUN: %cxx -O2 -x c++ -DCXX -c %s -o cxx.o
// RUN: for mode in '-O1' '-O2' '-O2 -fno-pie -no-pie' %if ld-plugin %{'-O2 -flto'%} \
// RUN:   '-O2 -Wl,-z,now' '-O3 -Wl,--gc-sections' \
// RUN:   %if lld %{ '-O2 -fuse-ld=lld -ffunction-sections -Wl,--gc-sections' %}; do \
// RUN:   %arcline-c++ $mode -x c %s -x none plain.o cxx.o -L. -lplain \
// RUN:     -Wl,-rpath,$PWD -o prog || exit 1; \
// RUN:   sh check || { echo "$mode"; exit 1; }; \
// RUN:   not grep lost gmon.out.arcline || exit 1; \
// RUN:   grep -x "late-threads 6" gmon.out.arcline || exit 1; \
// RUN: done
// RUN: %cc -O2 -DLIBRARY -c %s -o library.o
// RUN: for mode in '-O2 -static -fno-pie' '-O2 -static-pie -fPIE'; do \
// RUN:   %arcline-c++ $mode -x c %s -x none plain.o cxx.o library.o -o prog || exit 1; \
// RUN:   sh check || { echo "$mode"; exit 1; }; \
// RUN: done
// A library that comes later finds the function, too.
// RUN: %arcline-c++ -O2 -DLOADED -x c %s -x none plain.o cxx.o -o prog
// RUN: sh check
// Without the wrapper nobody announces threads; each finds out for itself.
// RUN: %clangxx -fpass-plugin=%plugin -g -O2 -x c %s -x none plain.o cxx.o \
// RUN:   -L. -lplain -Wl,-rpath,$PWD -L%libdir -larcline -o prog
// RUN: sh check
// RUN: grep -x "late-threads 37" gmon.out.arcline
// An executable that is loaded where libraries are.
// RUN: echo 'setarch -R /lib64/ld-linux-x86-64.so.2 ./prog > truth && \
// RUN:   %check-truth ./prog %s truth gmon.out' > check
// RUN: sh check
#include <pthread.h>

#define NOINLINE __attribute__((noinline))

enum { N_THREADS = 6, N_CALLS = 200000 };

typedef int start_fn(pthread_t *thread, void *(*routine)(void *), void *argument);

#if defined(CXX)
#include <thread>

extern "C" int make_cxx(pthread_t *thread, void *(*routine)(void *),
                        void *argument) {
  std::thread made(routine, argument);
  *thread = made.native_handle();
  made.detach();
  return 0;
}
#elif defined(LIBRARY)
#include <semaphore.h>

static sem_t is_wanted, is_taken;
static void *(*wanted)(void *);

/* Made before the executable's own constructors. */
static void *serve(void *argument) {
  for (;;) {
    sem_wait(&is_wanted);
    void *(*const routine)(void *) = wanted;
    sem_post(&is_taken);
    routine(argument);
  }
  return argument;
}

__attribute__((constructor)) static void make_server(void) {
  pthread_t thread;

  sem_init(&is_wanted, 0, 0);
  sem_init(&is_taken, 0, 0);
  pthread_create(&thread, NULL, serve, NULL);
}

int ask_server(pthread_t *thread, void *(*routine)(void *), void *argument) {
  (void)thread, (void)argument;
  wanted = routine;
  sem_post(&is_wanted);
  sem_wait(&is_taken);
  return 0;
}

int make_in_library(pthread_t *thread, void *(*routine)(void *), void *argument) {
  return pthread_create(thread, NULL, routine, argument);
}
#elif defined(PLAIN)
int make_plain(pthread_t *thread, void *(*routine)(void *), void *argument) {
  return pthread_create(thread, NULL, routine, argument);
}
#else
#include <dlfcn.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

start_fn make_cxx, make_in_library, make_plain, ask_server;

static sem_t n_done;

enum { LEAF_LINE = __LINE__ + 2 };
NOINLINE static int leaf(int i) {
  __asm__ volatile("");
  return i & 1;
}

static void *work(void *argument) {
  long n = 0;

  for (int i = 0; i < N_CALLS; i++)
    n += leaf(i);
  if (n != N_CALLS / 2)
    abort();
  sem_post(&n_done);
  return argument;
}

static int work_c11(void *argument) { return work(argument) != NULL; }
static void work_timed(union sigval value) { work(value.sival_ptr); }

static struct {
  void *(*routine)(void *);
  thrd_start_t c11;
} table = {work, work_c11};

static int make_here(pthread_t *thread, void *(*routine)(void *), void *argument) {
  return pthread_create(thread, NULL, routine, argument);
}

static int make_c11(pthread_t *thread, void *(*routine)(void *), void *argument) {
  (void)routine;
  return thrd_create(thread, table.c11, argument) != thrd_success;
}

static void make_by_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD,
                           .sigev_notify_function = work_timed};
  const struct itimerspec soon = {.it_value.tv_nsec = 1000};
  timer_t timer;

  if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
      timer_settime(timer, 0, &soon, NULL))
    abort();
}

int main(void) {
#ifdef LOADED
  void *library = dlopen("./libplain.so", RTLD_NOW);
  start_fn *loaded = (start_fn *)dlsym(library, "make_in_library");
  start_fn *asked = (start_fn *)dlsym(library, "ask_server");
#else
  start_fn *loaded = make_in_library;
  start_fn *asked = ask_server;
#endif
  start_fn *makers[] = {make_here, make_c11, make_plain,
                        make_cxx,  loaded,   asked};
  pthread_t thread;
  int n = 0;

  sem_init(&n_done, 0, 0);
  for (int i = 0; i < N_THREADS; i++) {
    for (size_t j = 0; j < sizeof(makers) / sizeof(*makers); j++, n++)
      if (makers[j](&thread, table.routine, NULL))
        abort();
    make_by_timer();
    n++;
  }
  work(NULL);
  n++;
  for (int i = 0; i < n; i++)
    sem_wait(&n_done);
  printf("calls leaf %d\nline %d %d\n", n * N_CALLS, LEAF_LINE, n * N_CALLS);
  return 0;
}
#endif
