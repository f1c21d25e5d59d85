/* A profile that is written just when a wait is sampled has the samples of the
   wait and its call stack, or neither. The stack is deep, so that it takes long
   to follow. */
// RUN: %arcline-cc -O1 -I%include %s -o %t
// RUN: %python %S/Inputs/stacks.py dumped %t
#include <arcline/arcline.h>
#include <stdio.h>
#include <time.h>

enum { DUMPS = 300, FRAMES = 500 };

static void keep(int i) {
  char name[32];

  snprintf(name, sizeof(name), "%d.out", i);
  rename("gmon.out", name);
  snprintf(name, sizeof(name), "%d.out.arcline", i);
  rename("gmon.out.arcline", name);
}

__attribute__((noinline)) static int wait_below(int n) {
  const struct timespec time = {.tv_nsec = 1500000};
  const int rc = n ? wait_below(n - 1) : nanosleep(&time, NULL);

  __asm__ volatile("");
  return rc + 1;
}

int main(void) {
  for (int i = 0; i < DUMPS; i++) {
    wait_below(FRAMES);
    arcline_dump();
    keep(i);
  }
  printf("%d\n", DUMPS);
  return 0;
}
