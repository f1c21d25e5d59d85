/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Implements triggers by timers that fire once and are armed again by the
   handler. So a program that sets its own handler of the signal gets one tick
   of the runtime per thread, not a stream of them. The number of samples due is
   computed from the clock rather than by counting signals: nothing is lost if
   signals are blocked, if a tick of the kernel is longer than the period, or if
   a thread runs for less than a period, because the rest of a thread's time is
   passed on to the next one. */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <time.h>

#include "os/os.h"
#include "timers/event.h"
#include "timers/trigger.h"

#ifndef SIGEV_THREAD_ID
#define SIGEV_THREAD_ID 4
#endif

enum {
  NS_PER_S = 1000000000,
  CHECK_NS = 100000,  /* until a thread's first sample; at least a tick */
  TICK_NS = 10000000, /* of the kernel, at most */
};

/* hz= counts samples per second, or per unit of the dimension. The first two
   are clocks, the others events. Both clocks have timers of CPU time: one of
   real time would interrupt calls that wait, whose time timers/waits.h has. A
   signal to a thread that waits is another switch of context, hence the larger
   period of those. */
static const struct rt_source sources[] = {
    {"cpu", RT_CPU_TIME, 0, 0, true, 's', "seconds", NS_PER_S, 1},
    {"wall", RT_WALL_TIME, 0, 0, false, 's', "seconds", NS_PER_S, 1},
    {"cycles", RT_EVENT, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false,
     'G', "Gcycles", 1000000000, 1000},
    {"instructions", RT_EVENT, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
     false, 'G', "Ginstrs", 1000000000, 1000},
    {"cache-misses", RT_EVENT, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES,
     false, 'M', "Mmisses", 1000000, 100},
    {"branch-misses", RT_EVENT, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES,
     false, 'M', "Mmisses", 1000000, 100},
    {"task-clock", RT_EVENT, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, true,
     's', "seconds", NS_PER_S, 1},
    {"page-faults", RT_EVENT, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
     false, 'k', "kfaults", 1000, 1},
    {"context-switches", RT_EVENT, PERF_TYPE_SOFTWARE,
     PERF_COUNT_SW_CONTEXT_SWITCHES, false, 'k', "kswitches", 1000, 10},
};

static const struct rt_source *source = sources;
static int64_t period = 1; /* ns or events */
static int64_t remainder;  /* of threads that have ended */

const struct rt_source *rt_source_find(bool is_event, const char *name,
                                       size_t n) {
  for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
    if ((sources[i].kind == RT_EVENT) == is_event &&
        rt_length(sources[i].name) == n && rt_equal(sources[i].name, name, n))
      return &sources[i];
  return NULL;
}

static void set_period(const struct rt_source *from, unsigned rate) {
  source = from;
  period = (int64_t)(rate ? from->unit / rate : from->unit);
  if (period < (int64_t)from->min_period)
    period = (int64_t)from->min_period;
}

int64_t rt_trigger_period(void) { return period; }

bool rt_trigger_has_waits(void) { return source->kind == RT_WALL_TIME; }

unsigned rt_trigger_rate(void) {
  return (unsigned)((int64_t)source->unit / period);
}

static const char *reason(int error) {
  switch (-error) {
  case EACCES:
  case EPERM:
    return "not permitted (/proc/sys/kernel/perf_event_paranoid)";
  case ENOSYS:
  case ENOENT:
  case ENODEV:
  case EINVAL:
  case EOPNOTSUPP:
    return "not supported on this machine";
  default:
    return "no file descriptor available";
  }
}

const struct rt_source *rt_trigger_init(const struct rt_source *wanted,
                                        unsigned rate) {
  uint64_t mark;

  set_period(wanted, rate);
  if (wanted->kind != RT_EVENT || !rate)
    return wanted;
  const int fd =
      rt_event_open(wanted->type, wanted->config, (uint64_t)period, &mark);
  if (fd >= 0) {
    rt_event_close(fd, mark);
    return wanted;
  }
  rt_message("ARCLINE_OPTIONS: event=", wanted->name, ": ", reason(fd),
             "; sampling CPU time instead", NULL);
  set_period(sources, rate);
  return source;
}

