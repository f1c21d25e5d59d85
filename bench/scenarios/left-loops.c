/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A million calls in a loop that longjmp() leaves, and 10^5 deep in recursion
   the end by exit() in a handler. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static jmp_buf back;
static volatile int n;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void deep(void) { __asm__ volatile("# deep"); }

__attribute__((noinline)) static void loop(void) {
  for (;;) {
    leaf();
    if (++n == 1000000)
      longjmp(back, 1);
  }
}

__attribute__((noinline)) static int recursive(int depth) {
  deep();
  if (depth == 0)
    raise(SIGUSR1);
  return recursive(depth - 1) + 1;
}

static void handler(int number) {
  (void)number;
  exit(0);
}

int main(void) {
  signal(SIGUSR1, handler);
  if (!setjmp(back))
    loop();
  return recursive(99999);
}
