/* A waiting thread is sampled with the calls that led there, though only two of
   its registers are known: through libc, frames with and without frame
   pointers; the number of samples is that of the time. */
// RUN: %arcline-cc -O0 -I%S/Inputs %s -o %t -lpthread
// RUN: %python %S/Inputs/stacks.py waits %t
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t -lpthread
// RUN: %python %S/Inputs/stacks.py waits %t
// RUN: %arcline-cc -O2 -fno-omit-frame-pointer -static -I%S/Inputs %s -o %t \
// RUN:   -lpthread
// RUN: %python %S/Inputs/stacks.py waits %t
// Nobody knows beforehand what waits are worth: each sample has its stack.
// RUN: env ARCLINE_OPTIONS=clock=wall:hz=1000 %t
// RUN: grep -q '^stack-signals' gmon.out.arcline && not grep '^sampled\|^stack-squares' gmon.out.arcline
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) static int in_nanosleep(void) {
  struct timespec time = {.tv_nsec = 300000000};
  const int rc = nanosleep(&time, NULL);

  __asm__ volatile("");
  return rc + 1;
}

__attribute__((noinline)) static int in_poll(void) {
  char room[300];
  const int rc = poll(NULL, 0, 300);

  __asm__ volatile("" : : "r"(room) : "memory");
  return rc + 1;
}

__attribute__((noinline)) static int outer(int n) {
  volatile int sum = n ? in_nanosleep() : in_poll();
  return sum + 1;
}

static void *thread(void *unused) {
  volatile int sum = outer(0);
  (void)sum;
  return unused;
}

int main(void) {
  pthread_t id;

  pthread_create(&id, NULL, thread, NULL);
  volatile int sum = outer(1);
  pthread_join(id, NULL);
  (void)sum;
  return 0;
}
