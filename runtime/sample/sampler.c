/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Handles SIGPROF and adds samples to histograms. Each thread has a trigger: a
   process-wide timer charges threads unevenly. POSIX timers, unlike
   setitimer(), vanish at execve() together with their pending signals. */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

#include "cpu/cpu.h"
#include "os/handlers.h"
#include "sample/call_stacks.h"
#include "sample/sampler.h"
#include "sample/thread_names.h"
#include "sample/uninstrumented.h"
#include "sample/waiting.h"
#include "settings/settings.h"
#include "threads/defer_samples.h"

enum { US_PER_S = 1000000 };

static struct {
  const struct rt_sigprof_parts *parts;
  bool is_taken; /* by the program, before the runtime */
  bool has_handler;
  bool is_left; /* to the program, which set a handler later */
  bool is_wanted;
  bool is_event;        /* not a timer */
  bool is_process_wide; /* a thread could not have a trigger of its own */
  bool has_unarmed;     /* nor could the process */
  struct rt_trigger process_trigger;
  struct rt_clock clock;
  uint64_t start_ns;     /* CPU time, for the first thread's trigger */
  uint64_t first_period; /* of the CPU time since is_wanted */
  uint64_t n_periods;    /* of CPU time before that */
  uint64_t n_due_before; /* the last such number; UINT64_MAX: none yet */
  uint64_t phase_ns;     /* of the first period of CPU time, by chance */
  int64_t first_owed;    /* the same, for the trigger of the first thread */
  uint64_t own_since_ns; /* of the writer's CPU time; 0: no thread writes */
  uint64_t own_part_ns;  /* of a period of all CPU time, when it began */
  uint64_t n_own;        /* periods that earlier ones wrote */
  int n_inside;          /* handlers that are running */
  struct rt_action own;
  struct rt_action old; /* the program's, as long as ours is set */
} sampler;

static uint64_t periods_at(uint64_t cpu_ns) {
  return rt_trigger_periods_of(cpu_ns + sampler.phase_ns);
}

static uint64_t cpu_periods(void) { return periods_at(rt_trigger_cpu_ns()); }

/* A process whose CPU time is cpu_ns begins. */
static void choose_phase(uint64_t cpu_ns) {
  sampler.phase_ns = (uint64_t)rt_trigger_chance();
  sampler.first_owed =
      sampler.phase_ns ? rt_trigger_part_of(cpu_ns + sampler.phase_ns) : 0;
  sampler.own_since_ns = 0;
  sampler.n_own = 0;
}

void rt_sampler_zero(struct rt_object *object) {
  for (size_t i = 0; i < object->n_texts; i++) {
    const struct rt_text *text = &object->texts[i];
    const size_t n_bins = rt_load(&text->is_sampled)
                              ? rt_text_n_bins(text, object->bin_bytes)
                              : 0;
    for (size_t bin = 0; text->bins && bin < n_bins; bin++) {
      if (!rt_load(&text->touched[bin / RT_CHUNK_BINS]))
        bin += RT_CHUNK_BINS - 1;
      else
        __atomic_store_n(&text->bins[bin], 0, __ATOMIC_RELAXED);
    }
  }
}

static void count_samples(uint64_t pc, uint64_t n) {
  for (struct rt_object *object = rt_objects(); object; object = object->next) {
    const uint64_t vaddr = pc - object->load_bias;
    if (rt_load(&object->state) != RT_ATTACHED)
      continue;
    for (size_t i = 0; i < object->n_texts; i++) {
      struct rt_text *text = &object->texts[i];
      if (vaddr < text->low_vaddr || vaddr >= text->high_vaddr)
        continue;
      if (!text->bins)
        break;
      const uint64_t bin = (vaddr - text->low_vaddr) / object->bin_bytes;
      rt_store(&text->is_sampled, true);
      __atomic_fetch_add(&text->bins[bin], n, __ATOMIC_RELAXED);
      rt_store(&text->touched[bin / RT_CHUNK_BINS], 1);
      return;
    }
  }
  rt_uninstrumented_add(pc, n);
}

