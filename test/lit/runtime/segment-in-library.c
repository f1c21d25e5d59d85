/* Objects compiled for an executable are linked into a library, which is
   possible without -fPIC: this is reported, all threads continue in counters
   that they share, and no other memory is written. With one thread no count is
   lost. Code compiled with -fPIC is exact. */
// REQUIRES: x86_64
// RUN: %arcline-cc -O2 -fPIE -DLIBRARY -c %s -o library.o
// RUN: %arcline-cc -shared library.o -o libwrong.so
// RUN: %arcline-cc -O2 -fPIC -DLIBRARY -shared %s -o libright.so

// RUN: %arcline-cc -O2 %s -L. -lwrong -Wl,-rpath,$PWD -o prog -lpthread
// RUN: ./prog 2>&1 | FileCheck %s
// RUN: grep -x "lost libraries 1" gmon.out.arcline
// RUN: %arcline gprof -b -p -z prog gmon.out libwrong.so gmon.out.libwrong.so | FileCheck %s --check-prefix=ALONE
// RUN: ./prog threads 2>&1 | FileCheck %s
// CHECK: arcline: {{.*}}/libwrong.so: code of a library was compiled for an executable, so threads may lose counts; compile it with -fPIC
// ALONE-DAG: {{ 1000 .*}} in_library
// ALONE-DAG: {{ 1000 .*}} in_executable

// Loaded while threads with their own counters run, working or sleeping.
// RUN: %arcline-cc -O2 -DLOADED %s -o prog -lpthread
// RUN: ./prog threads 2>&1 | FileCheck %s
// RUN: env ARCLINE_OPTIONS=hz=0 ./prog threads 2>&1 | FileCheck %s

// RUN: cp libright.so libwrong.so
// RUN: ./prog threads 2>&1 | count 0
// RUN: %arcline gprof -b -p -z prog gmon.out libwrong.so gmon.out.libwrong.so | FileCheck %s --check-prefix=EXACT
// EXACT-DAG: {{ 501000 .*}} in_library
// EXACT-DAG: {{ 501000 .*}} in_executable
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

enum { N_THREADS = 5, N_CALLS = 1000 };

#ifdef LIBRARY
NOINLINE void in_library(void) { __asm__ volatile(""); }
#else
extern void in_library(void);

static sem_t ready, go;
static int is_over;

NOINLINE static void in_executable(void) { __asm__ volatile(""); }

static void (*library)(void);

static void work(int n) {
  for (int i = 0; i < n; i++) {
    in_executable();
    library();
  }
}

static void *sleeper(void *argument) {
  sem_post(&ready);
  sem_wait(&go);
  work(100 * N_CALLS);
  return argument;
}

static void *runner(void *argument) {
  volatile int n = 0;

  sem_post(&ready);
  while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE))
    n++;
  work(100 * N_CALLS);
  return argument;
}

static void load(void) {
#ifdef LOADED
  void *const handle = dlopen("./libwrong.so", RTLD_NOW);
  library = (void (*)(void))dlsym(handle, "in_library");
#else
  library = in_library;
#endif
}

int main(int argc, char **argv) {
  pthread_t threads[N_THREADS];

  (void)argv;
  for (int i = 0; argc > 1 && i < N_THREADS; i++) {
    pthread_create(&threads[i], NULL, i % 2 ? runner : sleeper, NULL);
    sem_wait(&ready);
  }
  load();
  __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < N_THREADS; i++)
    sem_post(&go);
  work(N_CALLS);
  for (int i = 0; argc > 1 && i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
#endif
