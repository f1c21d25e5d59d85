/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Signals that end the program. The handler writes a profile, on a stack of its
   own; then the first signal, with its siginfo, is sent again to the thread
   that got it, and kills it at the same instruction: wait status, core dump and
   debuggers show the same as without us. Only the first signal counts: other
   threads that get such a signal wait, and a fault while writing ends the
   program at once.

   If the program has the default action, the kernel has our handler, also when
   a handler of the program's resets the action and raises the signal again. The
   program sees its own actions. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

#include "cpu/cpu.h"
#include "dump/file.h"
#include "life/crash.h"
#include "os/handlers.h"
#include "threads/defer_samples.h"
#include "threads/stack.h"

enum {
  N_SIGNALS = 64,
  OWN_BYTES = (N_SIGNALS + 1) * sizeof(struct rt_action),
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
  bool is_init;
  struct rt_action ours;
  struct rt_action *own; /* the program's, if the kernel has one of ours; by
                            number, after the stack */
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
  rt_sys(SYS_rt_sigprocmask, SIG_BLOCK, (long)&meanwhile, 0, sizeof(meanwhile),
         0);
  if (rt_sys(SYS_rt_tgsigqueueinfo, pid, tid, number, (long)info, 0))
    rt_sys(SYS_tgkill, pid, tid, number, 0, 0);
  // No other signal may come first.
  rt_copy(&context->uc_sigmask, &mask, sizeof(mask));
}

/* Ends the program here and now. */
static void kill_now(int number) {
  const uint64_t mask = all_but(number);
  const long pid = rt_sys(SYS_getpid, 0, 0, 0, 0, 0);

  set_default(number);
  rt_sys(SYS_tgkill, pid, (long)rt_tid(), number, 0, 0);
  rt_sys(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, sizeof(mask), 0);
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
    // This thread has crashed while writing, perhaps for the same reason.
    if (!crash.is_given_up) {
      crash.is_given_up = true;
      rt_file_give_up();
    }
    kill_now(crash.number);
  }
  kill_on_return(number, info, context);
}

bool rt_crash_handle(int number, siginfo_t *info, void *context) {
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

  for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
    if (number == others[i])
      return false;
  return number < 32 || number > LAST_PRIVATE;
}

static bool is_fault(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
         number == SIGILL;
}

static void call_own(const struct rt_action *own, int number, siginfo_t *info,
                     void *context) {
  ((void (*)(int, siginfo_t *, void *))(uintptr_t)own->handler)(number, info,
                                                                context);
}

/* The program's handler of SIGABRT has returned: abort() ends the program next,
   past all handlers. */
static void write_before_abort(void) {
  uint32_t owner = 0;

  if (!rt_is_own() || !rt_cas(&crash.owner, &owner, rt_tid()))
    return;
  crash.number = SIGABRT;
  rt_cpu_call_on_stack(crash.stack + RT_STACK_BYTES, write_profile, NULL);
  rt_store(&crash.owner, 0);
}

/* Stands for a handler of SIGABRT. */
static void handle_abort(int number, siginfo_t *info, void *context) {
  const struct rt_action own = crash.own[number];

  call_own(&own, number, info, context);
  write_before_abort();
}

/* Stands for a handler that the kernel would have forgotten by now. */
static void handle_once(int number, siginfo_t *info, void *context) {
  const struct rt_action own = crash.own[number];

  crash.own[number].handler = (uintptr_t)SIG_DFL;
  rt_action(number, &crash.ours, NULL);
  call_own(&own, number, info, context);
  if (number == SIGABRT)
    write_before_abort();
}

static bool is_ours(uint64_t handler) {
  return handler == (uintptr_t)handle || handler == (uintptr_t)handle_once ||
         handler == (uintptr_t)handle_abort;
}

/* The kernel's action in the place of that one. */
static struct rt_action instead_of(int number, const struct rt_action *own) {
  struct rt_action next = *own;

  if (own->handler == (uintptr_t)SIG_DFL)
    return crash.ours;
  if (own->flags & SA_RESETHAND)
    next.handler = (uintptr_t)handle_once;
  else if (number == SIGABRT)
    next.handler = (uintptr_t)handle_abort;
  next.flags = (own->flags & ~(uint64_t)SA_RESETHAND) | SA_SIGINFO;
  return next;
}

/* After the program has set an action: if the signal would end it by default,
   now or after its handler, it comes to us. */
static void take(int number) {
  struct rt_action now;

  if (rt_action(number, NULL, &now) || now.handler == (uintptr_t)SIG_IGN ||
      is_ours(now.handler))
    return;
  const struct rt_action next = instead_of(number, &now);
  if (next.handler == now.handler)
    return;
  crash.own[number] = now;
  rt_action(number, &next, NULL);
}

static bool is_managed(int number) {
  // Signals do not end the first process of a namespace, unless it faults.
  return crash.is_on && number >= 1 && number <= N_SIGNALS &&
         is_taken(number) && (!crash.is_init || is_fault(number));
}

int rt_crash_sigaction(rt_sigaction_fn *real, int number,
                       const struct sigaction *action, struct sigaction *old) {
  if (!is_managed(number))
    return rt_defer_sigaction(real, number, action, old);
  const struct rt_action own = crash.own[number];
  const bool is_set = action != NULL; // may be *old
  const int rc = rt_defer_sigaction(real, number, action, old);

  if (!rc && old && is_ours((uintptr_t)old->sa_sigaction))
    rt_action_show(&own, old);
  // A child of vfork() has actions of its own, but writes to our memory.
  if (!rc && is_set && rt_is_own())
    take(number);
  return rc;
}

rt_handler_fn *rt_crash_signal(rt_signal_fn *real, int number,
                               rt_handler_fn *handler) {
  const bool is_known = is_managed(number);
  const struct rt_action own =
      is_known ? crash.own[number] : (struct rt_action){0};
  rt_handler_fn *old = real(number, handler);

  if (!is_known || old == SIG_ERR)
    return old;
  if (is_ours((uintptr_t)old))
    old = (rt_handler_fn *)(uintptr_t)own.handler;
  if (rt_is_own())
    take(number);
  return old;
}

void rt_crash_init(int (*write)(void)) {
  crash.stack = rt_map(RT_STACK_BYTES + OWN_BYTES);
  if (!crash.stack)
    return;
  crash.own = (struct rt_action *)(uintptr_t)(crash.stack + RT_STACK_BYTES);
  crash.write = write;
  // A fault in the handler comes back to it; all else has to wait.
  crash.ours =
      rt_action_to(handle, SA_ONSTACK | SA_NODEFER, rt_signals_but_faults());
  crash.is_init = rt_sys(SYS_getpid, 0, 0, 0, 0, 0) == INIT_PID;
  crash.is_on = true;
  for (int number = 1; number <= N_SIGNALS; number++)
    if (is_managed(number))
      take(number);
}

void rt_crash_release(void) {
  for (int number = 1; crash.is_on && number <= N_SIGNALS; number++) {
    struct rt_action now;
    if (is_managed(number) && !rt_action(number, NULL, &now) &&
        is_ours(now.handler))
      rt_action(number, &crash.own[number], NULL);
  }
  crash.is_on = false;
  rt_unmap(crash.stack, RT_STACK_BYTES + OWN_BYTES);
  crash.stack = NULL;
}

void rt_crash_in_child(void) {
  crash.owner = 0;
  crash.is_given_up = false;
}