/* A SIGPROF of other origin has the same effect as without the runtime. */
static void pass_on(siginfo_t *info, void *context) {
  if (sampler.old.handler != (uintptr_t)SIG_DFL)
    return;
  if (sampler.parts->end(SIGPROF, info, context))
    return;
  const long pid = rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
  rt_action(SIGPROF, &sampler.old, NULL);
  rt_sys(SYS_tgkill, pid, (long)rt_tid(), SIGPROF, 0, 0);
}

/* The trigger that the signal comes from, or NULL; *is_ours also if that is
   gone. */
static struct rt_trigger *sender(const siginfo_t *info, bool *is_ours) {
  struct rt_thread *thread = rt_thread_known();
  struct rt_trigger *process = &sampler.process_trigger;

  *is_ours = true;
  if (thread && rt_trigger_has_sent(&thread->trigger, info, &sampler))
    return &thread->trigger;
  if (rt_trigger_has_sent(process, info, process))
    return process;
  *is_ours = rt_trigger_may_have_sent(info, &sampler) ||
             rt_trigger_may_have_sent(info, process);
  return NULL;
}

static void reset_due(struct rt_thread *thread) {
  rt_trigger_reset(&thread->trigger);
  rt_waits_reset(&thread->waits);
}

/* Returns the number of samples that the thread's time amounts to. */
static uint64_t disarm(struct rt_thread *thread, uint32_t tid) {
  rt_trigger_disarm(&thread->trigger);
  const uint64_t n = rt_sampler_thread_n_due(thread);
  reset_due(thread);
  if (n)
    rt_uninstrumented_add_thread(tid, n);
  return n;
}

static void drop(struct rt_thread *thread, uint32_t tid) {
  disarm(thread, tid);
}

static bool is_blocked(void) {
  uint64_t mask = 0;

  rt_sys(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&mask, sizeof(mask), 0);
  return (mask >> (SIGPROF - 1) & 1) != 0;
}

/* The kernel checks a thread at its ticks only, and some milliseconds of CPU
   time may have passed since the last one. They are counted at the place of the
   last sample, just as time before a tick is counted at the place of the sample
   after it. */
static void count_late(const struct rt_thread *thread, uint64_t pc,
                       uint64_t n) {
  if (!n)
    return;
  count_samples(pc, n);
  rt_call_stacks_add_to(rt_load(&thread->sampled_stack), rt_thread_tid(thread),
                        n);
  rt_uninstrumented_add_samples(n);
}

/* If it was never sampled, the next thread that begins inherits the time,
   whichever record it has, or a sampled one that ends before: of many threads
   at a time, most records are not used again. */
static void end(struct rt_thread *thread) {
  if (disarm(thread, rt_thread_tid(thread)))
    rt_thread_names_keep(rt_thread_tid(thread));
  const uint64_t pc = rt_load(&thread->sampled_pc);
  rt_waiting_end(thread, pc, rt_load(&thread->sampled_stack));
  rt_store(&thread->sampled_pc, 0); // a writer may read it
  if (!pc)
    rt_trigger_pass_on(&thread->trigger);
  else if (!is_blocked())
    count_late(thread, pc, rt_trigger_settle(&thread->trigger));
}

static void sample(struct rt_trigger *trigger, const void *context) {
  struct rt_thread *thread = rt_thread_known();
  const uint64_t n = rt_trigger_collect(trigger);
  const uint64_t pc = rt_cpu_context_pc(context);

  if (n)
    count_samples(pc, n);
  const uint32_t tid = thread ? rt_thread_tid(thread) : rt_tid();
  const uint32_t stack = rt_call_stacks_add(context, tid, n);
  rt_uninstrumented_add_samples(n);
  if (thread) {
    rt_store(&thread->sampled_pc, pc);
    rt_store(&thread->sampled_stack, stack);
  }
  if (!n)
    return;
  // Otherwise the number of samples follows from its clock.
  if (!thread || trigger != &thread->trigger)
    rt_uninstrumented_add_thread(tid, n);
}

