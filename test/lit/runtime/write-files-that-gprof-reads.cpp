/* Every report of the installed GNU gprof on the profile of a threaded,
   optimised C++ program, also summed up: read without a message, with the same
   numbers as arcline's. */
// REQUIRES: gprof
// RUN: %arcline-c++ -O2 -g -gdwarf-4 %s -o %t -lpthread
// RUN: %t && cp gmon.out one && %t && cp gmon.out two
// RUN: for mode in -p -q '-p -l' -A '-A -l' -C '-q -z' -J -Z --graph; do \
// RUN:   %gprof -b $mode %t one two > theirs 2> errors || exit 1; \
// RUN:   (grep -v 'ignoring basic-block exec' errors || true) | count 0 && \
// RUN:   %arcline gprof -b $mode %t one two > ours && cmp theirs ours \
// RUN:   || exit 1; done
// RUN: %gprof -b -p %t one two 2>/dev/null | FileCheck %s
// RUN: %gprof -b -s %t one two 2>/dev/null
// RUN: %gprof -b -p %t gmon.sum 2>/dev/null | FileCheck %s
// RUN: %arcline gprof -b -p --force %t gmon.sum | FileCheck %s
// CHECK-DAG: 80000 {{.*}} leaf(int)
// CHECK-DAG: 2000 {{.*}} thrower(int)
#include <cstdio>
#include <pthread.h>

static volatile int Sink;

__attribute__((noinline)) void leaf(int X) {
  for (int I = 0; I < X; I++)
    Sink = Sink + I;
}

__attribute__((noinline)) void thrower(int X) {
  if (X % 2)
    throw X;
}

static void *work(void *Argument) {
  for (int I = 0; I < 10000; I++)
    leaf(I % 1000);
  return Argument;
}

int main() {
  pthread_t Threads[4];

  for (pthread_t &Thread : Threads)
    pthread_create(&Thread, nullptr, work, nullptr);
  for (pthread_t Thread : Threads)
    pthread_join(Thread, nullptr);
  for (int I = 0; I < 1000; I++) {
    try {
      thrower(I);
    } catch (int) {
      Sink = Sink + 1;
    }
  }
  return 0;
}
