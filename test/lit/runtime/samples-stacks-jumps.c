/* Stacks of handlers on alternate stacks, which continue at the interrupted
   code; of coroutines, which begin at their start; and between longjmp() and
   its target. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/stacks.py chains %t handler -- \
// RUN:   burn '_start>libc.so.6>main>handler>libc.so.6>on_signal>burn'
// RUN: %python %S/Inputs/stacks.py chains %t coroutine -- \
// RUN:   burn 'libc.so.6>body>burn'
// RUN: %python %S/Inputs/stacks.py complete %t 98 jump
// RUN: %arcline-cc -O2 -static -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/stacks.py chains %t handler -- \
// RUN:   burn '_start>.*>main>handler>raise>.*>on_signal>burn'
// RUN: %python %S/Inputs/stacks.py chains %t coroutine -- \
// RUN:   burn '__start_context>body>burn'
// RUN: %python %S/Inputs/stacks.py complete %t 98 jump
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "burn.h"

enum { STACK_BYTES = 1 << 17 };

BURN

    static char stack[STACK_BYTES];
static volatile int sink;

static void on_signal(int number) {
  burn(20000000);
  sink += number;
}

__attribute__((noinline)) static void handler(void) {
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};
  const struct sigaction action = {.sa_handler = on_signal,
                                   .sa_flags = SA_ONSTACK};

  sigaltstack(&other, NULL);
  sigaction(SIGUSR1, &action, NULL);
  for (int i = 0; i < 20; i++)
    raise(SIGUSR1);
}

static ucontext_t outside, inside;

static void body(void) {
  for (;;) {
    burn(2000000);
    swapcontext(&inside, &outside);
  }
}

__attribute__((noinline)) static void coroutine(void) {
  getcontext(&inside);
  inside.uc_stack.ss_sp = stack;
  inside.uc_stack.ss_size = sizeof(stack);
  makecontext(&inside, body, 0);
  for (int i = 0; i < 200; i++)
    swapcontext(&outside, &inside);
}

static jmp_buf target;

__attribute__((noinline)) static void dive(int depth) {
  volatile char frame[64];

  memset((char *)frame, depth, sizeof(frame));
  if (!depth)
    longjmp(target, 1);
  dive(depth - 1);
  sink += frame[3];
}

__attribute__((noinline)) static void jump(void) {
  for (volatile int i = 0; i < 1500000; i++)
    if (!setjmp(target))
      dive(30);
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  switch (argv[1][0]) {
  case 'h':
    handler();
    break;
  case 'c':
    coroutine();
    break;
  default:
    jump();
  }
  return 0;
}