/* The time or count of the trigger; -1 if it is gone. */
static int64_t now(const struct rt_trigger *trigger) {
  return source->kind == RT_EVENT ? rt_event_count(trigger->id, trigger->mark)
                                  : rt_clock_ns(rt_load(&trigger->clock));
}

/* Source: linux/posix-timers.h, as in glibc's pthread_getcpuclockid(). */
int rt_trigger_cpu_clock(uint32_t tid) {
  return tid ? (int)(~tid << 3 | 6) : CLOCK_PROCESS_CPUTIME_ID;
}

/* Fires once, after that time; never if it is 0. Relative, since a timer that
   is set to a time in the past fires at once, and the sample would be in the
   runtime. */
static void set_timer(const struct rt_trigger *trigger, int64_t ns) {
  const struct itimerspec spec = {
      .it_value = {.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S}};

  rt_sys(SYS_timer_settime, trigger->id, 0, (long)&spec, 0, 0);
}

/* The time at which a trigger fires first. CPU time until the first sample
   counts at the place of the thread then, or at its end; so the first sample is
   early. */
static int64_t first_wait(const struct rt_trigger *trigger, int64_t owed) {
  const int64_t wait = owed < period ? period - owed : 1;

  return rt_load(&trigger->is_locating) && wait > CHECK_NS ? CHECK_NS : wait;
}

/* time: on the clock, when the next period begins, less owed. */
static void begin(struct rt_trigger *trigger, int64_t time, int64_t owed) {
  const int64_t n_taken = (int64_t)rt_load(&trigger->n_taken);

  // n_taken stays as it is: the handler may be about to add to it.
  rt_store(&trigger->base, time - owed - n_taken * period);
  rt_store(&trigger->since, time);
  rt_store(&trigger->seen, time);
  rt_store(&trigger->is_locating, source->kind != RT_EVENT);
  rt_store(&trigger->is_running, true);
  if (source->kind == RT_EVENT)
    rt_event_run(trigger->id, trigger->mark, true);
  else
    set_timer(trigger, first_wait(trigger, owed));
}

int rt_trigger_arm(struct rt_trigger *trigger, uint32_t tid, const void *mark,
                   const bool *is_wanted) {
  // The kernel's struct sigevent; C libraries have their own names for tid.
  const struct {
    const void *value;
    int signal, notify, tid, unused[11];
  } event = {
      mark, SIGPROF, tid ? SIGEV_THREAD_ID : SIGEV_SIGNAL, (int)tid, {0}};
  int rc = 0;

  if (source->kind == RT_EVENT && tid) {
    trigger->id = rt_event_open(source->type, source->config, (uint64_t)period,
                                &trigger->mark);
    rc = trigger->id < 0 ? trigger->id : 0;
  } else {
    rt_store(&trigger->clock, rt_trigger_cpu_clock(tid));
    rc = (int)rt_sys(SYS_timer_create, trigger->clock, (long)&event,
                     (long)&trigger->id, 0, 0);
  }
  if (rc)
    return rc;
  rt_store(&trigger->used, 0);
  trigger->owed += __atomic_exchange_n(&remainder, 0, __ATOMIC_ACQ_REL);
  __atomic_store_n(&trigger->is_armed, true, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(is_wanted, __ATOMIC_SEQ_CST))
    begin(trigger,
          rt_load(&trigger->assumed) ? rt_load(&trigger->assumed)
                                     : now(trigger),
          trigger->owed);
  return 0;
}

void rt_trigger_disarm(struct rt_trigger *trigger) {
  bool expected = true;

  if (!rt_cas(&trigger->is_armed, &expected, false))
    return;
  const int64_t time = now(trigger);
  if (rt_load(&trigger->is_running)) {
    const int64_t owed = time - rt_load(&trigger->base) -
                         (int64_t)rt_load(&trigger->n_taken) * period;
    if (time >= 0)
      trigger->owed = owed;
    rt_store(&trigger->used, rt_load(&trigger->used) +
                                 (time >= 0 ? time : rt_load(&trigger->seen)) -
                                 rt_load(&trigger->since));
    rt_store(&trigger->is_running, false);
  }
  if (source->kind == RT_EVENT)
    rt_event_close(trigger->id, trigger->mark);
  else
    rt_sys(SYS_timer_delete, trigger->id, 0, 0, 0, 0);
}

