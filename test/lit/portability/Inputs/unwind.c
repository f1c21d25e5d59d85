/* Calls itself, is interrupted, and again in the handler: the unwinder finds
   all calls, in order. The traps are inline instructions, so that no code of
   libc is among the frames except the code that handlers return to. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names as they are in the archive. */
#define rt_unwind_init __arcline_rt_unwind_init
#define rt_unwind __arcline_rt_unwind
#include "unwind/unwind.h"

enum { N_CALLS = 20 };

static struct rt_unwind room;
static enum rt_unwind_end end;
static uint64_t calls[2 * N_CALLS + 4]; /* return addresses, outermost first */
static size_t n_calls;
static sigjmp_buf out;
static volatile int sink;

#define CALLED()                                                               \
  (calls[n_calls++] =                                                          \
       rt_cpu_unsigned((uintptr_t)__builtin_return_address(0)))

/* Another stop at the same place is a return that is not counted. */
static void trap(void) {
  if (sink >= 0)
    __builtin_trap();
}

__attribute__((noinline)) static void fall(int n) {
  volatile char frame[100];

  CALLED();
  frame[n] = 1;
  if (n)
    fall(n - 1);
  else
    trap();
  sink += frame[n];
}

static void on_inner(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  end = rt_unwind(&room, context);
  siglongjmp(out, 1);
}

static void on_outer(int number) {
  struct sigaction action = {.sa_sigaction = on_inner, .sa_flags = SA_SIGINFO};

  sigaction(number, &action, NULL);
  fall(N_CALLS);
  sink++;
}

/* pcs are the innermost first, and are inside of calls. */
static void check(void) {
  size_t at = room.n;

  for (size_t i = 0; i < n_calls; i++) {
    while (at && room.pcs[at - 1] != calls[i] - 1)
      at--;
    if (!at) {
      printf("call %zu of %zu is missing\n", i, n_calls);
      exit(1);
    }
    at--;
  }
  printf("%zu calls\n", n_calls);
  printf("%s\n", end == RT_UNWIND_COMPLETE ? "complete" : "not complete");
}

int main(void) {
  static char memory[1 << 16];
  const stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
  struct sigaction action = {.sa_handler = on_outer,
                             .sa_flags = SA_ONSTACK | SA_NODEFER};

  if (rt_unwind_init(false))
    return 1;
  sigaltstack(&stack, NULL);
  sigaction(SIGILL, &action, NULL);
  sigaction(SIGTRAP, &action, NULL);
  if (!sigsetjmp(out, 1))
    fall(N_CALLS);
  check();
  return 0;
}
