/* The stack can be unwound through mcount and __fentry__, as debuggers and
   profilers do: from within the call of libc in a thread's first call. */
// RUN: %cc -g -O2 -pg %s -L%libdir -larcline -lpthread -o %t && %t
// RUN: %cc -g -O2 -pg -mfentry %s -L%libdir -larcline -lpthread -o %t && %t
// RUN: %clang -g -O2 -pg %s -L%libdir -larcline -lpthread -o %t && %t
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdint.h>

#define UNCOUNTED __attribute__((no_instrument_function, noinline))

static int (*real_setspecific)(pthread_key_t key, const void *value);
static pthread_t thread;
static int n_found;

static void *work(void *arg) {
  __asm__ volatile("");
  return arg;
}

UNCOUNTED int pthread_setspecific(pthread_key_t key, const void *value) {
  void *frames[64];
  // First called at start, from where there is no way to work(). It loads a
  // library then.
  const int n = backtrace(frames, 64);

  if (!real_setspecific)
    *(void **)&real_setspecific = dlsym(RTLD_NEXT, "pthread_setspecific");
  // Behind work() there is the start of the thread.
  for (int i = 0; i < n - 1; i++)
    n_found += (uintptr_t)frames[i] - (uintptr_t)work < 64;
  return real_setspecific(key, value);
}

UNCOUNTED int main(void) {
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return n_found ? 0 : 1;
}