/* Calls nothing that sets errno, so there is nothing to save. */
static void on_sigprof(int number, siginfo_t *info, void *context) {
  bool is_ours;
  struct rt_trigger *trigger = sender(info, &is_ours);

  (void)number;
  __atomic_fetch_add(&sampler.n_inside, 1, __ATOMIC_ACQ_REL);
  if (!is_ours && !sampler.parts->command(info) && !rt_thread_handle(info))
    pass_on(info, context);
  if (trigger && rt_load(&sampler.is_wanted)) {
    sample(trigger, context);
    if (rt_trigger_has_waits())
      rt_waiting_start(count_samples); // it leaves if rights are given up
    sampler.parts->sampled();
  }
  rt_defer_check(&((const ucontext_t *)context)->uc_stack);
  __atomic_fetch_sub(&sampler.n_inside, 1, __ATOMIC_ACQ_REL);
}

/* One timer for all threads, after a thread could not have its own. */
static void arm_process(void) {
  bool expected = false;

  if (!rt_cas(&sampler.is_process_wide, &expected, true))
    return;
  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next))
    disarm(it, rt_thread_tid(it));
  if (rt_trigger_arm(&sampler.process_trigger, 0, &sampler.process_trigger,
                     &sampler.is_wanted))
    rt_store(&sampler.has_unarmed, true);
}

static void begin_waits(struct rt_thread *thread) {
  if (!sampler.clock.has_samples || !rt_trigger_has_waits())
    return;
  if (rt_load(&sampler.is_wanted))
    rt_waits_begin(&thread->waits, rt_thread_tid(thread));
  rt_waiting_start(count_samples);
}

static void arm(struct rt_thread *thread) {
  begin_waits(thread);
  if (sampler.start_ns) {
    rt_trigger_assume(&thread->trigger, (int64_t)sampler.start_ns);
    sampler.start_ns = 0;
  }
  if (sampler.first_owed) {
    rt_trigger_owe(&thread->trigger, sampler.first_owed);
    sampler.first_owed = 0;
  }
  if (!sampler.clock.has_samples || rt_load(&sampler.is_left) ||
      rt_load(&sampler.is_process_wide) ||
      !rt_trigger_arm(&thread->trigger, rt_thread_tid(thread), &sampler,
                      &sampler.is_wanted))
    return;
  if (sampler.is_event)
    rt_store(&sampler.has_unarmed, true);
  else
    arm_process();
}

const struct rt_thread_watch rt_sampler_watch = {
    .begins = arm, .ends = end, .is_gone = drop};

static void run(struct rt_thread *thread, bool is_wanted) {
  rt_trigger_run(&thread->trigger, is_wanted);
  if (!is_wanted)
    rt_waits_stop(&thread->waits);
  else if (rt_thread_tid(thread))
    begin_waits(thread);
}

void rt_sampler_want(bool is_wanted) {
  if (rt_load(&sampler.is_left) ||
      __atomic_exchange_n(&sampler.is_wanted, is_wanted, __ATOMIC_ACQ_REL) ==
          is_wanted)
    return;
  if (is_wanted)
    rt_store(&sampler.first_period, cpu_periods());
  else
    __atomic_fetch_add(&sampler.n_periods,
                       cpu_periods() - rt_load(&sampler.first_period),
                       __ATOMIC_RELAXED);
  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next))
    run(it, is_wanted);
  rt_trigger_run(&sampler.process_trigger, is_wanted);
}

bool rt_sampler_is_running(void) { return rt_load(&sampler.is_wanted); }

