/* A program may load, or be linked with, as many libraries as without the
   runtime, whether threads run already or not: most have a word of static
   thread-local storage, the others have none. Counts are exact in threads, in
   threads that reuse memory, in signal handlers, in libraries that are loaded
   again, and in a child. */
// RUN: %arcline-cc -O2 -g -fPIC -shared -DLIBRARY %s \
// RUN:   -Wl,-soname,libp000.so,--build-id=0x6c6962703030302e -o libp000.so
// RUN: llvm-readelf -dl libp000.so | FileCheck %s
// CHECK-NOT: STATIC_TLS
// CHECK:     {{ }}TLS {{.*}} 0x000000 0x000008 R
// CHECK-NOT: STATIC_TLS
// RUN: bash %S/Inputs/many_libraries.sh copy 500
// RUN: %clang -O1 -g %s -o plain
// RUN: %arcline-cc -O1 -g %s -o counted
// RUN: %clang -O1 -g %s -Wl,--no-as-needed,-rpath,. ./libp*.so -o plain-linked
// RUN: %arcline-cc -O1 -g %s -Wl,--no-as-needed,-rpath,. ./libp*.so \
// RUN:   -o counted-linked
// RUN: bash %S/Inputs/many_libraries.sh run %arcline 500 plain
// RUN: bash %S/Inputs/many_libraries.sh run %arcline 500 counted
// RUN: bash %S/Inputs/many_libraries.sh run %arcline 500 plain-linked linked
// RUN: bash %S/Inputs/many_libraries.sh run %arcline 500 counted-linked linked
#ifdef LIBRARY
static volatile int last;

__attribute__((noinline)) static int twice(int x) { return last = 2 * x; }

/* The third callee of an indirect call and others are counted in a table. */
int work(int n, int (*const *functions)(int)) {
  int sum = 0;

  for (int i = 0; i < n; i++)
    sum += twice(functions[i % 4](i));
  return sum;
}
#else
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  MAX = 1000,
  THREADS = 3,
  ROUNDS = 20,
  LATER = 20, /* threads that come one after the other */
};

typedef int work_fn(int n, int (*const *functions)(int));

static void *handles[MAX];
static work_fn *works[MAX];
static long called[MAX]; /* but by handlers */
static int n_open, flags = RTLD_NOW | RTLD_LOCAL;
static pthread_barrier_t all_are_open;
static long n_handled;

static int a(int x) { return x; }
static int b(int x) { return x + 1; }
static int c(int x) { return x + 2; }
static int d(int x) { return x + 3; }
static int (*const functions[])(int) = {a, b, c, d};

static void load(int i) {
  char name[64];

  snprintf(name, sizeof(name), "./libp%03d.so", i);
  handles[i] = dlopen(name, flags);
  works[i] = handles[i] ? (work_fn *)dlsym(handles[i], "work") : NULL;
  if (works[i])
    return;
  fprintf(stderr, "%s\n", dlerror());
  exit(1);
}

static void load_to(int n) {
  while (n_open < n)
    load(n_open++);
}

static void call_all(int turns) {
  for (int i = 0; i < n_open; i++)
    for (int k = 0; k < turns * (i % 5 + 1); k++)
      works[i](5, functions);
}

static void called_all(int turns) {
  for (int i = 0; i < n_open; i++)
    called[i] += turns * (i % 5 + 1);
}

static void *run(void *unused) {
  pthread_barrier_wait(&all_are_open);
  call_all(ROUNDS);
  return unused;
}

static void *run_later(void *unused) {
  call_all(1);
  return unused;
}

static void handle(int number) {
  (void)number;
  works[3](4, functions);
  works[n_open - 1](4, functions);
  __atomic_add_fetch(&n_handled, 1, __ATOMIC_SEQ_CST);
}

static void block(int how) {
  sigset_t set;

  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_sigmask(how, &set, NULL);
}

int main(int argc, char **argv) {
  const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  const int n = atoi(argv[1]);
  pthread_t threads[THREADS];
  long all = 0;

  if (argc > 2 && !strcmp(argv[2], "linked"))
    flags |= RTLD_NOLOAD;
  load_to(n / 2);
  call_all(1);
  called_all(1);
  pthread_barrier_init(&all_are_open, NULL, THREADS + 1);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  load_to(n);
  signal(SIGALRM, handle);
  setitimer(ITIMER_REAL, &often, NULL);
  pthread_barrier_wait(&all_are_open);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    called_all(ROUNDS);
  }
  for (int i = 0; i < LATER; i++) {
    pthread_create(threads, NULL, run_later, NULL);
    pthread_join(*threads, NULL);
    called_all(1);
  }
  block(SIG_BLOCK);
  for (int i = n / 5; i < 2 * n / 5; i++)
    dlclose(handles[i]);
  for (int i = 2 * n / 5 - 1; i >= n / 5; i--)
    load(i);
  const pid_t child = fork();
  if (child == 0) {
    setitimer(ITIMER_REAL, &never, NULL);
    call_all(2);
    exit(0);
  }
  waitpid(child, NULL, 0);
  called_all(2);
  block(SIG_UNBLOCK);
  call_all(1);
  called_all(1);
  setitimer(ITIMER_REAL, &never, NULL);
  block(SIG_BLOCK);
  called[3] += n_handled;
  called[n - 1] += n_handled;
  for (int i = 0; i < n; i++) {
    all += called[i];
    if (i % 100 == 3 || i % 100 == 99 || i == n / 5)
      printf("libp%03d %ld\n", i, called[i]);
  }
  printf("all %ld\n", all);
  return 0;
}
#endif
