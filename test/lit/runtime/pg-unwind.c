/* The stack can be unwound through mcount and __fentry__, as debuggers and
   profilers do: from within a thread's first call, which maps memory: the
   linker replaces the function for that by one of this test. */
// RUN: wrap=-Wl,--wrap=__arcline_rt_map; \
// RUN: %cc -g -O2 -pg %s -L%libdir -larcline -lpthread $wrap -o %t && %t && \
// RUN: %cc -g -O2 -pg -mfentry %s -L%libdir -larcline -lpthread $wrap -o %t && %t && \
// RUN: %clang -g -O2 -pg %s -L%libdir -larcline -lpthread $wrap -o %t && %t
#include <execinfo.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define UNCOUNTED __attribute__((no_instrument_function, noinline))

static pthread_t thread;
static int n_found;

static void *work(void *arg) {
  __asm__ volatile("");
  return arg;
}

void *__real___arcline_rt_map(size_t bytes);
void *__wrap___arcline_rt_map(size_t bytes);

UNCOUNTED void *__wrap___arcline_rt_map(size_t bytes) {
  void *frames[64];
  // The first call is at start, outside of work(). It loads a library then.
  const int n = backtrace(frames, 64);

  // The caller of work() is the start of the thread.
  for (int i = 0; i < n - 1; i++)
    n_found += (uintptr_t)frames[i] - (uintptr_t)work < 64;
  return __real___arcline_rt_map(bytes);
}

UNCOUNTED int main(void) {
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return n_found ? 0 : 1;
}
