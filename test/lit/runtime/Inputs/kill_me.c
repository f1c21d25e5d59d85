/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls leaf() until it is killed, in one of several ways, and writes the
   number of calls to fd 3 after every 64 calls: see kill_runs.py. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcline/arcline.h"

enum { N_CALLS = 64, N_THREADS = 4 };

struct record {
  int kind; /* 'n': calls so far; 'b', 'e': before and after a reset */
  int slot; /* each thread has its own */
  long n;
};

__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }

__attribute__((noinline)) void other(void) { __asm__ volatile(""); }

static void (*volatile pointers[])(void) = {leaf, other};

static void tell(int kind, int slot, long n) {
  const struct record record = {kind, slot, n};

  if (write(3, &record, sizeof(record)) != sizeof(record))
    _exit(1);
}

/* Calls leaf() N_CALLS times, some of them through a pointer. */
__attribute__((noinline)) static void call(void) {
  for (int i = 0; i < N_CALLS / 4; i++) {
    leaf();
    leaf();
    leaf();
    pointers[1]();
    pointers[i & 1]();
    pointers[~i & 1]();
  }
}

static void *work(void *slot) {
  for (long n = N_CALLS;; n += N_CALLS) {
    call();
    tell('n', (int)(long)slot, n);
  }
  return NULL;
}

static void *work_once(void *slot) {
  call();
  tell('n', (int)(long)slot, N_CALLS);
  return NULL;
}

static void run_threads(void) {
  pthread_t thread;

  for (long i = 0; i < N_THREADS; i++)
    pthread_create(&thread, NULL, work, (void *)i);
  for (long slot = N_THREADS;; slot++) {
    pthread_create(&thread, NULL, work_once, (void *)slot);
    pthread_join(thread, NULL);
  }
}

static void run_forks(void) {
  for (long n = N_CALLS;; n += N_CALLS) {
    call();
    tell('n', 0, n);
    const pid_t child = fork();
    if (child == 0) {
      call();
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
}

static void run_loads(const char *path) {
  for (long n = N_CALLS;; n += N_CALLS) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void (*entry)(int) = NULL;
    if (!library)
      abort();
    *(void **)&entry = dlsym(library, "entry");
    entry(N_CALLS);
    tell('n', 0, n);
    dlclose(library);
  }
}

static void run_resets(void) {
  for (;;) {
    for (long n = N_CALLS; n <= 8L * N_CALLS; n += N_CALLS) {
      call();
      tell('n', 0, n);
    }
    tell('b', 0, 0);
    arcline_reset();
    tell('e', 0, 0);
  }
}

static void run_dumps(void) {
  for (long n = N_CALLS;; n += N_CALLS) {
    call();
    arcline_dump();
    tell('n', 0, n);
  }
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";

  if (strcmp(mode, "threads") == 0)
    run_threads();
  else if (strcmp(mode, "forks") == 0)
    run_forks();
  else if (strcmp(mode, "loads") == 0 && argc > 2)
    run_loads(argv[2]);
  else if (strcmp(mode, "resets") == 0)
    run_resets();
  else if (strcmp(mode, "dumps") == 0)
    run_dumps();
  return 2;
}