uint64_t rt_sampler_n_due(const struct rt_usage *usage) {
  const uint64_t now = periods_at(rt_usage_ns(usage));
  const uint64_t first = rt_load(&sampler.first_period);
  uint64_t n = rt_load(&sampler.n_periods);

  if (sampler.clock.has_samples && rt_load(&sampler.is_wanted) && now > first)
    n += now - first;
  rt_store(&sampler.n_due_before, n);
  return n;
}

static uint64_t thread_cpu_ns(void) {
  const int64_t ns = rt_clock_ns(CLOCK_THREAD_CPUTIME_ID);

  return ns > 0 ? (uint64_t)ns : 0;
}

static void begin_own(void) {
  rt_store(&sampler.own_part_ns, (uint64_t)rt_trigger_part_of(
                                     rt_trigger_cpu_ns() + sampler.phase_ns));
  rt_store(&sampler.own_since_ns, thread_cpu_ns());
}

void rt_sampler_begin_own(void) {
  rt_waiting_pause(true);
  if (!sampler.clock.has_samples || !rt_trigger_is_cpu_time())
    return;
  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next)) {
    const uint64_t pc = rt_load(&it->sampled_pc);
    if (pc)
      count_late(it, pc, rt_trigger_collect_late(&it->trigger));
  }
  begin_own();
}

static uint64_t own_periods(uint64_t own_ns) {
  return rt_trigger_periods_of(own_ns + rt_load(&sampler.own_part_ns));
}

uint64_t rt_sampler_n_own(void) {
  const uint64_t since = rt_load(&sampler.own_since_ns);

  return rt_load(&sampler.n_own) +
         (since ? own_periods(thread_cpu_ns() - since) : 0);
}

/* The calling thread's time since the profiler began to write belongs to no
   sample. */
static void skip_own(uint64_t own_ns) {
  struct rt_thread *thread = rt_thread_known();

  if (thread)
    rt_trigger_skip(&thread->trigger, (int64_t)own_ns);
}

void rt_sampler_end_own(void) {
  const uint64_t since = rt_load(&sampler.own_since_ns);

  rt_waiting_pause(false);
  if (!since)
    return;
  const uint64_t own_ns = thread_cpu_ns() - since;
  rt_store(&sampler.n_own, rt_load(&sampler.n_own) + own_periods(own_ns));
  skip_own(own_ns);
  rt_store(&sampler.own_since_ns, 0);
}

void rt_sampler_reset(void) {
  rt_store(&sampler.n_own, 0);
  const uint64_t since = rt_load(&sampler.own_since_ns);
  if (since) {
    skip_own(thread_cpu_ns() - since);
    begin_own();
  }
  rt_store(&sampler.n_periods, 0);
  rt_store(&sampler.first_period, cpu_periods());
  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next))
    reset_due(it);
  rt_uninstrumented_reset();
  rt_call_stacks_reset();
}

const struct rt_clock *rt_sampler_clock(void) { return &sampler.clock; }

/* The handler blocks them, so that it is not interrupted on an alternate stack,
   where other handlers do not expect to begin. With SIGPROF itself, these are
   all signals that can be blocked and do not come from faults; other copies of
   the runtime recognise this handler by the set, which no other handler is
   likely to have. */
static uint64_t blocked_signals(void) {
  return rt_signals_but_faults() &
         ~((uint64_t)1 << (SIGKILL - 1) | (uint64_t)1 << (SIGSTOP - 1) |
           (uint64_t)1 << (SIGPROF - 1));
}

