/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Starts the thread by the system call, since libc counts its threads, signals
   all of them when the program drops its rights, and ends the process after the
   last one. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include "cpu/cpu.h"
#include "os/os.h"
#include "os/rights.h"
#include "os/task_file.h"
#include "threads/helper.h"
#include "threads/threads.h"

#ifndef SYS_close_range
#define SYS_close_range 436 // on all machines
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2
#endif

enum {
  STACK_BYTES = 64 * 1024, /* more than a dump's: paths are read on it */
  NS_PER_S = 1000000000,
  MAX_WAITS = 1000,
  RIGHTS_NS = 50000000, /* between checks of them, which take 10 to 40 us */
  STAT_BYTES = 1024,    /* 52 numbers and a name of 15 characters */
  STATUS_SHIFT = 8,
};

static struct {
  const struct rt_helper_job *job;
  char *stack;
  uint32_t is_wanted; /* it was started, and has not left */
  uint32_t is_ending;
  uint32_t tid; /* until the kernel has done with it */
  bool is_off;
  struct rt_rights rights;
  uint32_t equal; /* a thread of the program with these rights */
} helper;

static void pause_for(int64_t ns) {
  const struct timespec time = {.tv_sec = ns / NS_PER_S,
                                .tv_nsec = ns % NS_PER_S};

  rt_sys(SYS_futex, (long)&helper.is_ending, FUTEX_WAIT_PRIVATE, 0, (long)&time,
         0);
}

/* No job is left. A thread that starts it at this moment sees that it still
   runs. */
static bool can_leave(void) {
  uint32_t is_wanted = 0;

  rt_store(&helper.is_wanted, 0);
  return !helper.job->work() || !rt_cas(&helper.is_wanted, &is_wanted, 1);
}

static bool has_rights_of(uint32_t tid) {
  struct rt_rights theirs;

  if (!tid || !rt_rights_read(tid, &theirs))
    return false;
  // A filter may end the process because of a call of ours.
  if (theirs.filters != helper.rights.filters)
    rt_store(&helper.is_off, true);
  if (theirs.credentials != helper.rights.credentials ||
      theirs.filters != helper.rights.filters)
    return false;
  helper.equal = tid;
  return true;
}

/* A program that gives up rights does so against its own faults: memory that an
   attacker writes to includes this thread's stack. */
static bool has_rights_of_any(void) {
  if (has_rights_of(helper.equal))
    return true;
  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next))
    if (has_rights_of(rt_thread_tid(it)))
      return true;
  return false;
}

/* The program may close a file and expect that the next one that it opens has
   its number, so this thread opens its own in a table of its own. Without the
   system call (Linux 5.9) it shares the program's. */
static void leave_files(void) {
  rt_sys(SYS_close_range, 0, ~0U, CLOSE_RANGE_UNSHARE, 0, 0);
}

/* How the first thread ended: the last number of its line, in the form of
   wait(). 0 while it runs. */
static long first_status(void) {
  char text[STAT_BYTES];
  const long n = rt_task_file_read(rt_pid(), "stat", text, sizeof(text));
  long value = 0, unit = 1;

  for (long i = n - 1; i >= 0 && text[i] != ' '; i--)
    if (text[i] >= '0' && text[i] <= '9') {
      value += unit * (text[i] - '0');
      unit *= 10;
    }
  return value >> STATUS_SHIFT;
}

static void work(void) {
  int64_t rights_ns = 0;

  leave_files();
  rt_sys(SYS_prctl, PR_SET_NAME, (long)"arcline", 0, 0, 0);
  if (!rt_rights_read(rt_tid(), &helper.rights))
    rt_store(&helper.is_off, true);
  while (!rt_load(&helper.is_ending) && !rt_load(&helper.is_off)) {
    if (rights_ns <= 0 && !has_rights_of_any())
      break;
    rights_ns = rights_ns > 0 ? rights_ns - helper.job->interval_ns : RIGHTS_NS;
    if (!helper.job->work() && can_leave())
      return;
    pause_for(helper.job->interval_ns);
  }
  rt_store(&helper.is_wanted, 0);
}

/* In newer kernels, the last thread determines the status of a process whose
   threads end one by one. That of a thread other than the first is lost with
   it, but libc ends these with 0. */
static void run(void *unused) {
  (void)unused;
  work();
  if (!rt_load(&helper.is_ending) && helper.equal == rt_pid())
    rt_sys(SYS_exit, first_status(), 0, 0, 0, 0);
}

/* Its stack may be in use by a helper that is about to end. */
static char *own_stack(void) {
  if (!helper.stack || rt_load(&helper.tid))
    helper.stack = rt_map(STACK_BYTES);
  return helper.stack;
}

static void start(void) {
  const long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                     CLONE_THREAD | CLONE_SYSVSEM | CLONE_PARENT_SETTID |
                     CLONE_CHILD_CLEARTID;
  const uint64_t all = ~(uint64_t)0;
  uint64_t mask = 0;
  char *stack = own_stack();

  helper.equal = rt_tid();
  rt_store(&helper.is_ending, 0);
  rt_sys(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, (long)&mask, sizeof(mask),
         0);
  if (!stack || rt_cpu_start_thread(flags, stack + STACK_BYTES, &helper.tid,
                                    run, NULL) < 0)
    rt_store(&helper.is_wanted, 0);
  rt_sys(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, sizeof(mask), 0);
}

static void request_end(void) {
  rt_store(&helper.is_ending, 1);
  rt_sys(SYS_futex, (long)&helper.is_ending, FUTEX_WAKE_PRIVATE, 1, 0, 0);
}

void rt_helper_start(const struct rt_helper_job *job) {
  uint32_t is_wanted = 0;

  if (rt_load(&helper.is_wanted) || rt_load(&helper.is_off))
    return;
  helper.job = job;
  if (rt_cas(&helper.is_wanted, &is_wanted, 1))
    start();
}

void rt_helper_stop(void) {
  const struct timespec pause = {.tv_nsec = 1000000};

  request_end();
  for (int i = 0; i < MAX_WAITS && rt_load(&helper.tid); i++)
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
  if (rt_load(&helper.tid) || !helper.stack)
    return;
  rt_unmap(helper.stack, STACK_BYTES);
  helper.stack = NULL;
}

void rt_helper_in_child(void) {
  helper.is_wanted = 0;
  helper.tid = 0;
}
