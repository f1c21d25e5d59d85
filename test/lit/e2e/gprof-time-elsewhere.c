// Time outside of instrumented objects is in the flat profile, by function, and
// rows add up to the CPU time.
// RUN: %arcline-cc -O1 %s -lpthread -o prog && ./prog
// RUN: %arcline gprof -b -p gmon.out.arcline > flat
// RUN: grep -qE ' .*memset.*$' flat && grep -q ' spin$' flat
// RUN: awk '/^cpu/ {used = ($2 + $3) / 1e6} NF > 5 && $2 + 0 {told = $2} \
// RUN:   END {exit told < used - 0.03 || told > used + 0.03}' \
// RUN:   gmon.out.arcline flat
// RUN: %arcline gprof -b -q gmon.out.arcline | FileCheck %s
// CHECK: for {{.*}}% of {{.*}} seconds
// CHECK: {{^\[[0-9]+\] .*}}memset{{.*}} [
// The report of one image is the same, unless it is to be GNU gprof's.
// RUN: %arcline gprof -b -p prog gmon.out | diff flat -
// RUN: %arcline gprof -b -p --no-side prog gmon.out > alone
// RUN: grep -q ' spin$' alone && not grep memset alone
#include <pthread.h>
#include <string.h>
#include <time.h>

static void *(*volatile fill)(void *, int, size_t) = memset;
static char buffer[1 << 20];

/** CPU time of the thread in milliseconds. */
static long cpu_ms(void) {
  struct timespec now;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

__attribute__((noinline)) void spin(volatile long *n) {
  for (long i = 0; i < 1000000; i++)
    *n += i;
}

static void *work(void *arg) {
  volatile long n = 0;

  while (cpu_ms() < 150)
    fill(buffer, 1, sizeof(buffer));
  while (cpu_ms() < 300)
    spin(&n);
  return arg;
}

int main(void) {
  pthread_t thread;

  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  work(NULL);
  return 0;
}
