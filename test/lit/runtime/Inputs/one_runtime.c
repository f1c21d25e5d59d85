/* See ../libraries-one-runtime.test. */
#ifdef LIBRARY
#define NAME_(a, b) a##b
#define NAME(a, b) NAME_(a, b)

__attribute__((noinline)) static int NAME(called_, LIBRARY)(int x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

int entry(int x);
int entry(int x) { return NAME(called_, LIBRARY)(x); }
#else
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_THREADS = 3, N_CALLS = 100 };

static int (*one)(int), (*two)(int);
static pthread_barrier_t barrier;

static void *open_library(const char *name, const char *how) {
  void *library = strchr(how, 'n') ? dlmopen(LM_ID_NEWLM, name, RTLD_NOW)
                                   : dlopen(name, RTLD_NOW | RTLD_LOCAL);

  if (!library) {
    puts(dlerror());
    exit(1);
  }
  return library;
}

static int (*entry_of(void *library))(int) {
  return (int (*)(int))dlsym(library, "entry");
}

static void *work(void *arg) {
  pthread_barrier_wait(&barrier); // libraries are open
  for (int i = 0; i < N_CALLS; i++)
    two(i);
  pthread_barrier_wait(&barrier); // one may be closed
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < N_CALLS; i++)
    two(i);
  return arg;
}

static void fork_child(void) {
  const pid_t child = fork();

  if (child == 0) {
    two(0);
    exit(0);
  }
  waitpid(child, NULL, 0);
  printf("%d\n", (int)child);
}

static void begin_threads(pthread_t *threads) {
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
}

/* How: by dlmopen (n); threads are there before libraries (e); the first
   library is closed (c) and opened again (r); fork (f). */
int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  pthread_t threads[N_THREADS];

  pthread_barrier_init(&barrier, NULL, N_THREADS + 1);
  if (strchr(how, 'e'))
    begin_threads(threads);
  void *first = open_library("./libone.so", how);
  void *second = open_library("./libtwo.so", how);
  one = entry_of(first);
  two = entry_of(second);
  for (int i = 0; i < 3; i++)
    one(two(i));
  if (!strchr(how, 'e'))
    begin_threads(threads);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  if (strchr(how, 'c'))
    dlclose(first);
  if (strchr(how, 'r')) {
    one = entry_of(open_library("./libone.so", how));
    for (int i = 0; i < 3; i++)
      one(i);
  }
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < 2; i++)
    two(i);
  if (strchr(how, 'f'))
    fork_child();
  return 0;
}
#endif
