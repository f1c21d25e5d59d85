/* No hook and no sample changes errno, even if memory is mapped, a thread
   attaches, or mapping fails. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: env ARCLINE_OPTIONS=hz=10000 %t
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | FileCheck %s
// CHECK: rate 10000
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "instrument.h"

enum { ERRNO = 12345, N_CALLS = 3000000 };

__asm__(".text\nplaces: .skip 100000\n");
extern const char places[] __attribute__((visibility("hidden")));

PICK_DATA

static NOINLINE void leaf(void) { CALLED(leaf); }

static void check(void) {
  if (errno != ERRNO)
    abort();
}

static void *work(void *arg) {
  errno = ERRNO;
  pick(1);
  check();
  leaf();
  check();
  for (int i = 0; i < 100000; i++) {
    __arcline_mcount(places + i, places);
    check();
  }
  for (int i = 0; i < N_CALLS; i++)
    leaf();
  check();
  return arg;
}

int main(void) {
  pthread_t thread;

  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  const struct rlimit none = {0, RLIM_INFINITY};
  const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &none);
  work(NULL);
  setrlimit(RLIMIT_AS, &all);
  return 0;
}
