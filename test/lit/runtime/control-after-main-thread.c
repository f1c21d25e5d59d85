// A process whose main thread has ended goes on: arcline ctl, top and doctor
// find the program, its folder and its mappings at another thread.
//
// RUN: %arcline-cc -O1 -g %s -o prog -lpthread
// RUN: bash -c './prog > started & echo $! > pid; \
// RUN:   until grep -q Z /proc/$(cat pid)/stat && test -s started; \
// RUN:   do sleep 0.01; done; \
// RUN:   %arcline ctl $(cat pid) status > status; echo $? >> status; \
// RUN:   %arcline ctl $(cat pid) dump > files; echo $? >> files; \
// RUN:   %arcline top -n 1 -d 1 $(cat pid) > top; echo $? >> top; \
// RUN:   %arcline doctor $(cat pid) > doctor 2>&1; \
// RUN:   kill $(cat pid); wait $(cat pid); true'
// RUN: grep -x "program $PWD/prog" status && tail -1 status | grep -x 0
// RUN: grep -x "$PWD/gmon.out" files && tail -1 files | grep -x 0
// RUN: grep step top && tail -1 top | grep -x 0
// RUN: test -s doctor && not grep 'no such process' doctor
// RUN: not %arcline ctl $(cat pid) status 2>&1 | grep 'no such process'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((noinline)) static void step(int i) {
  __asm__ volatile("" : : "r"(i));
}

static void *run(void *arg) {
  for (int i = 0;; i++) {
    step(i);
    if (i == 1000) {
      puts("started");
      fflush(stdout);
    }
    if (i % 1000 == 0)
      usleep(1000);
  }
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  pthread_exit(NULL);
}
