/* Programs are profiled and sanitized: threads, handlers, fork(), libraries
   that are loaded and unloaded, dumps. No sanitizer reports an error in
   instrumented code or in the runtime, and the counts are exact. */
// REQUIRES: sanitizers
// RUN: echo '%arcline-cc -g -O1 -I%include "$@"' > cc
// RUN: echo 'sh cc -fPIC -shared -DLIBRARY %s -o library.so "$@"' > try
// RUN: echo 'sh cc %s -o %t -lpthread "$@" && %t 2>&1 > truth' >> try
// RUN: echo '%check-truth $check %t %s truth gmon.out' >> try
// RUN: sh -e try -fsanitize=thread | FileCheck %s
// RUN: sh -e try -fsanitize=address,undefined | FileCheck %s
// RUN: sh -e try -fsanitize=memory | FileCheck %s
// RUN: env ARCLINE_PASS_OPTIONS=blocks=off check=--no-blocks \
// RUN:   sh -e try -fsanitize=thread | FileCheck %s
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off check=--no-blocks \
// RUN:   sh -e try -fsanitize=thread | FileCheck %s
// CHECK-NOT: {{.}}
// CHECK: {{^}}{{[0-9]+}} counts compared
#ifdef LIBRARY
__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

void entry(void) {
  for (int i = 0; i < 1000; i++)
    leaf();
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcline/arcline.h"

enum { N_THREADS = 8, N_ROUNDS = 3, N_CALLS = 6000 };

static int line;

__attribute__((noinline)) static void direct(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void first(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void second(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void third(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void in_handler(void) { __asm__ volatile(""); }

static void (*volatile const by_pointer[])(void) = {first, second, third};

static void handler(int number) {
  (void)number;
  in_handler();
}

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++) {
    direct();
    by_pointer[i % 3]();
  }
  return arg;
}

static void load_and_call(void) {
  void *library = dlopen("./library.so", RTLD_NOW);
  void (*entry)(void);

  if (!library)
    abort();
  *(void **)&entry = dlsym(library, "entry");
  entry();
  dlclose(library);
}

static void one_round(void) {
  pthread_t threads[N_THREADS];

  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  if (arcline_dump())
    abort();
  load_and_call();
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
}

int main(void) {
  const struct itimerval every = {{0, 1000}, {0, 1000}};
  const struct sigaction action = {.sa_handler = handler,
                                   .sa_flags = SA_RESTART};

  sigaction(SIGALRM, &action, NULL);
  one_round();
  arcline_reset();
  setitimer(ITIMER_REAL, &every, NULL);
  for (int i = 0; i < N_ROUNDS; i++) {
    one_round(), line = __LINE__;
  }
  setitimer(ITIMER_REAL, &(const struct itimerval){0}, NULL);
  const pid_t child = fork();
  if (child == 0) {
    work(NULL);
    exit(0);
  }
  waitpid(child, NULL, 0);
  printf("calls direct %d\n", N_ROUNDS * N_THREADS * N_CALLS);
  printf("calls first %d\n", N_ROUNDS * N_THREADS * N_CALLS / 3);
  printf("calls second %d\n", N_ROUNDS * N_THREADS * N_CALLS / 3);
  printf("calls third %d\n", N_ROUNDS * N_THREADS * N_CALLS / 3);
  printf("line %d %d\n", line, N_ROUNDS);
  return 0;
}
#endif
