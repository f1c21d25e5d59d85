/* valgrind reports no error in a profiled program: threads, a handler, fork(),
   a library that is loaded and unloaded, a dump, a reset and samples all the
   time. Without -g, since valgrind 3.19 does not read debug information of
   clang 19. */
// REQUIRES: valgrind
// RUN: echo 'ARCLINE_OPTIONS=hz=10000 valgrind -q --trace-children=yes "$@" \
// RUN:   --error-exitcode=9 %t 2> errors; cat errors; count 0 < errors' > check
// RUN: echo '%arcline gprof -b -p %t | FileCheck %s' >> check
// RUN: %arcline-cc -g0 -O1 -fPIC -shared -DLIBRARY %s -o library.so
// RUN: %arcline-cc -g0 -O1 -I%include %s -o %t -lpthread
// RUN: sh -e check --leak-check=full --show-leak-kinds=definite
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-cc -g0 -O1 \
// RUN:   -I%include %s -o %t -lpthread
// RUN: sh -e check
// CHECK: {{ 4000 .*}} leaf
#ifdef LIBRARY
__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

void entry(void) {
  for (int i = 0; i < 100; i++)
    leaf();
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcline/arcline.h"

enum { N_THREADS = 4, N_CALLS = 1000 };

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void other(void) { __asm__ volatile(""); }

static void handler(int number) {
  (void)number;
  other();
}

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++)
    leaf();
  raise(SIGUSR1);
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

int main(void) {
  pthread_t threads[N_THREADS];

  signal(SIGUSR1, handler);
  leaf();
  arcline_dump();
  arcline_reset();
  for (int i = 0; i < N_THREADS; i++) {
    pthread_create(&threads[i], NULL, work, NULL);
    load_and_call();
  }
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  const pid_t child = fork();
  if (child == 0) {
    work(NULL);
    exit(0);
  }
  waitpid(child, NULL, 0);
  return 0;
}
#endif
