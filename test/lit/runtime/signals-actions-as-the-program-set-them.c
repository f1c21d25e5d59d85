/* While a thread has a small alternate stack, handlers that run on it block
   samples; sigaction() and sigaltstack() return the values that the program has
   set, its behaviour is the same as without the runtime, and the mask ends with
   the handler. */
// RUN: %clang -O1 -I%S/Inputs %s -o %t && %t plain > expected
// RUN: %arcline-cc -O1 -I%S/Inputs %s -o %t
// RUN: env ARCLINE_OPTIONS=hz=10000:clock=wall %t > got
// RUN: diff expected got
// RUN: env ARCLINE_OPTIONS=hz=1000:clock=wall valgrind -q %t > got || \
// RUN:   not which valgrind
// RUN: env ARCLINE_OPTIONS=syscalls=none:persist=mmap %t plain > got
// RUN: diff expected got
// RUN: %arcline-cc -O1 -I%S/Inputs -static %s -o %t
// RUN: env ARCLINE_OPTIONS=hz=10000:clock=wall %t > got
// RUN: diff expected got
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/* SMALL has room for two frames on any machine: with AMX one takes 12 KB. */
enum { SMALL = 48 * 1024, LARGE = 128 * 1024, MAX_ROUNDS = 200 };

/* The kernel's value. */
struct raw_action {
  uint64_t words[4];
};
#if defined(__riscv)
#define RAW_MASK 2
#else
#define RAW_MASK 3
#endif
#define SIGPROF_BIT ((uint64_t)1 << (SIGPROF - 1))

static char stacks[2][LARGE];
static sigjmp_buf back;
static bool is_plain;

BURN

    static void
    show_stack(const char *when) {
  stack_t now;

  sigaltstack(NULL, &now);
  printf("%s: stack %d, flags %x, %zu bytes\n", when,
         now.ss_sp == stacks[0]   ? 0
         : now.ss_sp == stacks[1] ? 1
                                  : -1,
         (unsigned)now.ss_flags, now.ss_size);
}

static void set_stack(int which, size_t bytes) {
  const stack_t stack = {.ss_sp = stacks[which], .ss_size = bytes};

  if (sigaltstack(&stack, NULL))
    exit(2);
}

static void handler(int number) {
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

  printf("handler %d %s\n", number,
         here - (uintptr_t)stacks[0] < LARGE ? "on the stack" : "elsewhere");
  show_stack("in the handler");
}

static void jump(int number) { siglongjmp(back, number); }

static void set_handler(int number, void (*function)(int), bool has_sigprof) {
  struct sigaction action = {.sa_handler = function, .sa_flags = SA_ONSTACK};

  sigaddset(&action.sa_mask, SIGUSR1);
  if (has_sigprof)
    sigaddset(&action.sa_mask, SIGPROF);
  sigaction(number, &action, NULL);
}

static void show_action(const char *when, int number) {
  struct sigaction now;

  sigaction(number, NULL, &now);
  printf("%s: handler %d%s blocks%s%s%s\n", when, number,
         now.sa_handler == handler   ? ""
         : now.sa_handler == SIG_DFL ? " by default"
                                     : " of another kind",
         sigismember(&now.sa_mask, SIGUSR1) ? " SIGUSR1" : "",
         sigismember(&now.sa_mask, SIGPROF) ? " SIGPROF" : "",
         now.sa_flags & SA_ONSTACK ? " on a stack" : "");
}

/* Whether the kernel's mask of the handler has SIGPROF. */
static bool is_held(int number) {
  struct raw_action now;

  syscall(SYS_rt_sigaction, number, NULL, &now, sizeof(uint64_t));
  return (now.words[RAW_MASK] & SIGPROF_BIT) != 0;
}

static void check_held(int number, bool expected) {
  if (is_plain || is_held(number) == expected)
    return;
  fprintf(stderr, "signal %d: expected %d\n", number, expected);
  exit(3);
}

