/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Takes samples of the threads' program counters, and adds them to
 * histograms. */
#ifndef ARCLINE_RT_SAMPLER_H
#define ARCLINE_RT_SAMPLER_H

#include "os/handlers.h"
#include "settings/settings.h"
#include "threads/threads.h"

/** The process's own data for the side file. */
struct rt_usage {
  uint32_t pid;
  bool has_cpu;
  uint64_t user_us, system_us; /* CPU time */
};

static inline uint64_t rt_usage_ns(const struct rt_usage *usage) {
  return (usage->user_us + usage->system_us) * 1000;
}

void rt_process_usage(struct rt_usage *out); /* handler-safe */

/** Other meanings of SIGPROF; each function returns whether it applied. All are
 * handler-safe. */
struct rt_sigprof_parts {
  bool (*command)(const siginfo_t *info);
  /** It is about to end the program. */
  bool (*end)(int number, siginfo_t *info, void *context);
  /** After each sample. */
  void (*sampled)(void);
};

/** rate: as in hz=. stacks: record call stacks. has_handler: handle SIGPROF,
 * also for parts. is_alone: this is the only thread of a program that starts.
 * Returns whether it is handled. Runs: startup. */
bool rt_sampler_init(const struct rt_source *source, unsigned rate,
                     enum rt_stack_mode stacks, bool has_handler, bool is_alone,
                     const struct rt_sigprof_parts *parts);
/** Is the handler of SIGPROF that of the runtime? Runs: handler-safe. */
bool rt_sampler_has_handler(void);
/** As sigaction() for SIGPROF, as if the runtime did not handle it. The handler
 * stays if the program sets the default, which would end the program at the
 * next sample: children often reset all signals. Sampling ends if the program
 * sets another action. Runs: handler-safe. */
int rt_sampler_sigaction(rt_sigaction_fn *real, const struct sigaction *action,
                         struct sigaction *old);
/** As signal() for SIGPROF, in the same way. Runs: handler-safe. */
rt_handler_fn *rt_sampler_signal(rt_signal_fn *real, rt_handler_fn *handler);
void rt_sampler_release(void); /* exit */
/** Runs: in fork()'s child. */
void rt_sampler_in_child(bool is_inherited);
void rt_sampler_want(bool is_wanted);           /* handler-safe */
bool rt_sampler_is_running(void);               /* handler-safe */
void rt_sampler_reset(void);                    /* handler-safe */
void rt_sampler_zero(struct rt_object *object); /* histograms; handler-safe */
const struct rt_clock *rt_sampler_clock(void);  /* handler-safe */
/** The number of samples that the process's CPU time amounts to, if samples
 * stand for CPU time, else 0. Runs: handler-safe. */
uint64_t rt_sampler_n_due(const struct rt_usage *usage);
/** The number of samples that a thread's time amounts to, rounded. Runs:
 * hook. */
static inline uint64_t rt_sampler_thread_n_due(struct rt_thread *thread) {
  return rt_trigger_n_due(&thread->trigger) + rt_waits_n_due(&thread->waits);
}
/** Between begin and end, CPU time of the calling thread belongs to the
 * profiler; signals are blocked. Time before that has its samples. One thread
 * at a time. Runs: handler-safe. */
void rt_sampler_begin_own(void);
void rt_sampler_end_own(void);
/** The number of samples that this time amounts to, if samples stand for CPU
 * time, else 0. Runs: handler-safe. */
uint64_t rt_sampler_n_own(void);
void rt_sampler_report(void); /* print missing samples, if any; exit */
extern const struct rt_thread_watch rt_sampler_watch;

#endif