static int64_t time_used(const struct rt_trigger *trigger) {
  if (!rt_load(&trigger->is_running))
    return rt_load(&trigger->used);
  const int64_t time = now(trigger);
  return rt_load(&trigger->used) +
         (time >= 0 ? time : rt_load(&trigger->seen)) -
         rt_load(&trigger->since);
}

uint64_t rt_trigger_n_due(const struct rt_trigger *trigger) {
  const int64_t used = time_used(trigger);

  return used > 0 ? (uint64_t)((used + period / 2) / period) : 0;
}

void rt_trigger_reset(struct rt_trigger *trigger) {
  rt_store(&trigger->used, 0);
  if (!rt_load(&trigger->is_running))
    return;
  const int64_t time = now(trigger);
  if (time >= 0)
    rt_store(&trigger->since, time);
}

uint64_t rt_trigger_settle(struct rt_trigger *trigger) {
  int64_t all = __atomic_exchange_n(&remainder, 0, __ATOMIC_ACQ_REL);

  if (trigger->owed > 0)
    all += trigger->owed;
  trigger->owed = 0;
  // With many threads the remainders of all would be much of the time.
  __atomic_fetch_add(&remainder, all % period, __ATOMIC_ACQ_REL);
  return (uint64_t)(all / period);
}

void rt_trigger_pass_on(struct rt_trigger *trigger) {
  if (trigger->owed > 0)
    __atomic_fetch_add(&remainder, trigger->owed, __ATOMIC_ACQ_REL);
  trigger->owed = 0;
}

void rt_trigger_run(struct rt_trigger *trigger, bool is_running) {
  if (!rt_load(&trigger->is_armed) ||
      rt_load(&trigger->is_running) == is_running)
    return;
  if (is_running) {
    rt_store(&trigger->assumed, 0);
    begin(trigger, now(trigger), rt_trigger_chance());
    return;
  }
  rt_store(&trigger->used, time_used(trigger));
  rt_store(&trigger->is_running, false);
  if (source->kind == RT_EVENT)
    rt_event_run(trigger->id, trigger->mark, false);
  else
    set_timer(trigger, 0);
}

bool rt_trigger_has_sent(const struct rt_trigger *trigger,
                         const siginfo_t *info, const void *mark) {
  if (!rt_load(&trigger->is_armed))
    return false;
  if (source->kind == RT_EVENT && info->si_code == POLL_IN)
    return info->si_fd == trigger->id;
  return info->si_code == SI_TIMER && info->si_value.sival_ptr == mark &&
         info->si_timerid == trigger->id;
}

bool rt_trigger_may_have_sent(const siginfo_t *info, const void *mark) {
  return (source->kind == RT_EVENT && info->si_code == POLL_IN) ||
         (info->si_code == SI_TIMER && info->si_value.sival_ptr == mark);
}

void rt_trigger_assume(struct rt_trigger *trigger, int64_t time) {
  if (source->kind == RT_CPU_TIME)
    rt_store(&trigger->assumed, time);
}

uint64_t rt_trigger_random(void) {
  uint64_t mixed = (uint64_t)rt_clock_ns(CLOCK_MONOTONIC) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93;
  return mixed ^ mixed >> 32;
}

int64_t rt_trigger_chance(void) {
  return source->kind == RT_EVENT
             ? 0
             : (int64_t)(rt_trigger_random() % (uint64_t)period);
}

uint64_t rt_trigger_cpu_period_ns(void) {
  return source->kind == RT_CPU_TIME ? (uint64_t)period : 0;
}

void rt_trigger_owe(struct rt_trigger *trigger, int64_t time) {
  trigger->owed = time;
}

/* No timer fires before its time. */
static void correct(struct rt_trigger *trigger, int64_t time) {
  const int64_t since = rt_load(&trigger->since);
  const int64_t owed = since - rt_load(&trigger->base);
  const int64_t early = since + first_wait(trigger, owed) - time;

  rt_store(&trigger->assumed, 0);
  if (early <= 0)
    return;
  rt_store(&trigger->base, rt_load(&trigger->base) - early);
  rt_store(&trigger->since, since - early);
}

