/* A library is loaded after a thread has started; the first call of the thread
   into it is made by a signal handler, which must not allocate memory. */
// RUN: %arcline-cc -O2 -fPIC -shared -DLIBRARY %s -o libone.so
// RUN: %arcline-cc -O2 %s -o %t -lpthread && %t
// RUN: %python %S/Inputs/gmon.py llvm-nm libone.so gmon.out.libone.so \
// RUN:   | FileCheck %s
// RUN: %clang -O2 %s -o %t.plain -lpthread && rm gmon.out* && %t.plain
// RUN: %python %S/Inputs/gmon.py llvm-nm libone.so gmon.out.libone.so \
// RUN:   | FileCheck %s
// CHECK: arc entry leaf 2000
// CHECK: arc outside entry 200
#ifdef LIBRARY
__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

void entry(void);
void entry(void) {
  for (int i = 0; i < 10; i++)
    leaf();
}
#else
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { N_THREADS = 20, N_SIGNALS = 10 };

void *__libc_malloc(size_t size);

static pthread_barrier_t barrier;
static void (*entry)(void);
static __thread volatile sig_atomic_t is_in_handler
    __attribute__((tls_model("initial-exec")));

void *malloc(size_t size) {
  if (is_in_handler)
    _exit(9);
  return __libc_malloc(size);
}

static void handler(int number) {
  (void)number;
  is_in_handler = 1;
  entry();
  is_in_handler = 0;
}

static void *work(void *arg) {
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier); // the library is there
  for (int i = 0; i < N_SIGNALS; i++)
    raise(SIGUSR1);
  return arg;
}

int main(void) {
  pthread_t threads[N_THREADS];

  signal(SIGUSR1, handler);
  pthread_barrier_init(&barrier, NULL, N_THREADS + 1);
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  pthread_barrier_wait(&barrier);
  void *library = dlopen("./libone.so", RTLD_NOW);
  if (!library)
    return 1;
  *(void **)&entry = dlsym(library, "entry");
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
#endif
