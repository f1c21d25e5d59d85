/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Triggers samples: by a timer on some clock, or by a counter of events. There
 * is one trigger per thread, or one for the whole process. */
#ifndef ARCLINE_RT_TRIGGER_H
#define ARCLINE_RT_TRIGGER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of RT_WALL_TIME, triggers have the part that is CPU time. */
enum rt_source_kind { RT_CPU_TIME, RT_WALL_TIME, RT_EVENT };

/** A clock or an event to sample by. */
struct rt_source {
  const char *name;
  uint32_t kind;   /* enum rt_source_kind */
  uint32_t type;   /* of an event, for perf_event_open() */
  uint64_t config; /* the same */
  bool is_cpu_time;
  char abbreviation;     /* of the dimension, the unit of samples */
  const char *dimension; /* in histograms */
  uint64_t unit;         /* ns or events in one of the dimension */
  uint64_t min_period;
};

/** The unit of samples, as in the histograms' headers. */
struct rt_clock {
  const char *dimension;
  char abbreviation;
  bool has_samples;
  unsigned rate; /* samples per unit; not 0, since readers divide by it */
};

/** Zeroed memory is a trigger that has never run. */
struct rt_trigger {
  bool is_armed, is_running;
  bool is_locating; /* it has no sample yet: it fires early, to locate the
                       thread */
  int id;           /* of the timer, or the event's descriptor */
  uint64_t mark;    /* distinguishes the event from later ones of that number */
  int clock;        /* of the timer; one that can be read from any thread */
  int64_t base;     /* the clock's time when sample number 0 was due */
  uint64_t n_taken; /* samples */
  int64_t owed;     /* part of the clock's time without samples yet */
  int64_t since;    /* the clock's time when it began to run, */
  int64_t seen;     /* and at the last sample */
  int64_t used;     /* by its present thread, before since */
  int64_t assumed;  /* the clock's time when it is armed; 0: read it */
};

/** The source of that name among those of clock= or of event=; or NULL. Runs:
 * startup. */
const struct rt_source *rt_source_find(bool is_event, const char *name,
                                       size_t n);

/** Set the source of all triggers: rate samples per unit. If the source is not
 * available, that is reported in one line, and CPU time is used. Returns the
 * source. Runs: startup. */
const struct rt_source *rt_trigger_init(const struct rt_source *source,
                                        unsigned rate);
/** The actual rate: the period is a whole number. */
unsigned rt_trigger_rate(void);
int64_t rt_trigger_period(void); /* in ns or events; hook */
/** Are waits sampled, too? Runs: hook. */
bool rt_trigger_has_waits(void);
/** The clock of a thread's CPU time, readable by any thread; of the process if
 * tid is 0. Runs: hook. */
int rt_trigger_cpu_clock(uint32_t tid);

/** Of the only thread of a program that starts: let it be armed at the time
 * that the process's clock shows, instead of its own, which shows the same.
 * That is wrong if the program before this one ended other threads by exec();
 * then the first sample corrects it, within a tick of the kernel. Runs:
 * startup. */
void rt_trigger_assume(struct rt_trigger *trigger, int64_t time);
/** A random number. Runs: hook. */
uint64_t rt_trigger_random(void);
/** A random part of a period: processes that are shorter than a period have
 * their fair share of samples if so much of their first one is over when they
 * begin. 0 if events are counted. Runs: handler-safe. */
int64_t rt_trigger_chance(void);
/** The period in ns of CPU time; 0 if it is one of anything else. Runs: hook.
 */
uint64_t rt_trigger_cpu_period_ns(void);
/** Of a trigger that is not armed: so much of the first period is over. Runs:
 * startup, in fork()'s child. */
void rt_trigger_owe(struct rt_trigger *trigger, int64_t time);
/** Sample the calling thread (tid), or the process (tid 0), from now on if
 * is_wanted, with signals that carry mark. is_wanted is read after
 * rt_trigger_disarm() can find the trigger: a caller that sets it to false
 * first cannot miss a trigger. Returns 0 or a negative errno. Runs: hook. */
int rt_trigger_arm(struct rt_trigger *trigger, uint32_t tid, const void *mark,
                   const bool *is_wanted);
/** Stop, perhaps for a while: samples that are due stay so. Runs: hook. */
void rt_trigger_disarm(struct rt_trigger *trigger);
/** Start or stop an armed trigger, of any thread. Runs: handler-safe. */
void rt_trigger_run(struct rt_trigger *trigger, bool is_running);
/** Does the signal come from the trigger? Runs: hook. */
bool rt_trigger_has_sent(const struct rt_trigger *trigger,
                         const siginfo_t *info, const void *mark);
/** Does it come from some trigger with that mark, perhaps one that is gone?
 * Runs: hook. */
bool rt_trigger_may_have_sent(const siginfo_t *info, const void *mark);
/** The number of samples that are due since the last call. A timer does not
 * fire again before this call. Runs: hook. */
uint64_t rt_trigger_collect(struct rt_trigger *trigger);
/** The number of samples of a thread's CPU time that are due but not signalled
 * yet, since the kernel checks timers at its ticks only; 0 if there are more
 * than ticks explain, which means that signals were blocked. Runs:
 * handler-safe. */
uint64_t rt_trigger_collect_late(struct rt_trigger *trigger);
/** Exclude this much of the calling thread's CPU time from samples. Runs:
 * handler-safe. */
void rt_trigger_skip(struct rt_trigger *trigger, int64_t time);
/** The number of samples that the present thread's time amounts to, rounded,
 * whether they have been taken or not. Runs: hook. */
uint64_t rt_trigger_n_due(const struct rt_trigger *trigger);
/** rt_trigger_n_due() starts from zero again. Runs: handler-safe. */
void rt_trigger_reset(struct rt_trigger *trigger);
/** After a trigger was disarmed: returns the samples that are still due, by it
 * and in parts by earlier ones. Runs: hook. */
uint64_t rt_trigger_settle(struct rt_trigger *trigger);
/** After a trigger was disarmed: leave its time to others that will be settled.
 * Runs: hook. */
void rt_trigger_pass_on(struct rt_trigger *trigger);
/** Has the timer of the calling thread fired without being armed again, because
 * some other handler got the signal? Runs: exit. */
bool rt_trigger_has_stalled(const struct rt_trigger *trigger);
/** Nothing is armed or due any more. Runs: in fork()'s child. */
void rt_trigger_in_child(struct rt_trigger *trigger);
/** Do samples stand for CPU time? */
bool rt_trigger_is_cpu_time(void);
/** CPU time in units of 1 / rate; 0 if samples do not stand for CPU time. */
uint64_t rt_trigger_periods_of(uint64_t cpu_ns);
/** The rest of it after whole units, in ns. */
int64_t rt_trigger_part_of(uint64_t cpu_ns);
/** Is this CPU time of a process too short for a sample in any of its threads,
 * rounded? */
bool rt_trigger_is_short(uint64_t cpu_ns);
/** CPU time of the process in ns. Runs: handler-safe. */
uint64_t rt_trigger_cpu_ns(void);

#endif
