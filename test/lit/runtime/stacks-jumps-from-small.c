/* A handler on an alternate stack of 8 KiB counts for longer than the time
   between two samples and ends in siglongjmp(), which unblocks them before it
   leaves the stack, as handlers of stack overflows do. */
// RUN: %arcline-cc -O2 %s -o %t
// RUN: env ARCLINE_OPTIONS=hz=10000:event=task-clock:stacks=on %t > truth
// RUN: %check-truth %t %s truth gmon.out
// RUN: env ARCLINE_OPTIONS=hz=10000 %t > truth
// RUN: %check-truth %t %s truth gmon.out
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, BYTES = 8192, N_JUMPS = 2000, N_CALLS = 100000 };

static sigjmp_buf back;
static int line;
static unsigned long n_calls;

__attribute__((noinline)) static void leaf(void) {
  __asm__ volatile("");
  line = __LINE__ - 1;
}

static void handler(int number) {
  (void)number;
  for (int i = 0; i < N_CALLS; i++)
    leaf();
  n_calls += N_CALLS;
  siglongjmp(back, 1);
}

int main(void) {
  const struct sigaction action = {.sa_handler = handler,
                                   .sa_flags = SA_ONSTACK};
  // After a page that must not be touched.
  char *memory = mmap(NULL, PAGE + BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const stack_t stack = {.ss_sp = memory + PAGE, .ss_size = BYTES};
  stack_t now;
  volatile int n = 0;

  if (memory == MAP_FAILED || mprotect(memory, PAGE, PROT_NONE) ||
      sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL))
    abort();
  sigsetjmp(back, 1);
  if (n++ < N_JUMPS)
    raise(SIGUSR1);
  if (sigaltstack(NULL, &now) || now.ss_sp != stack.ss_sp ||
      now.ss_size != BYTES || now.ss_flags)
    abort();
  printf("calls leaf %lu\nline %d %lu\n", n_calls, line, n_calls);
  return 0;
}
