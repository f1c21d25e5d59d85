/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Signals that end the program. The handler writes a profile, on a stack of its
   own; then the first signal, with all that was told of it, is sent again to
   the thread that got it, and kills it where it stood: wait status, core dump
   and what debuggers show are what they would be without us. Only who was first
   counts: other threads that get such a signal wait, and a fault while writing
   ends the program at once. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

#include "cpu/cpu.h"
#include "dump/file.h"
#include "life/crash.h"
#include "os/handlers.h"
#include "threads/stack.h"

enum {
  N_SIGNALS = 64,
  WAIT_NS = 1000000,
  MAX_WAITS = 10000, /* no thread takes that long to write */
  INIT_PID = 1,
#ifdef __GLIBC__
  LAST_PRIVATE = 33, /* libc's own signals begin at 32 */
#else
  LAST_PRIVATE = 34,
#endif
};

static struct {
  bool is_on;
  int (*write)(void);
  char *stack;    /* RT_STACK_BYTES */
  uint32_t owner; /* thread that got the first signal, or 0 */
  int number;     /* the first signal */
  bool is_given_up;
} crash;

bool rt_crash_is_on(void) { return crash.is_on; }

static uint64_t all_but(int number) { return ~((uint64_t)1 << (number - 1)); }

static void set_default(int number) {
  const struct rt_action action = {0};

  rt_action(number, &action, NULL);
}

/* Ends the program when the handler returns. */
static void kill_on_return(int number, siginfo_t *info, ucontext_t *context) {
  const uint64_t mask = all_but(number);
  const uint64_t meanwhile = ~mask;
  const long pid = rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
  const long tid = (long)rt_tid();

  set_default(number);
  rt_sys(SYS_rt_sigprocmask, SIG_BLOCK, (long)&meanwhile, 0, sizeof meanwhile,
         0);
  if (rt_sys(SYS_rt_tgsigqueueinfo, pid, tid, number, (long)info, 0))
    rt_sys(SYS_tgkill, pid, tid, number, 0, 0);
  // No other signal may come first.
  rt_copy(&context->uc_sigmask, &mask, sizeof mask);
}

/* Ends the program here and now. */
static void kill_now(int number) {
  const uint64_t mask = all_but(number);
  const long pid = rt_sys(SYS_getpid, 0, 0, 0, 0, 0);

  set_default(number);
  rt_sys(SYS_tgkill, pid, (long)rt_tid(), number, 0, 0);
  rt_sys(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, sizeof mask, 0);
}

static void pause_shortly(void) {
  const struct timespec pause = {.tv_nsec = WAIT_NS};

  rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
}

void rt_crash_wait(void) {
  const uint32_t owner = rt_load(&crash.owner);

  for (int i = 0; i < MAX_WAITS && owner && owner != rt_tid(); i++)
    pause_shortly();
}

static void write_profile(void *unused) {
  (void)unused;
  // The thread may have crashed while it wrote another file.
  if (crash.write() == -EDEADLK)
    rt_file_give_up();
}

static void handle(int number, siginfo_t *info, void *context) {
  uint32_t owner = 0;

  // A child of vfork() ends alone, and its parent's memory is not ours to use.
  if (!rt_is_own()) {
    kill_on_return(number, info, context);
    return;
  }
  if (rt_cas(&crash.owner, &owner, rt_tid())) {
    crash.number = number;
    rt_cpu_call_on_stack(crash.stack + RT_STACK_BYTES, write_profile, NULL);
  } else if (owner != rt_tid()) {
    rt_crash_wait();
  } else {
    // The writer has crashed, or has run into what had crashed before.
    if (!crash.is_given_up) {
      crash.is_given_up = true;
      rt_file_give_up();
    }
    kill_now(crash.number);
  }
  kill_on_return(number, info, context);
}

bool rt_crash_take(int number, siginfo_t *info, void *context) {
  if (!crash.is_on)
    return false;
  handle(number, info, context);
  return true;
}

static bool is_taken(int number) {
  static const int others[] = {
      SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP,
      SIGTTIN, SIGTTOU, SIGURG,  SIGPROF, /* the sampler's */ SIGWINCH,
  };

  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (number == others[i])
      return false;
  return number < 32 || number > LAST_PRIVATE;
}

static bool is_fault(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
         number == SIGILL;
}

void rt_crash_init(int (*write)(void)) {
  // A fault in the handler comes back to it; all else has to wait.
  const struct rt_action action =
      rt_action_to(handle, SA_ONSTACK | SA_NODEFER, rt_signals_but_faults());
  // Signals do not end the first process of a namespace, unless it faults.
  const bool is_init = rt_sys(SYS_getpid, 0, 0, 0, 0, 0) == INIT_PID;

  crash.stack = rt_map(RT_STACK_BYTES);
  if (!crash.stack)
    return;
  crash.write = write;
  crash.is_on = true;
  for (int number = 1; number <= N_SIGNALS; number++) {
    struct rt_action old;
    if (is_taken(number) && (!is_init || is_fault(number)) &&
        !rt_action(number, NULL, &old) && old.handler == (uintptr_t)SIG_DFL)
      rt_action(number, &action, NULL);
  }
}

void rt_crash_release(void) {
  for (int number = 1; crash.is_on && number <= N_SIGNALS; number++) {
    struct rt_action now;
    if (is_taken(number) && !rt_action(number, NULL, &now) &&
        now.handler == (uintptr_t)handle)
      set_default(number);
  }
  crash.is_on = false;
  rt_unmap(crash.stack, RT_STACK_BYTES);
  crash.stack = NULL;
}

void rt_crash_in_child(void) {
  crash.owner = 0;
  crash.is_given_up = false;
}