bool rt_sampler_init(const struct rt_source *source, unsigned rate,
                     enum rt_stack_mode stacks, bool has_handler, bool is_alone,
                     const struct rt_sigprof_parts *parts) {
  sampler.own =
      rt_action_to(on_sigprof, SA_RESTART | SA_ONSTACK, blocked_signals());
  sampler.clock = (struct rt_clock){
      .dimension = "seconds", .abbreviation = 's', .rate = RT_DEFAULT_RATE};
  sampler.parts = parts;
  if (!has_handler || rt_action(SIGPROF, &sampler.own, &sampler.old))
    return false;
  const bool is_taken = sampler.old.handler != (uintptr_t)SIG_DFL &&
                        sampler.old.handler != (uintptr_t)SIG_IGN;
  sampler.is_taken = is_taken && rate && sampler.old.mask != sampler.own.mask;
  if (is_taken) {
    rt_action(SIGPROF, &sampler.old, NULL);
    return false;
  }
  sampler.has_handler = true;
  rt_defer_init();
  if (!rate)
    return true;
  source = rt_trigger_init(source, rate);
  sampler.is_event = source->kind == RT_EVENT;
  sampler.clock = (struct rt_clock){.dimension = source->dimension,
                                    .abbreviation = source->abbreviation,
                                    .has_samples = true,
                                    .rate = rt_trigger_rate()};
  rt_uninstrumented_init();
  if (rt_call_stacks_are_wanted(stacks)) {
    rt_call_stacks_init(stacks == RT_STACKS_ON, is_alone);
    if (!rt_settings()->is_pool) // a sum of processes has no threads
      rt_timeline_init();
  }
  const uint64_t cpu_ns = rt_trigger_cpu_ns();
  choose_phase(cpu_ns);
  sampler.first_period = periods_at(cpu_ns);
  sampler.n_due_before = UINT64_MAX;
  sampler.start_ns = is_alone ? cpu_ns : 0;
  sampler.is_wanted = true;
  return true;
}

static bool is_displaced(void) {
  struct rt_action now;

  return sampler.has_handler && !rt_action(SIGPROF, NULL, &now) &&
         now.handler != (uintptr_t)on_sigprof;
}

bool rt_sampler_has_handler(void) {
  return sampler.has_handler && !is_displaced();
}

static void disarm_all(void) {
  for (struct rt_thread *it = rt_threads(); it; it = it->next)
    rt_trigger_disarm(&it->trigger);
  rt_trigger_disarm(&sampler.process_trigger);
}

/* The program is about to set an action other than the default. Signals that
   were sent to this thread still come to our handler; the program's gets no
   signal of ours, except those that are on their way to other threads, or
   blocked. Vim, for one, ends by a SIGPROF. */
static void leave_to_program(void) {
  __atomic_store_n(&sampler.is_left, true, __ATOMIC_SEQ_CST);
  for (struct rt_thread *it = rt_threads(); it; it = it->next)
    rt_waits_stop(&it->waits);
  disarm_all();
}

/* The program sets the default. Ours has the default's effect of signals from
   elsewhere, and does not end the program when a late sample arrives. */
static void keep_handler(const struct rt_action *set) {
  rt_action(SIGPROF, &sampler.own, NULL);
  // A child of vfork() writes to the parent's memory.
  if (rt_is_own())
    sampler.old = *set;
}

int rt_sampler_sigaction(rt_sigaction_fn *real, const struct sigaction *action,
                         struct sigaction *old) {
  const bool is_ours = rt_sampler_has_handler();
  const bool is_set = action != NULL; // may be *old
  const bool is_kept =
      sampler.has_handler && is_set && action->sa_handler == SIG_DFL;
  const struct rt_action before = sampler.old;
  struct rt_action next = {0};

  if (is_kept) {
    next.flags = (unsigned)action->sa_flags;
    rt_copy(&next.mask, &action->sa_mask, sizeof(next.mask));
  }
  if (is_set && !is_kept && is_ours && rt_is_own())
    leave_to_program();
  const int rc = real(SIGPROF, is_kept ? NULL : action, old);

  if (rc)
    return rc;
  if (old && is_ours)
    rt_action_show(&before, old);
  if (is_kept)
    keep_handler(&next);
  return 0;
}

