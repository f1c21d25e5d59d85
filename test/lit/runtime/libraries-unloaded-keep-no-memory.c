/* A program that is not instrumented loads and unloads a library. The runtime
   goes with it, and leaves as many mappings after 60 loads as after 10, though
   a thread that called the library goes on. Nor does it leave a handler of
   SIGPROF if there was no memory for the library's counts. */
// RUN: %arcline-cc -O1 -g1 -fPIC -shared -DLIBRARY %s -o liblib.so
// RUN: %clang -O1 %s -o %t -lpthread
// RUN: env ARCLINE_OPTIONS=hz=1000 %t loads 2>&1 | count 0
// RUN: %arcline export --format=lcov liblib.so | grep -x 'FNDA:120,count'
// RUN: env ARCLINE_OPTIONS=hz=1000 %t limits > limits 2> messages
// RUN: grep -x '0 of 85 crashed, [1-9][0-9]* loaded it' limits
// RUN: grep 'Out of memory; no profile written' messages
#define _GNU_SOURCE
#ifdef LIBRARY
void count(void);
void count(void) { __asm__ volatile(""); }
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N_LOADS = 60, N_FIRST = 10, N_LIMITS = 85, STEP_BYTES = 8192 };

static pthread_barrier_t barrier;
static void (*count)(void);

static bool load(void **library) {
  *library = dlopen("./liblib.so", RTLD_NOW);
  if (*library)
    count = (void (*)(void))dlsym(*library, "count");
  return *library != NULL;
}

static void *call_too(void *unused) {
  for (int i = 0; i < N_LOADS; i++) {
    pthread_barrier_wait(&barrier);
    count();
    pthread_barrier_wait(&barrier);
  }
  return unused;
}

static int n_mappings(void) {
  FILE *file = fopen("/proc/self/maps", "r");
  int n = 0;

  for (int c = file ? getc(file) : EOF; c != EOF; c = getc(file))
    n += c == '\n';
  fclose(file);
  return n;
}

static int load_often(void) {
  pthread_t thread;
  void *library;
  int n_first = 0;

  pthread_barrier_init(&barrier, NULL, 2);
  if (pthread_create(&thread, NULL, call_too, NULL))
    return 1;
  for (int i = 0; i < N_LOADS; i++) {
    if (!load(&library))
      return 1;
    pthread_barrier_wait(&barrier);
    count();
    pthread_barrier_wait(&barrier);
    dlclose(library);
    if (i + 1 == N_FIRST)
      n_first = n_mappings();
  }
  if (n_mappings() > n_first)
    printf("%d mappings, then %d\n", n_first, n_mappings());
  return pthread_join(thread, NULL);
}

static size_t address_space(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  size_t n_pages = 0;

  if (!file || fscanf(file, "%zu", &n_pages) != 1)
    exit(2);
  fclose(file);
  return n_pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void burn(void) {
  const clock_t start = clock();

  while (clock() - start < CLOCKS_PER_SEC / 50)
    continue;
}

/* As much address space is left as that. Returns whether there was enough for
   the library. */
static bool load_with(size_t n_bytes) {
  struct rlimit limit;
  void *library;

  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = address_space() + n_bytes;
  if (setrlimit(RLIMIT_AS, &limit) || !load(&library))
    return false;
  count();
  burn();
  dlclose(library);
  burn();
  return true;
}

static int load_with_each(void) {
  int n_crashed = 0, n_loaded = 0;

  for (size_t i = 1; i <= N_LIMITS; i++) {
    const pid_t child = fork();
    int status = 0;
    if (!child)
      _exit(load_with(i * STEP_BYTES) ? 0 : 3);
    waitpid(child, &status, 0);
    n_crashed += WIFSIGNALED(status) != 0;
    n_loaded += status == 0;
  }
  printf("%d of %d crashed, %d loaded it\n", n_crashed, N_LIMITS, n_loaded);
  return 0;
}

int main(int argc, char **argv) {
  return argc > 1 && !strcmp(argv[1], "limits") ? load_with_each()
                                                : load_often();
}
#endif