/* Until the next sample is due, or the thread is to be checked again. */
static void set_next(struct rt_trigger *trigger, int64_t time, bool is_due) {
  const int64_t wait = period - (time > 0 ? time % period : 0);

  if (is_due)
    rt_store(&trigger->is_locating, false);
  set_timer(trigger, rt_load(&trigger->is_locating) && wait > CHECK_NS
                         ? CHECK_NS
                         : wait);
}

uint64_t rt_trigger_collect(struct rt_trigger *trigger) {
  const int64_t clock = now(trigger);
  if (rt_load(&trigger->assumed) && clock >= 0)
    correct(trigger, clock);
  const int64_t time = clock - rt_load(&trigger->base);
  uint64_t n_taken = rt_load(&trigger->n_taken);
  uint64_t due = time > 0 ? (uint64_t)(time / period) : 0;

  if (clock < 0)
    return 0;
  rt_store(&trigger->seen, clock);
  if (source->kind != RT_EVENT)
    set_next(trigger, time, due > n_taken);
  // The whole process's trigger may have been served by another thread.
  if (due <= n_taken || !rt_cas(&trigger->n_taken, &n_taken, due))
    return 0;
  return due - n_taken;
}

uint64_t rt_trigger_collect_late(struct rt_trigger *trigger) {
  if (source->kind == RT_EVENT || !rt_load(&trigger->is_armed) ||
      !rt_load(&trigger->is_running))
    return 0;
  uint64_t n_taken = rt_load(&trigger->n_taken);
  const int64_t clock = now(trigger);
  const int64_t time =
      clock - rt_load(&trigger->base) - (int64_t)n_taken * period;
  if (clock < 0 || time < period || time > period + TICK_NS ||
      !rt_cas(&trigger->n_taken, &n_taken, n_taken + (uint64_t)(time / period)))
    return 0;
  return (uint64_t)(time / period);
}

void rt_trigger_skip(struct rt_trigger *trigger, int64_t time) {
  if (source->kind != RT_EVENT && rt_load(&trigger->is_running))
    rt_store(&trigger->base, rt_load(&trigger->base) + time);
}

bool rt_trigger_has_stalled(const struct rt_trigger *trigger) {
  const int64_t seen = rt_load(&trigger->seen);
  struct itimerspec left = {0};
  uint64_t pending = 0;

  if (source->kind == RT_EVENT || !rt_load(&trigger->is_running))
    return false;
  rt_sys(SYS_timer_gettime, trigger->id, (long)&left, 0, 0, 0);
  // A timer that has expired shows 1 ns until the next tick of the kernel.
  rt_sys(SYS_rt_sigpending, (long)&pending, sizeof(pending), 0, 0, 0);
  // It may have been served between these two checks.
  return !left.it_value.tv_sec && !left.it_value.tv_nsec &&
         !(pending >> (SIGPROF - 1) & 1) && rt_load(&trigger->seen) == seen;
}

void rt_trigger_in_child(struct rt_trigger *trigger) {
  if (trigger->is_armed && source->kind == RT_EVENT)
    rt_event_close(trigger->id, trigger->mark); // it counts the parent's
  trigger->is_armed = false;
  trigger->is_running = false;
  trigger->owed = 0;
  trigger->used = 0;
  trigger->assumed = 0;
  remainder = 0;
}

uint64_t rt_trigger_periods_of(uint64_t cpu_ns) {
  return source->is_cpu_time ? cpu_ns / (uint64_t)period : 0;
}

int64_t rt_trigger_part_of(uint64_t cpu_ns) {
  return (int64_t)(cpu_ns % (uint64_t)period);
}

bool rt_trigger_is_cpu_time(void) { return source->is_cpu_time; }

bool rt_trigger_is_short(uint64_t cpu_ns) {
  return source->kind == RT_CPU_TIME && cpu_ns < (uint64_t)period / 2;
}

uint64_t rt_trigger_cpu_ns(void) {
  const int64_t ns =
      source->is_cpu_time ? rt_clock_ns(CLOCK_PROCESS_CPUTIME_ID) : 0;

  return ns > 0 ? (uint64_t)ns : 0;
}