static void check_ours(void) {
  stack_t now;

  syscall(SYS_sigaltstack, NULL, &now);
  if (!is_plain && (now.ss_flags & SS_DISABLE || now.ss_sp == stacks[0] ||
                    now.ss_sp == stacks[1] || now.ss_size < SMALL))
    exit(4);
}

static void check_unblocked(const char *when) {
  sigset_t mask;

  sigprocmask(SIG_BLOCK, NULL, &mask);
  printf("%s: SIGPROF is %s\n", when,
         sigismember(&mask, SIGPROF) ? "blocked" : "not blocked");
}

/* A handler that was set without the runtime is found by a later sample. */
static void set_unseen(int number) {
  struct raw_action now;

  set_handler(number, handler, false);
  syscall(SYS_rt_sigaction, number, NULL, &now, sizeof(uint64_t));
  now.words[RAW_MASK] &= ~SIGPROF_BIT;
  syscall(SYS_rt_sigaction, number, &now, NULL, sizeof(uint64_t));
  check_held(number, false);
}

int main(int argc, char **argv) {
  stack_t old;
  struct sigaction action;

  (void)argv;
  is_plain = argc > 1;
  burn(1);
  show_stack("at first");
  check_ours();

  set_handler(SIGUSR2, handler, false);
  set_handler(SIGALRM, handler, true);
  set_stack(1, LARGE);
  check_held(SIGUSR2, false);
  show_stack("large");

  set_stack(0, SMALL);
  show_stack("small");
  check_held(SIGUSR2, true);
  show_action("before", SIGUSR2);
  show_action("before", SIGALRM);
  set_handler(SIGHUP, handler, false);
  check_held(SIGHUP, true);
  show_action("after", SIGHUP);
  raise(SIGUSR2);
  raise(SIGHUP);
  check_unblocked("after handlers");

  signal(SIGHUP, SIG_DFL);
  check_held(SIGHUP, false);
  sigaction(SIGUSR2, &(struct sigaction){.sa_handler = SIG_DFL}, &action);
  show_action("reset", SIGUSR2);
  check_held(SIGUSR2, false);
  sigaction(SIGUSR2, &action, &action);
  sigaction(SIGUSR2, NULL, &action);
  show_action("restored", SIGUSR2);
  check_held(SIGUSR2, true);
  printf("%d\n", sigaction(SIGKILL, &action, NULL) +
                     sigaction(1000, &action, NULL) +
                     sigaction(-1, &action, NULL));

  if (vfork() == 0) {
    sigaction(SIGUSR2, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    _exit(0);
  }
  wait(NULL);
  show_action("after vfork", SIGUSR2);

  set_handler(SIGINT, jump, false);
  if (!sigsetjmp(back, 1))
    raise(SIGINT);
  check_unblocked("after a jump");

  set_unseen(SIGTERM);
  // Each sample checks some signals.
  for (int i = 0; i < MAX_ROUNDS && !is_plain && !is_held(SIGTERM); i++)
    burn_seconds(0.1);
  check_held(SIGTERM, true);

  fflush(stdout);
  if (fork() == 0) {
    show_action("in a child", SIGUSR2);
    show_stack("in a child");
    fflush(stdout);
    _exit(0);
  }
  wait(NULL);

  // No room for a sample, so that the kernel has the runtime's stack.
  const size_t frame = getauxval(AT_MINSIGSTKSZ);
  set_stack(1, frame ? frame : 2048);
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, &old);
  printf("least: %d %d\n", old.ss_sp == stacks[1],
         old.ss_size == (frame ? frame : 2048));
  show_stack("disabled");
  check_ours();
  raise(SIGUSR2);
  set_stack(0, SMALL);
  sigaltstack(&old, &old);
  printf("%d %zu\n", old.ss_sp == stacks[0], old.ss_size);
  return 0;
}
