/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CPU-time timers and the SIGPROF handler. One timer per thread: a process-wide
   timer charges threads unevenly and loses what exceeds one tick of the kernel,
   where a thread's own timer reports it as overruns. POSIX timers, unlike
   setitimer(), vanish at execve() together with their pending signals. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

#include "outside.h"
#include "sampler.h"

#ifndef SIGEV_THREAD_ID
#define SIGEV_THREAD_ID 4
#endif

enum { NS_PER_S = 1000000000 };

static struct {
  bool has_handler;
  bool is_wanted;
  bool is_process_wide; /* per-thread timers failed */
  bool has_process_timer;
  int process_timer;
  unsigned rate_hz;
  int n_inside; /* handlers that run just now */
  struct sigaction old;
} sampler;

static uint64_t context_pc(const void *context) {
  const ucontext_t *user = context;

#if defined(__x86_64__)
  return (uint64_t)user->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return user->uc_mcontext.pc;
#else
#error "the program counter is unknown on this machine"
#endif
}

static void count_samples(uint64_t pc, uint64_t n) {
  for (struct rt_object *object = rt_objects(); object; object = object->next) {
    const uint64_t vaddr = pc - object->load_bias;
    if (rt_load(&object->state) != RT_ATTACHED)
      continue;
    for (size_t i = 0; i < object->n_texts; i++) {
      const struct rt_text *text = &object->texts[i];
      if (vaddr < text->low_vaddr || vaddr >= text->high_vaddr)
        continue;
      if (!text->bins)
        break;
      const uint64_t bin = (vaddr - text->low_vaddr) / object->bin_bytes;
      __atomic_fetch_add(&text->bins[bin], n, __ATOMIC_RELAXED);
      rt_store(&text->touched[bin / RT_CHUNK_BINS], 1);
      return;
    }
  }
  rt_outside_add(pc, n);
}

/* A SIGPROF that somebody else sent does what it would do without us. */
static void pass_on(void) {
  if (sampler.old.sa_handler != SIG_DFL)
    return;
  const long pid = rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
  sigaction(SIGPROF, &sampler.old, NULL);
  rt_sys(SYS_tgkill, pid, (long)rt_tid(), SIGPROF, 0, 0);
}

/* Calls nothing that sets errno, so there is nothing to save. */
static void on_sigprof(int number, siginfo_t *info, void *context) {
  (void)number;
  if (info->si_code != SI_TIMER || info->si_value.sival_ptr != &sampler) {
    pass_on();
    return;
  }
  __atomic_fetch_add(&sampler.n_inside, 1, __ATOMIC_ACQ_REL);
  if (rt_load(&sampler.is_wanted)) {
    const uint64_t n = 1 + (uint64_t)info->si_overrun;
    count_samples(context_pc(context), n);
    rt_outside_add_thread(rt_thread_known_tid(), n);
  }
  __atomic_fetch_sub(&sampler.n_inside, 1, __ATOMIC_ACQ_REL);
}

static int create_timer(clockid_t clock, int notify, uint32_t tid, int *out) {
  struct sigevent event = {.sigev_notify = notify, .sigev_signo = SIGPROF};

  event.sigev_value.sival_ptr = &sampler;
  event._sigev_un._tid = (int)tid;
  return (int)rt_sys(SYS_timer_create, clock, (long)&event, (long)out, 0, 0);
}

static void set_timer(int timer, bool is_running) {
  struct itimerspec spec = {0};

  if (is_running) {
    spec.it_interval.tv_sec = sampler.rate_hz == 1;
    spec.it_interval.tv_nsec =
        sampler.rate_hz == 1 ? 0 : NS_PER_S / sampler.rate_hz;
    spec.it_value = spec.it_interval;
  }
  rt_sys(SYS_timer_settime, timer, 0, (long)&spec, 0, 0);
}

/* One timer for all threads, after a thread could not have its own. */
static void arm_process(void) {
  bool expected = false;

  if (!rt_cas(&sampler.is_process_wide, &expected, true))
    return;
  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next))
    rt_sampler_disarm(it);
  if (create_timer(CLOCK_PROCESS_CPUTIME_ID, SIGEV_SIGNAL, 0,
                   &sampler.process_timer))
    return;
  sampler.has_process_timer = true;
  set_timer(sampler.process_timer, sampler.is_wanted);
}

void rt_sampler_arm(struct rt_thread *thread) {
  if (!sampler.has_handler || rt_load(&sampler.is_process_wide))
    return;
  if (create_timer(CLOCK_THREAD_CPUTIME_ID, SIGEV_THREAD_ID, rt_tid(),
                   &thread->timer)) {
    arm_process();
    return;
  }
  rt_store(&thread->has_timer, true);
  if (rt_load(&sampler.is_wanted))
    set_timer(thread->timer, true);
}

void rt_sampler_disarm(struct rt_thread *thread) {
  bool expected = true;

  if (rt_cas(&thread->has_timer, &expected, false))
    rt_sys(SYS_timer_delete, thread->timer, 0, 0, 0, 0);
}

void rt_sampler_want(bool is_wanted) {
  rt_store(&sampler.is_wanted, is_wanted);
  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next))
    if (rt_load(&it->has_timer))
      set_timer(it->timer, is_wanted);
  if (sampler.has_process_timer)
    set_timer(sampler.process_timer, is_wanted);
}

void rt_sampler_init(unsigned rate_hz) {
  // Static, or the compiler calls memset().
  static const struct sigaction action = {.sa_sigaction = on_sigprof,
                                          .sa_flags = SA_SIGINFO | SA_RESTART |
                                                      SA_ONSTACK};

  if (!rate_hz || sigaction(SIGPROF, NULL, &sampler.old) ||
      sampler.old.sa_flags & SA_SIGINFO ||
      (sampler.old.sa_handler != SIG_DFL && sampler.old.sa_handler != SIG_IGN))
    return;
  rt_outside_init();
  sampler.rate_hz = rate_hz;
  sampler.is_wanted = true;
  sampler.has_handler = sigaction(SIGPROF, &action, NULL) == 0;
}

bool rt_sampler_has_timers(void) {
  return sampler.has_handler &&
         (!sampler.is_process_wide || sampler.has_process_timer);
}

bool rt_sampler_is_displaced(void) {
  struct sigaction now;

  return sampler.has_handler && !sigaction(SIGPROF, NULL, &now) &&
         now.sa_sigaction != on_sigprof;
}

void rt_sampler_in_child(void) {
  struct rt_thread *it = rt_threads();
  const uint32_t tid = rt_tid();

  sampler.has_process_timer = false;
  sampler.is_process_wide = false;
  sampler.n_inside = 0;
  rt_outside_in_child();
  for (; it; it = it->next)
    if ((it->owner & ~RT_OWNER_LATE) == tid)
      rt_sampler_arm(it);
}

void rt_sampler_release(void) {
  const struct timespec pause = {.tv_nsec = 100000};
  const struct sigaction ignore = {.sa_handler = SIG_IGN};

  for (struct rt_thread *it = rt_threads(); it; it = it->next)
    rt_sampler_disarm(it);
  if (sampler.has_process_timer)
    rt_sys(SYS_timer_delete, sampler.process_timer, 0, 0, 0, 0);
  if (sampler.has_handler && !rt_sampler_is_displaced()) {
    // Ignoring a signal discards those that are pending.
    sigaction(SIGPROF, &ignore, NULL);
    sigaction(SIGPROF, &sampler.old, NULL);
  }
  for (int i = 0; i < 1000 && rt_load(&sampler.n_inside); i++)
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
  if (!rt_load(&sampler.n_inside))
    rt_outside_release();
}