rt_handler_fn *rt_sampler_signal(rt_signal_fn *real, rt_handler_fn *handler) {
  const struct rt_action before = sampler.old;
  struct rt_action now;

  if (!sampler.has_handler || rt_action(SIGPROF, NULL, &now))
    return real(SIGPROF, handler);
  const bool is_ours = now.handler == sampler.own.handler;
  rt_handler_fn *const old =
      (rt_handler_fn *)(uintptr_t)(is_ours ? before : now).handler;
  if (handler == SIG_DFL) {
    // Source: glibc's signal().
    keep_handler(&(struct rt_action){.flags = SA_RESTART,
                                     .mask = (uint64_t)1 << (SIGPROF - 1)});
    return old;
  }
  if (is_ours && handler != SIG_ERR && rt_is_own())
    leave_to_program();
  return real(SIGPROF, handler) == SIG_ERR ? SIG_ERR : old;
}

/* The values at the time when the profile was written; without a system
   call. */
static bool is_any_missing(void) {
  return sampler.clock.has_samples &&
         (!rt_trigger_is_cpu_time() ||
          rt_load(&sampler.n_due_before) > rt_uninstrumented_n_samples());
}

void rt_sampler_report(void) {
  const struct rt_thread *thread = rt_thread_known();

  if (sampler.is_taken)
    rt_message("program handles SIGPROF itself; no samples are taken", NULL);
  else if (is_any_missing() &&
           (sampler.is_left || is_displaced() ||
            (thread && rt_trigger_has_stalled(&thread->trigger))))
    rt_message("program replaced the SIGPROF handler; samples are missing",
               NULL);
  else if (sampler.has_unarmed)
    rt_message("cannot create timers for all threads; samples are missing",
               NULL);
}

void rt_sampler_in_child(bool is_inherited) {
  struct rt_thread *it = rt_threads();
  const uint32_t tid = rt_tid();

  rt_trigger_in_child(&sampler.process_trigger);
  rt_waiting_in_child();
  sampler.is_process_wide = false;
  sampler.has_unarmed = false;
  sampler.n_inside = 0;
  sampler.n_due_before = UINT64_MAX;
  choose_phase(0); // the child's CPU time starts from zero
  sampler.first_period = 0;
  sampler.n_periods = is_inherited ? rt_uninstrumented_n_samples() : 0;
  if (!is_inherited)
    rt_uninstrumented_in_child();
  rt_call_stacks_in_child(is_inherited);
  for (; it; it = it->next) {
    it->sampled_stack = is_inherited ? it->sampled_stack : 0;
    if (rt_thread_tid(it) == tid)
      arm(it);
  }
}

void rt_sampler_release(void) {
  const struct timespec pause = {.tv_nsec = 100000};
  const struct rt_action ignore = {.handler = (uintptr_t)SIG_IGN};

  // Triggers of threads that attach now are found below, or not started.
  __atomic_store_n(&sampler.is_wanted, false, __ATOMIC_SEQ_CST);
  disarm_all();
  rt_waiting_release();
  if (sampler.has_handler && !is_displaced()) {
    // Ignoring a signal discards those that are pending.
    rt_action(SIGPROF, &ignore, NULL);
    rt_action(SIGPROF, &sampler.old, NULL);
  }
  for (int i = 0; i < 1000 && rt_load(&sampler.n_inside); i++)
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
  if (!rt_load(&sampler.n_inside)) {
    rt_uninstrumented_release();
    rt_call_stacks_release();
  }
}

void rt_process_usage(struct rt_usage *out) {
  struct rusage used = {0};

  out->pid = rt_pid();
  out->has_cpu = rt_sys(SYS_getrusage, RUSAGE_SELF, (long)&used, 0, 0, 0) == 0;
  out->user_us = (uint64_t)used.ru_utime.tv_sec * US_PER_S +
                 (uint64_t)used.ru_utime.tv_usec;
  out->system_us = (uint64_t)used.ru_stime.tv_sec * US_PER_S +
                   (uint64_t)used.ru_stime.tv_usec;
}
