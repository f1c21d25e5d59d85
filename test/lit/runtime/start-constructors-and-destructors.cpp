/* Calls before main() and after it: from .preinit_array, constructors and
   destructors of all priorities, static objects, atexit(), destructors of
   thread_local objects and of thread-specific data; in every link mode. */
// RUN: echo '%t > truth && %check-truth "$@" %t %s truth gmon.out' > check
// RUN: %arcline-c++ -O2 %s -o %t -lpthread
// RUN: sh check
// RUN: %arcline-c++ -O0 -no-pie -fno-pie %s -o %t -lpthread
// RUN: sh check
// RUN: %arcline-c++ -O2 -static %s -o %t -lpthread
// RUN: sh check
// RUN: %arcline-c++ -O2 -static-pie -fPIE %s -o %t -lpthread
// RUN: sh check
// RUN: %arcline-c++ -O2 --arcline-calls-only -static-pie -fPIE %s -o %t \
// RUN:   -lpthread
// RUN: sh check --no-blocks
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-c++ -O2 \
// RUN:   -fno-optimize-sibling-calls %s -o %t -lpthread
// RUN: sh check --no-blocks
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

extern "C" {
NOINLINE void early(void) { __asm__ volatile(""); }
NOINLINE void in_time(void) { __asm__ volatile(""); }
NOINLINE void late(void) { __asm__ volatile(""); }
NOINLINE void of_thread(void) { __asm__ volatile(""); }
}

static int line;

static void preinit(void) {
  early();
  early();
}

__attribute__((section(".preinit_array"),
               used)) static void (*const first)() = preinit;

__attribute__((constructor(101))) static void constructor_101() { early(); }
__attribute__((constructor(102))) static void constructor_102() { early(); }
__attribute__((constructor)) static void constructor_65535() { early(); }
__attribute__((destructor(101))) static void destructor_101() { late(); }
__attribute__((destructor(102))) static void destructor_102() { late(); }
__attribute__((destructor)) static void destructor_65535() { late(); }

struct Global {
  Global() { early(); }
  ~Global() { late(); }
};

static Global global;
__attribute__((init_priority(101))) static Global global_101;

struct Local {
  int n = 0;
  ~Local() { of_thread(); }
};

static thread_local Local local;

static void on_key(void *) { of_thread(); }

static void at_exit() { late(); }

static void *work(void *arg) {
  pthread_key_t *key = static_cast<pthread_key_t *>(arg);

  local.n++;
  pthread_setspecific(*key, key);
  return arg;
}

int main() {
  pthread_t thread;
  pthread_key_t key;

  local.n++;
  in_time(), line = __LINE__;
  pthread_key_create(&key, on_key);
  pthread_create(&thread, nullptr, work, &key);
  pthread_join(thread, nullptr);
  atexit(at_exit);
  printf("calls early %d\ncalls in_time 1\nline %d 1\n", 2 + 3 + 2, line);
  printf("calls late %d\n", 3 + 2 + 1);
  printf("calls of_thread %d\n", 2 + 1);
  return 0;
}
