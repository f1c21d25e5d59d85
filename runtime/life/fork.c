/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A child starts from zero, or from what it inherits, with one thread. Handlers
   of fork() see to that. Children of the system calls themselves and of _Fork()
   are recognised by memory that the kernel has wiped. */
#include <sys/syscall.h>

#include "dump/baseline.h"
#include "dump/side.h"
#include "life/control.h"
#include "life/crash.h"
#include "life/fork.h"
#include "life/interval.h"
#include "life/output.h"
#include "life/relatives.h"
#include "life/writer.h"
#include "live/children.h"
#include "live/persist.h"
#include "os/libc.h"
#include "sample/sampler.h"
#include "settings/settings.h"
#include "threads/threads.h"

static struct {
  void (*in_child)(bool is_off);
  uint32_t forking;            /* the process, while it does */
  uint32_t parent;             /* that made this one, or 0 */
  struct rt_thread *expecting; /* a new process from a call of its own */
} family;

uint32_t rt_fork_parent(void) { return family.parent; }

/* A signal that comes again and again would make fork() start over each time,
   and handlers would run in a child that still has the parent's counts. If
   another thread were writing, the child would have half of what it does: pages
   that it maps or gives back, descriptors. */
static void before_fork(void) {
  struct rt_thread *thread = rt_thread_self();

  family.forking = (uint32_t)rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
  rt_children_prepare();
  if (!thread)
    return;
  rt_signals_block(&thread->fork_signals);
  thread->is_forking = true;
  rt_writer_begin_fork(thread);
  if (thread->is_fork_writer)
    rt_relatives_prepare();
}

static void end_fork(void) {
  struct rt_thread *thread = rt_thread_self();

  if (!thread || !thread->is_forking)
    return;
  thread->is_forking = false;
  rt_writer_end_fork(thread);
  rt_signals_restore(&thread->fork_signals);
}

/* Changes it only if it has another value: after fork(), a page that is written
   to is copied. */
#define SET(variable, value)                                                   \
  ((variable) != (value) ? (void)((variable) = (value)) : (void)0)

/* The child may replace our files. */
static void in_parent(void) {
  for (struct rt_object *it = rt_objects(); it; it = it->next)
    SET(it->is_written, false);
  end_fork();
}

void rt_fork_zero(const struct rt_image *image) {
  if (image->cells)
    rt_zero_words(image->cells, (size_t)(image->cells_end - image->cells));
  if (image->early) {
    if (rt_load(image->has_early))
      rt_zero_words(&image->early->from,
                    RT_EARLY_ARCS * sizeof(*image->early) / sizeof(uint64_t));
    SET(*image->n_lost, 0);
    SET(*image->n_late_threads, 0);
  }
}

static void zero_object(struct rt_object *object) {
  rt_baseline_zero(object);
  rt_side_release(object);
  rt_fork_zero(&object->image);
  for (size_t i = 0; i < object->n_texts; i++)
    if (!rt_was_wiped(object->texts[i].is_wiped) &&
        !rt_persist_was_replaced(object->texts[i].bins))
      rt_sampler_zero(object);
}

static void begin_child(bool has_counted) {
  const enum rt_fork_mode mode = rt_settings()->fork_mode;
  const bool is_off = mode == RT_FORK_OFF;

  rt_writer_in_child(rt_thread_known());
  family.parent = family.forking;
  family.in_child(is_off);
  rt_output_in_child();
  rt_own_init((uint32_t)rt_sys(SYS_getpid, 0, 0, 0, 0, 0));
  rt_children_begin(is_off);
  rt_persist_in_child(mode == RT_FORK_INHERIT);
  rt_threads_in_child(mode == RT_FORK_INHERIT, has_counted);
  rt_crash_in_child();
  rt_control_in_child();
  rt_interval_in_child();
  for (struct rt_object *it = rt_objects(); it; it = it->next) {
    SET(it->is_written, false);
    if (mode == RT_FORK_ZERO)
      zero_object(it);
  }
  rt_persist_end_child();
  if (!has_counted)
    rt_relatives_share(family.parent);
  if (rt_persist_is_on())
    rt_children_save();
  if (is_off)
    rt_control_release();
  else
    rt_sampler_in_child(mode == RT_FORK_INHERIT);
  end_fork();
}

static void in_child(void) { begin_child(false); }

static bool is_fork(long number) {
#ifdef SYS_fork
  if (number == SYS_fork)
    return true;
#endif
#ifdef SYS_clone3
  if (number == SYS_clone3)
    return true;
#endif
  return number == -1 || number == SYS_clone;
}

void rt_fork_expect(long number) {
  struct rt_signals signals;

  if (!is_fork(number) || rt_are_syscalls_blocked() || !rt_is_own())
    return;
  rt_threads_leave_section();
  if (rt_writer_enter(&signals) == 0) {
    rt_relatives_prepare();
    rt_writer_leave(&signals, false);
  }
  family.forking = rt_pid(); // it may be gone when the child looks
  rt_store(&family.expecting, rt_thread_known());
  rt_children_prepare();
}

void rt_fork_check(void) {
  struct rt_signals signals;

  const struct rt_thread *expecting = rt_load(&family.expecting);

  if (expecting && expecting == rt_thread_known())
    rt_store(&family.expecting, NULL);
  else
    expecting = NULL;
  if (rt_are_syscalls_blocked() || !rt_was_forked())
    return;
  rt_signals_block(&signals);
  if (rt_was_forked()) { // and no handler has seen to it
    if (!expecting)
      family.forking = (uint32_t)rt_sys(SYS_getppid, 0, 0, 0, 0, 0);
    begin_child(!expecting);
  }
  rt_signals_restore(&signals);
}

void rt_fork_init(void (*child)(bool is_off), void *dso) {
  family.in_child = child;
  rt_at_fork(before_fork, in_parent, in_child, dso);
}
